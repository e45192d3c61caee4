package sftp

import (
	"encoding/json"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

var loopback = transport.Options{Allow: transporttest.Loopback}

// settingsOf are those for a server and a folder.
func settingsOf(s transporttest.SSHServer, path string) map[string]any {
	return map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "private_key": s.PrivateKey,
		"host_key": s.HostKey, "path": path}
}

func mustOpen(t *testing.T, with map[string]any) transport.Settler {
	t.Helper()
	raw := calltest.Must(json.Marshal(with))(t)
	p := calltest.Must(Kind.Open(raw, loopback))(t)
	return p.(transport.Settler)
}

// TestOpenSSH reads from OpenSSH's own server.
func TestOpenSSH(t *testing.T) {
	server := transporttest.ServeSFTP(t, false)
	watched := func(server transporttest.SSHServer) func(t *testing.T) transporttest.WatchedFolder {
		return func(t *testing.T) transporttest.WatchedFolder {
			path := t.TempDir()
			return transporttest.WatchedFolder{Path: path, Open: func(t *testing.T) transport.Settler {
				return mustOpen(t, settingsOf(server, path))
			}}
		}
	}
	transporttest.Folder(t, watched(server))
	t.Run("nothing may be written", func(t *testing.T) {
		transporttest.ReadOnlyFolder(t, watched(transporttest.ServeSFTP(t, true))(t))
	})
}

// TestPuller runs the suite of all kinds.
func TestPuller(t *testing.T) {
	server := transporttest.ServeSFTP(t, false)
	real := server.Port
	transporttest.Puller(t, Kind, func(t *testing.T) transporttest.Source {
		path := t.TempDir()
		var hang func()
		server.Port, hang = transporttest.Through(t, real)
		set := settingsOf(server, path)
		set["password"] = "tide-tables"
		raw := calltest.Must(json.Marshal(set))(t)
		return transporttest.Source{
			Settings: raw,
			Secrets:  []string{"tide-tables", strings.Fields(server.PrivateKey)[6]},
			Leave:    func(t *testing.T, body string) { transporttest.Leave(t, path, body) },
			Hang:     func(*testing.T) { hang() },
			Where:    func(t *testing.T, body string) string { return transporttest.Where(t, path, body) },
		}
	})
}

// TestDropped leaves files at OpenSSH's own server.
func TestDropped(t *testing.T) {
	server := transporttest.ServeSFTP(t, false)
	readOnly := transporttest.ServeSFTP(t, true)
	raw := func(t *testing.T, set map[string]any) json.RawMessage {
		t.Helper()
		doc := calltest.Must(json.Marshal(set))(t)
		return doc
	}
	transporttest.Dropped(t, Outlet, func(t *testing.T, path string) transporttest.Target {
		set := settingsOf(server, path)
		mortal, dies := transporttest.Mortal(t, server.Port)
		set["port"], set["password"] = mortal, "tide-tables"
		return transporttest.Target{
			Settings: raw(t, set),
			Secrets:  []string{"tide-tables", strings.Fields(server.PrivateKey)[6]},
			Dies:     dies,
			Mistakes: map[string]json.RawMessage{
				"is wrong":          raw(t, with(set, "user", "nobody-here")),
				"is not host_key":   raw(t, with(set, "host_key", readOnly.HostKey)),
				`set "host_key": "`: raw(t, with(set, "host_key", "")),
				"no folder":         raw(t, with(set, "path", path+"/none")),
				"denies it":         raw(t, settingsOf(readOnly, path)),
			},
		}
	})
}
