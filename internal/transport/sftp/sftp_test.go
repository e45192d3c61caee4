package sftp

import (
	"encoding/json"
	"net/netip"
	"testing"

	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

var loopback = transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

// settingsOf are those for a server and a folder.
func settingsOf(s transporttest.SSHServer, path string) map[string]any {
	return map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "private_key": s.PrivateKey,
		"host_key": s.HostKey, "path": path}
}

func mustOpen(t *testing.T, with map[string]any) transport.Settler {
	t.Helper()
	raw, err := json.Marshal(with)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Kind.Open(raw, loopback)
	if err != nil {
		t.Fatal(err)
	}
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
