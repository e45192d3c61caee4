// Package sftp reads documents from a folder at a customer's SFTP server, and leaves others there.
package sftp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"strconv"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/drop"
	"gangway/internal/transport/guard"
	"gangway/internal/transport/limit"
	"gangway/internal/transport/watch"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// settings are those of Kind and of Outlet, as they are read.
type settings struct {
	Host       string `json:"host"`
	Port       int    `json:"port"`
	User       string `json:"user"`
	Password   string `json:"password"`
	PrivateKey string `json:"private_key"`
	Passphrase string `json:"passphrase"`
	HostKey    string `json:"host_key"`
	Path       string `json:"path"`
	Pattern    string `json:"pattern"`
}

// Kind is sftp for feeds.
var Kind = transport.Kind{
	Name:     "sftp",
	About:    "files in a folder at an SFTP server",
	Settings: watched,
	Example: `{"host": "sftp.example.com", "user": "gangway", "password": "tide-tables", ` +
		`"host_key": "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8", "path": "/outgoing/crew", "pattern": "*.csv"}`,
	Open: open,
}

// Outlet is sftp for outlets.
var Outlet = transport.Kind{
	Name:     "sftp",
	About:    "files written to a folder at an SFTP server",
	Settings: written,
	Example: `{"host": "sftp.example.com", "user": "gangway", "password": "tide-tables", ` +
		`"host_key": "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8", "path": "/incoming/bookings"}`,
	Send:  send,
	Reach: reach,
}

var signIn = []transport.Setting{
	{Name: "host", Type: transport.Text, About: "the server's name", Example: `"sftp.example.com"`, Required: true,
		System: true},
	{Name: "port", Type: transport.Number, About: "22 unless told otherwise", Example: `22`, System: true},
	{Name: "user", Type: transport.Text, About: "who signs in", Example: `"gangway"`, Required: true, System: true},
	{Name: "password", Type: transport.Text, About: "the user's password", Example: `"tide-tables"`,
		Secret: transport.Whole},
	{Name: "private_key", Type: transport.Lines, About: "instead of a password or beside it: a private key, as " +
		"ssh-keygen writes it", Example: `"-----BEGIN OPENSSH PRIVATE KEY-----\n…"`, Secret: transport.Whole},
	{Name: "passphrase", Type: transport.Text, About: "of the private key, if it has one", Example: `"neap"`,
		Secret: transport.Whole},
	{Name: "host_key", Type: transport.Lines, About: "the server's public key as in known_hosts, or its fingerprint; " +
		"several, one a line; without it nobody signs in, and the error says which fingerprint was met",
		Example: `"SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"`, System: true},
}

var (
	watched = slices.Concat(signIn, watch.Settings)
	written = slices.Concat(signIn, drop.Settings)
)

// A server is how an SFTP server is signed in to.
type server struct {
	settings
	keys   hostKeys
	signer ssh.Signer // nil: no private key
	guard  *guard.Guard
}

func open(raw json.RawMessage, o transport.Options) (transport.Puller, error) {
	s, err := newServer(watched, raw, o)
	if err != nil {
		return nil, err
	}
	return watch.Open(s.Pattern, s.connect)
}

func send(raw json.RawMessage, o transport.Options) (transport.Sender, error) {
	s, err := newServer(written, raw, o)
	if err != nil {
		return nil, err
	}
	return drop.New(drop.OfServer, s.connect), nil
}

// reach implements transport.Kind.Reach.
func reach(ctx context.Context, raw json.RawMessage, o transport.Options, _ time.Time) (warnings []string, err error) {
	s, err := newServer(written, raw, o)
	if err != nil {
		return nil, err
	}
	if warnings, err = s.guard.Look(ctx, s.Host, s.Port); err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "%v", err)
	}
	if s.HostKey == "" {
		warnings = append(warnings, "host_key is missing: nothing is sent before the server's key is known, and the "+
			"first try says which fingerprint it met")
	}
	return warnings, nil
}

// newServer reads settings.
func newServer(table []transport.Setting, raw json.RawMessage, o transport.Options) (*server, error) {
	s := &server{guard: guard.NewFor(o.Allow, 22)}
	if err := (transport.Kind{Settings: table}).Read(raw, &s.settings); err != nil {
		return nil, err
	}
	var err error
	if s.keys, err = parseHostKeys(s.HostKey); err != nil {
		return nil, err
	}
	switch {
	case s.Port > 65535:
		return nil, gangway.Errorf(gangway.Invalid, "port must be from 1 to 65535")
	case s.Password == "" && s.PrivateKey == "":
		return nil, gangway.Errorf(gangway.Invalid, "password or private_key is required")
	case s.Passphrase != "" && s.PrivateKey == "":
		return nil, gangway.Errorf(gangway.Invalid, "passphrase is that of private_key, which is missing")
	}
	if s.PrivateKey != "" {
		if s.signer, err = parsePrivateKey(s.PrivateKey, s.Passphrase); err != nil {
			return nil, err
		}
	}
	if err := s.guard.CheckHost(s.Host); err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "host: %s", err)
	}
	s.Port = cmp.Or(s.Port, 22)
	return s, nil
}

func parsePrivateKey(key, passphrase string) (signer ssh.Signer, err error) {
	if passphrase == "" {
		signer, err = ssh.ParsePrivateKey([]byte(key))
	} else {
		signer, err = ssh.ParsePrivateKeyWithPassphrase([]byte(key), []byte(passphrase))
	}
	switch {
	case errors.As(err, new(*ssh.PassphraseMissingError)):
		return nil, gangway.Errorf(gangway.Invalid, "passphrase is required: private_key has one")
	case err != nil && passphrase != "":
		return nil, gangway.Errorf(gangway.Invalid, "private_key cannot be read, or passphrase is not the key's")
	case err != nil:
		return nil, gangway.Errorf(gangway.Invalid, "private_key must be a private key as ssh-keygen writes it")
	}
	return signer, nil
}

// connect signs in and returns the folder. A server may show a key of another type than
// the one whose fingerprint is known, so that each type is asked for in turn.
func (s *server) connect(ctx context.Context) (*folder, error) {
	f, err := s.connectWith(ctx, s.keys.types())
	if wrong := (*hostKeyError)(nil); !errors.As(err, &wrong) || !s.keys.anyType() {
		return f, err
	}
	for _, types := range keyTypes {
		if f, err := s.connectWith(ctx, types); err == nil {
			return f, nil
		}
	}
	return nil, err
}

// connectWith connects to a server that shows a host key of one of these types.
func (s *server) connectWith(ctx context.Context, types []string) (_ *folder, err error) {
	address := net.JoinHostPort(s.Host, strconv.Itoa(s.Port))
	within, cancel := context.WithTimeout(ctx, limit.Patience)
	defer cancel()
	conn, err := s.guard.DialContext(within, "tcp", address)
	if err != nil {
		return nil, s.say(err)
	}
	f := &folder{server: s, cut: func() { conn.Close() }}
	err = limit.Do(ctx, limit.Patience, f.cut, func() error {
		config := &ssh.ClientConfig{User: s.User, Auth: s.auth(), HostKeyCallback: s.keys.check,
			HostKeyAlgorithms: types}
		c, channels, requests, err := ssh.NewClientConn(conn, address, config)
		if err != nil {
			return err
		}
		f.ssh = ssh.NewClient(c, channels, requests)
		return f.begin()
	})
	if err != nil {
		conn.Close()
		return nil, s.say(err)
	}
	return f, nil
}

// auth answers with what is known, and a prompt that shows nothing with the password: many
// servers ask for it that way alone.
func (s *server) auth() (methods []ssh.AuthMethod) {
	if s.signer != nil {
		methods = append(methods, ssh.PublicKeys(s.signer))
	}
	if s.Password != "" {
		methods = append(methods, ssh.Password(s.Password), ssh.KeyboardInteractive(
			func(_, _ string, questions []string, echos []bool) ([]string, error) {
				answers := make([]string, len(questions))
				for i := range questions {
					if !echos[i] {
						answers[i] = s.Password
					}
				}
				return answers, nil
			}))
	}
	return methods
}

// begin starts SFTP over a connection that is signed in.
func (f *folder) begin() error {
	session, err := f.ssh.NewSession()
	if err != nil {
		return err
	}
	if err := session.RequestSubsystem("sftp"); err != nil {
		return errNoSFTP
	}
	in, err := session.StdinPipe()
	if err != nil {
		return err
	}
	out, err := session.StdoutPipe()
	if err != nil {
		return err
	}
	f.names = &counter{from: out}
	f.sftp, err = sftp.NewClientPipe(f.names, in)
	return err
}

var errNoSFTP = errors.New("the server lets the user in, but not by SFTP")
