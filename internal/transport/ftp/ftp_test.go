package ftp

import (
	"encoding/json"
	"maps"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

func mustOpen(t *testing.T, kind transport.Kind, with map[string]any) transport.Settler {
	t.Helper()
	raw := calltest.Must(json.Marshal(with))(t)
	p := calltest.Must(kind.Open(raw, loopback))(t)
	return p.(transport.Settler)
}

// settingsOf are those for a server.
func settingsOf(s transporttest.FTPServer, tls string) map[string]any {
	set := map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "password": s.Password}
	if tls != "" {
		set["tls"], set["ca"] = tls, s.CA
	}
	return set
}

// TestVsftpd reads from vsftpd, in each of the three ways.
func TestVsftpd(t *testing.T) {
	for tls, kind := range map[string]transport.Kind{"": Plain, "explicit": Secure, "implicit": Secure} {
		watched := func(readOnly bool) func(t *testing.T) transporttest.WatchedFolder {
			return func(t *testing.T) transporttest.WatchedFolder {
				path := t.TempDir()
				server := transporttest.ServeFTP(t, path, tls, readOnly)
				return transporttest.WatchedFolder{Path: path, Open: func(t *testing.T) transport.Settler {
					return mustOpen(t, kind, settingsOf(server, tls))
				}}
			}
		}
		t.Run(kind.Name+" "+tls, func(t *testing.T) {
			transporttest.Folder(t, watched(false))
			t.Run("nothing may be written", func(t *testing.T) {
				transporttest.ReadOnlyFolder(t, watched(true)(t))
			})
		})
	}
}

// TestPuller runs the suite of all kinds.
func TestPuller(t *testing.T) {
	for tls, kind := range map[string]transport.Kind{"": Plain, "explicit": Secure} {
		t.Run(kind.Name, func(t *testing.T) {
			transporttest.Puller(t, kind, func(t *testing.T) transporttest.Source {
				path := t.TempDir()
				server := transporttest.ServeFTP(t, path, tls, false)
				var hang func()
				server.Port, hang = transporttest.Through(t, server.Port)
				raw := calltest.Must(json.Marshal(settingsOf(server, tls)))(t)
				return transporttest.Source{
					Settings: raw,
					Secrets:  []string{server.Password},
					Leave:    func(t *testing.T, body string) { transporttest.Leave(t, path, body) },
					Hang:     func(*testing.T) { hang() },
					Where:    func(t *testing.T, body string) string { return transporttest.Where(t, path, body) },
				}
			})
		})
	}
}

// TestDropped leaves files at vsftpd, in each of the three ways.
func TestDropped(t *testing.T) {
	raw := func(t *testing.T, set map[string]any) json.RawMessage {
		t.Helper()
		doc := calltest.Must(json.Marshal(set))(t)
		return doc
	}
	for tls, kind := range map[string]transport.Kind{"": PlainOutlet, "explicit": SecureOutlet,
		"implicit": SecureOutlet} {
		t.Run(kind.Name+" "+tls, func(t *testing.T) {
			transporttest.Dropped(t, kind, func(t *testing.T, path string) transporttest.Target {
				server := transporttest.ServeFTP(t, path, tls, false)
				set, dies := settingsOf(server, tls), (func(func() bool))(nil)
				with := func(name string, value any) json.RawMessage {
					changed := maps.Clone(set)
					changed[name] = value
					return raw(t, changed)
				}
				set["port"], dies = transporttest.Mortal(t, server.Port)
				target := transporttest.Target{
					Settings: raw(t, set),
					Secrets:  []string{server.Password},
					Dies:     dies,
					Mistakes: map[string]json.RawMessage{
						"does not let the user": with("user", "nobody-here"),
						"no folder":             with("path", "none"),
						"denies it":             raw(t, settingsOf(transporttest.ServeFTP(t, path, tls, true), tls)),
					},
				}
				if tls != "" {
					other := calltest.Must(transporttest.NewAuthority())(t)
					target.Mistakes["authority"] = with("ca", other.Certificate)
				}
				return target
			})
		})
	}
}
