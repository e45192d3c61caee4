// Package ftp reads documents from a folder at a customer's FTP server, with TLS or without, and
// leaves others there.
package ftp

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
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

// The kinds: with TLS and without, for feeds and for outlets.
var (
	Secure, SecureOutlet = kinds(true, "ftps", "an FTP server with TLS", `"tls": "explicit", `)
	Plain, PlainOutlet   = kinds(false, "ftp", "an FTP server without TLS: whoever is on the way can read the "+
		"password and the files, so prefer ftps or sftp", "")
)

func kinds(secure bool, name, where, example string) (feed, outlet transport.Kind) {
	server := slices.Concat(serverSettings(secure), signIn)
	watched, written := slices.Concat(server, watch.Settings), slices.Concat(server, drop.Settings)
	example = `{"host": "ftp.example.com", ` + example + `"user": "gangway", "password": "tide-tables", `
	feed = transport.Kind{Name: name, About: "files in a folder at " + where, Settings: watched,
		Example: example + `"path": "/outgoing/crew", "pattern": "*.csv"}`,
		Open: func(raw json.RawMessage, o transport.Options) (transport.Puller, error) {
			s, err := newServer(watched, secure, raw, o)
			if err != nil {
				return nil, err
			}
			return watch.Open(s.Pattern, s.connect)
		}}
	outlet = transport.Kind{Name: name, About: "files written to a folder at " + where, Settings: written,
		Example: example + `"path": "/incoming/bookings"}`,
		Send: func(raw json.RawMessage, o transport.Options) (transport.Sender, error) {
			s, err := newServer(written, secure, raw, o)
			if err != nil {
				return nil, err
			}
			return drop.New(drop.OfServer, s.connect), nil
		},
		Reach: func(ctx context.Context, raw json.RawMessage, o transport.Options, _ time.Time) ([]string, error) {
			s, err := newServer(written, secure, raw, o)
			if err != nil {
				return nil, err
			}
			warnings, err := s.guard.Look(ctx, s.Host, s.Port)
			if err != nil {
				return nil, gangway.Errorf(gangway.Invalid, "%v", err)
			}
			if !secure {
				warnings = append(warnings, "the password and the files travel to ftp://"+s.Host+" in clear: whoever "+
					"is on the way there can read and change them; with ftps or sftp nobody can")
			}
			return warnings, nil
		}}
	return feed, outlet
}

var signIn = []transport.Setting{
	{Name: "user", Type: transport.Text, About: "who signs in", Example: `"gangway"`, Required: true, System: true},
	{Name: "password", Type: transport.Text, About: "the user's password", Example: `"tide-tables"`,
		Required: true, Secret: transport.Whole},
}

// serverSettings are the settings of a server.
func serverSettings(secure bool) []transport.Setting {
	host := transport.Setting{Name: "host", Type: transport.Text, About: "the server's name",
		Example: `"ftp.example.com"`, Required: true, System: true}
	port := transport.Setting{Name: "port", Type: transport.Number, About: "21 unless told otherwise", Example: `21`,
		System: true}
	if !secure {
		return []transport.Setting{host, port}
	}
	port.About = "unless told otherwise 21, and 990 for implicit TLS"
	return []transport.Setting{host, port,
		{Name: "tls", Type: transport.Text, About: `"explicit" (asked for after connecting; the usual) or ` +
			`"implicit" (from the first byte)`, Example: `"explicit"`, System: true},
		{Name: "ca", Type: transport.Lines, About: "the certificate of the authority that issued the server's, " +
			"in PEM, if it is none of the public ones", Example: `"-----BEGIN CERTIFICATE-----\n…"`, System: true}}
}

// A server is how an FTP server is signed in to.
type server struct {
	settings
	tls   *tls.Config // nil: none
	guard *guard.Guard
}

// newServer reads settings.
func newServer(table []transport.Setting, secure bool, raw json.RawMessage, o transport.Options) (*server, error) {
	s := &server{guard: guard.NewFor(o.Allow, 21, 990)}
	if err := (transport.Kind{Settings: table}).Read(raw, &s.settings); err != nil {
		return nil, err
	}
	if s.Port > 65535 {
		return nil, gangway.Errorf(gangway.Invalid, "port must be from 1 to 65535")
	}
	if err := s.guard.CheckHost(s.Host); err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "host: %s", err)
	}
	usual := 21
	if secure {
		s.TLS = cmp.Or(s.TLS, explicit)
		if s.TLS == implicit {
			usual = 990
		} else if s.TLS != explicit {
			return nil, gangway.Errorf(gangway.Invalid, "tls must be %s or %s", explicit, implicit)
		}
		roots, err := transport.ReadAuthorities("ca", s.CA)
		if err != nil {
			return nil, err
		}
		s.tls = &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12, RootCAs: roots}
	}
	s.Port = cmp.Or(s.Port, usual)
	return s, nil
}
