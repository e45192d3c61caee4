// Package ftp reads documents from a folder at a customer's FTP server, with TLS or without, and
// leaves others there.
package ftp

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/drop"
	"gangway/internal/transport/guard"
	"gangway/internal/transport/watch"
)

// settings are those of all kinds, as they are read.
type settings struct {
	Host     string `json:"host"`
	Port     int    `json:"port"`
	TLS      string `json:"tls"`
	CA       string `json:"ca"`
	User     string `json:"user"`
	Password string `json:"password"`
	Path     string `json:"path"`
	Pattern  string `json:"pattern"`
}

// The two ways to begin TLS.
const (
	explicit = "explicit" // asked for on a connection without it
	implicit = "implicit" // from the first byte
)

// Secure is ftps for feeds.
var Secure = transport.Kind{
	Name:     "ftps",
	About:    "files in a folder at an FTP server with TLS",
	Settings: secureWatched,
	Example: `{"host": "ftp.example.com", "tls": "explicit", "user": "gangway", "password": "tide-tables", ` +
		`"path": "/outgoing/crew", "pattern": "*.csv"}`,
	Open: openSecure,
}

// Plain is ftp for feeds.
var Plain = transport.Kind{
	Name: "ftp",
	About: "files in a folder at an FTP server without TLS: whoever is on the way can read the password and the " +
		"files, so prefer ftps or sftp",
	Settings: plainWatched,
	Example: `{"host": "ftp.example.com", "user": "gangway", "password": "tide-tables", "path": "/outgoing/crew", ` +
		`"pattern": "*.csv"}`,
	Open: openPlain,
}

// SecureOutlet is ftps for outlets.
var SecureOutlet = transport.Kind{
	Name:     "ftps",
	About:    "files written to a folder at an FTP server with TLS",
	Settings: secureWritten,
	Example: `{"host": "ftp.example.com", "tls": "explicit", "user": "gangway", "password": "tide-tables", ` +
		`"path": "/incoming/bookings"}`,
	Send:  sendSecure,
	Reach: reachSecure,
}

// PlainOutlet is ftp for outlets.
var PlainOutlet = transport.Kind{
	Name: "ftp",
	About: "files written to a folder at an FTP server without TLS: whoever is on the way can read the password and " +
		"the files, so prefer ftps or sftp",
	Settings: plainWritten,
	Example:  `{"host": "ftp.example.com", "user": "gangway", "password": "tide-tables", "path": "/incoming/bookings"}`,
	Send:     sendPlain,
	Reach:    reachPlain,
}

var (
	host = transport.Setting{Name: "host", Type: transport.Text, About: "the server's name",
		Example: `"ftp.example.com"`, Required: true, System: true}
	signIn = []transport.Setting{
		{Name: "user", Type: transport.Text, About: "who signs in", Example: `"gangway"`, Required: true, System: true},
		{Name: "password", Type: transport.Text, About: "the user's password", Example: `"tide-tables"`,
			Required: true, Secret: transport.Whole},
	}
	watched = []transport.Setting{
		{Name: "path", Type: transport.Text, About: "the folder; left out: where the user arrives",
			Example: `"/outgoing/crew"`},
		{Name: "pattern", Type: transport.Text, About: "only files with such names; left out: all", Example: `"*.csv"`},
	}
	written = []transport.Setting{
		{Name: "path", Type: transport.Text, About: "the folder, which must be there; left out: where the user arrives",
			Example: `"/incoming/bookings"`},
	}
	plainServer = []transport.Setting{host, {Name: "port", Type: transport.Number,
		About: "21 unless told otherwise", Example: `21`, System: true}}
	secureServer = []transport.Setting{host,
		{Name: "port", Type: transport.Number, About: "unless told otherwise 21, and 990 for implicit TLS",
			Example: `21`, System: true},
		{Name: "tls", Type: transport.Text, About: `"explicit" (asked for after connecting; the usual) or ` +
			`"implicit" (from the first byte)`, Example: `"explicit"`, System: true},
		{Name: "ca", Type: transport.Lines, About: "the certificate of the authority that issued the server's, " +
			"in PEM, if it is none of the public ones", Example: `"-----BEGIN CERTIFICATE-----\n…"`, System: true}}

	plainWatched  = slices.Concat(plainServer, signIn, watched)
	plainWritten  = slices.Concat(plainServer, signIn, written)
	secureWatched = slices.Concat(secureServer, signIn, watched)
	secureWritten = slices.Concat(secureServer, signIn, written)
)

// A server is how an FTP server is signed in to.
type server struct {
	settings
	tls  *tls.Config // nil: none
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

func openPlain(raw json.RawMessage, o transport.Options) (transport.Puller, error) {
	return watcher(newPlain(plainWatched, raw, o))
}

func openSecure(raw json.RawMessage, o transport.Options) (transport.Puller, error) {
	return watcher(newSecure(secureWatched, raw, o))
}

func watcher(s *server, err error) (transport.Puller, error) {
	if err != nil {
		return nil, err
	}
	return watch.New(watch.Config{Pattern: s.Pattern, Dial: func(ctx context.Context) (watch.Folder, error) {
		return s.connect(ctx)
	}}), nil
}

func sendPlain(raw json.RawMessage, o transport.Options) (transport.Sender, error) {
	return dropper(newPlain(plainWritten, raw, o))
}

func sendSecure(raw json.RawMessage, o transport.Options) (transport.Sender, error) {
	return dropper(newSecure(secureWritten, raw, o))
}

func dropper(s *server, err error) (transport.Sender, error) {
	if err != nil {
		return nil, err
	}
	return drop.New(drop.OfServer, func(ctx context.Context) (drop.Folder, error) { return s.connect(ctx) }), nil
}

func reachPlain(ctx context.Context, raw json.RawMessage, o transport.Options, _ time.Time) (warnings []string,
	err error) {
	s, err := newPlain(plainWritten, raw, o)
	if err != nil {
		return nil, err
	}
	warnings, err = s.look(ctx, o)
	return append(warnings, "the password and the files travel to ftp://"+s.Host+" in clear: whoever is on the way "+
		"there can read and change them; with ftps or sftp nobody can"), err
}

func reachSecure(ctx context.Context, raw json.RawMessage, o transport.Options, _ time.Time) (warnings []string,
	err error) {
	s, err := newSecure(secureWritten, raw, o)
	if err != nil {
		return nil, err
	}
	return s.look(ctx, o)
}

// look does what both kinds do for transport.Kind.Reach.
func (s *server) look(ctx context.Context, o transport.Options) (warnings []string, err error) {
	unknown, err := guard.NewFor(o.Allow, 21, 990).Look(ctx, s.Host, s.Port)
	switch {
	case errors.Is(err, guard.ErrPort):
		return nil, gangway.Errorf(gangway.Invalid, "port: %v", err)
	case err != nil:
		return nil, gangway.Errorf(gangway.Invalid, "host: %v", err)
	case unknown != "":
		warnings = append(warnings, unknown)
	}
	return warnings, nil
}

// newPlain reads settings without TLS.
func newPlain(table []transport.Setting, raw json.RawMessage, o transport.Options) (*server, error) {
	s, err := newServer(table, raw, o)
	if err != nil {
		return nil, err
	}
	s.Port = cmp.Or(s.Port, 21)
	return s, nil
}

// newSecure reads settings with TLS.
func newSecure(table []transport.Setting, raw json.RawMessage, o transport.Options) (*server, error) {
	s, err := newServer(table, raw, o)
	if err != nil {
		return nil, err
	}
	switch s.TLS = cmp.Or(s.TLS, explicit); s.TLS {
	case explicit:
		s.Port = cmp.Or(s.Port, 21)
	case implicit:
		s.Port = cmp.Or(s.Port, 990)
	default:
		return nil, gangway.Errorf(gangway.Invalid, "tls must be %s or %s", explicit, implicit)
	}
	s.tls = &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12}
	if s.CA != "" {
		s.tls.RootCAs = x509.NewCertPool()
		if !s.tls.RootCAs.AppendCertsFromPEM([]byte(s.CA)) {
			return nil, gangway.Errorf(gangway.Invalid, "ca must be a certificate in PEM")
		}
	}
	return s, nil
}

// newServer reads the settings that all kinds have.
func newServer(table []transport.Setting, raw json.RawMessage, o transport.Options) (*server, error) {
	s := &server{}
	if err := (transport.Kind{Settings: table}).Read(raw, &s.settings); err != nil {
		return nil, err
	}
	if s.Port > 65535 {
		return nil, gangway.Errorf(gangway.Invalid, "port must be from 1 to 65535")
	}
	if err := watch.CheckPattern(s.Pattern); err != nil {
		return nil, err
	}
	g := guard.NewFor(o.Allow, 21, 990)
	if err := g.CheckHost(s.Host); err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "host: %s", err)
	}
	s.dial = g.DialContext
	return s, nil
}
