// Package ftp reads documents from a folder at a customer's FTP server, with TLS or without.
package ftp

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net"
	"strings"

	"gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/guard"
	"gangway/internal/transport/watch"
)

// settings are those of both kinds, as they are read.
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

// Secure is ftps.
var Secure = transport.Kind{
	Name:     "ftps",
	About:    "files in a folder at an FTP server with TLS",
	Settings: secureTable,
	Example: `{"host": "ftp.example.com", "tls": "explicit", "user": "gangway", "password": "tide-tables", ` +
		`"path": "/outgoing/crew", "pattern": "*.csv"}`,
	Open: openSecure,
}

// Plain is ftp.
var Plain = transport.Kind{
	Name: "ftp",
	About: "files in a folder at an FTP server without TLS: whoever is on the way can read the password and the " +
		"files, so prefer ftps or sftp",
	Settings: plainTable,
	Example: `{"host": "ftp.example.com", "user": "gangway", "password": "tide-tables", "path": "/outgoing/crew", ` +
		`"pattern": "*.csv"}`,
	Open: openPlain,
}

var (
	host = transport.Setting{Name: "host", Type: transport.Text, About: "the server's name",
		Example: `"ftp.example.com"`, Required: true, System: true}
	signIn = []transport.Setting{
		{Name: "user", Type: transport.Text, About: "who signs in", Example: `"gangway"`, Required: true, System: true},
		{Name: "password", Type: transport.Text, About: "the user's password", Example: `"tide-tables"`,
			Required: true, Secret: transport.Whole},
		{Name: "path", Type: transport.Text, About: "the folder; left out: where the user arrives",
			Example: `"/outgoing/crew"`},
		{Name: "pattern", Type: transport.Text, About: "only files with such names; left out: all", Example: `"*.csv"`},
	}
	plainTable = append([]transport.Setting{host, {Name: "port", Type: transport.Number,
		About: "21 unless told otherwise", Example: `21`, System: true}}, signIn...)
	secureTable = append([]transport.Setting{host,
		{Name: "port", Type: transport.Number, About: "unless told otherwise 21, and 990 for implicit TLS",
			Example: `21`, System: true},
		{Name: "tls", Type: transport.Text, About: `"explicit" (asked for after connecting; the usual) or ` +
			`"implicit" (from the first byte)`, Example: `"explicit"`, System: true},
		{Name: "ca", Type: transport.Text, About: "the certificate of the authority that issued the server's, " +
			"in PEM, if it is none of the public ones", Example: `"-----BEGIN CERTIFICATE-----\n…"`, System: true}}, signIn...)
)

// A server is how an FTP server is signed in to.
type server struct {
	settings
	tls  *tls.Config // nil: none
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

func openPlain(raw json.RawMessage, o transport.Options) (transport.Puller, error) {
	s, err := newServer(plainTable, raw, o)
	if err != nil {
		return nil, err
	}
	s.Port = cmp.Or(s.Port, 21)
	return watch.New(watch.Config{Dial: s.connect, Pattern: s.Pattern}), nil
}

func openSecure(raw json.RawMessage, o transport.Options) (transport.Puller, error) {
	s, err := newServer(secureTable, raw, o)
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
	// Many servers let a data connection in only if it resumes the TLS session of the
	// connection that asked for it.
	s.tls = &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12,
		ClientSessionCache: tls.NewLRUClientSessionCache(4)}
	if s.CA != "" {
		s.tls.RootCAs = x509.NewCertPool()
		if !s.tls.RootCAs.AppendCertsFromPEM([]byte(s.CA)) {
			return nil, gangway.Errorf(gangway.Invalid, "ca must be a certificate in PEM")
		}
	}
	return watch.New(watch.Config{Dial: s.connect, Pattern: s.Pattern}), nil
}

// newServer reads the settings that both kinds have.
func newServer(table []transport.Setting, raw json.RawMessage, o transport.Options) (*server, error) {
	s := &server{}
	if err := (transport.Kind{Settings: table}).Read(raw, &s.settings); err != nil {
		return nil, err
	}
	if s.Port > 65535 {
		return nil, gangway.Errorf(gangway.Invalid, "port must be from 1 to 65535")
	}
	for _, set := range []struct{ name, value string }{{"user", s.User}, {"password", s.Password}, {"path", s.Path}} {
		if strings.ContainsAny(set.value, "\r\n\x00") {
			return nil, gangway.Errorf(gangway.Invalid, "%s must be one line", set.name)
		}
	}
	if err := watch.CheckPattern(s.Pattern); err != nil {
		return nil, err
	}
	g := guard.New(o.Allow)
	if err := g.CheckHost(s.Host); err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "host: %s", err)
	}
	s.dial = g.DialContext
	return s, nil
}
