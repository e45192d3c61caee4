package sftp

import (
	"encoding/json"
	"io"
	"maps"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// files serves this machine's files from a folder.
func files(path string) func(io.ReadWriteCloser) {
	return func(c io.ReadWriteCloser) {
		if s, err := sftp.NewServer(c, sftp.WithServerWorkingDirectory(path)); err == nil {
			s.Serve()
		}
	}
}

// pullError is the error with which a pull ends.
func pullError(t *testing.T, p transport.Puller) error {
	t.Helper()
	_, err := transporttest.Pull(t.Context(), p, transport.Query{Most: 1 << 20})
	return err
}

// with returns settings with one changed.
func with(settings map[string]any, name string, value any) map[string]any {
	settings = maps.Clone(settings)
	settings[name] = value
	return settings
}

// TestSignIn signs in with all that servers ask for.
func TestSignIn(t *testing.T) {
	private, signer := newKey(t)
	_, stranger := newKey(t)
	for _, tt := range []struct {
		name  string
		model model
		set   map[string]any
		err   string // empty: the folder is read
	}{
		{"password", model{password: "tide-tables"}, nil, ""},
		{"password in a dialogue", model{password: "tide-tables", asks: true}, nil, ""},
		{"wrong password", model{password: "tide-tables"}, map[string]any{"password": "ebb-tables"},
			`does not let the user "crew" in`},
		{"wrong password in a dialogue", model{password: "tide-tables", asks: true},
			map[string]any{"password": "ebb-tables"}, "does not let the user"},
		{"key", model{accepts: signer.PublicKey()}, map[string]any{"private_key": encodeKey(t, private, "")}, ""},
		{"key with passphrase", model{accepts: signer.PublicKey()},
			map[string]any{"private_key": encodeKey(t, private, "neap"), "passphrase": "neap"}, ""},
		{"another key", model{accepts: stranger.PublicKey()}, map[string]any{"private_key": encodeKey(t, private, "")},
			"does not let the user"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.model.sftp = files(t.TempDir())
			settings := tt.model.settings(tt.model.serve(t))
			maps.Copy(settings, tt.set)
			err := pullError(t, mustOpen(t, settings))
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Fatalf("Pull = %v; want %q", err, tt.err)
			}
			for _, secret := range []string{"tables", "neap", "PRIVATE"} {
				if err != nil && strings.Contains(err.Error(), secret) {
					t.Errorf("Pull = %v; want an error without secrets", err)
				}
			}
		})
	}
}

// TestNoSFTP checks the sentence for a server with sign-in and without files.
func TestNoSFTP(t *testing.T) {
	m := model{password: "tide-tables"}
	if err := pullError(t, mustOpen(t, m.settings(m.serve(t)))); err == nil || err.Error() != errNoSFTP.Error() {
		t.Errorf("Pull = %v; want %v", err, errNoSFTP)
	}
}

// TestHostKey checks that nothing is sent to a server before its key is known, in every
// way in which it can be written.
func TestHostKey(t *testing.T) {
	server := transporttest.ServeSFTP(t, false)
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(server.HostKey))
	calltest.Done(t, err)
	rsa, _, _, _, err := ssh.ParseAuthorizedKey([]byte(server.RSAHostKey))
	calltest.Done(t, err)
	_, other := newKey(t)
	others := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(other.PublicKey())))
	met := ssh.FingerprintSHA256(key)
	for _, tt := range []struct{ name, hostKey, err string }{
		{"a line of known_hosts", "[127.0.0.1]:22 " + server.HostKey + " comment", ""},
		{"a public key", server.HostKey, ""},
		{"a public key of another type than the first", server.RSAHostKey, ""},
		{"a fingerprint", met, ""},
		{"as ssh-keygen -l prints it", "256 " + met + " root@host (ED25519)", ""},
		{"a fingerprint of another type than the first", ssh.FingerprintSHA256(rsa), ""},
		{"one of several", "# old\n" + others + "\n\n" + met + "\n", ""},
		{"none", "", `host_key is missing, so nobody knows whether this is the customer's server: it showed the key ` +
			`ssh-ed25519 ` + met},
		{"another key", others, "showed the key ssh-ed25519 " + met + ", which is not host_key"},
		{"another fingerprint", ssh.FingerprintSHA256(other.PublicKey()), "which is not host_key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := pullError(t, mustOpen(t, with(settingsOf(server, t.TempDir()), "host_key", tt.hostKey)))
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("Pull = %v; want %q", err, tt.err)
			}
		})
	}
}

// TestSettings checks the sentences about settings that cannot be.
func TestSettings(t *testing.T) {
	private, _ := newKey(t)
	good := map[string]any{"host": "sftp.example.com", "user": "crew", "password": "tide-tables"}
	for _, tt := range []struct {
		name  string
		value any
		err   string
	}{
		{"host", nil, "host is missing"},
		{"host", "localhost", "host: the address lies in a network"},
		{"user", nil, "user is missing"},
		{"port", 65536, "port must be from 1 to 65535"},
		{"password", nil, "password or private_key is required"},
		{"passphrase", "neap", "passphrase is that of private_key"},
		{"private_key", "tide-tables", "private_key must be a private key"},
		{"private_key", encodeKey(t, private, "neap"), "passphrase is required"},
		{"host_key", "tide-tables", "host_key must be"},
		{"host_key", "SHA256:AAAA", "host_key must be"},
		{"pattern", "[", "pattern must be"},
		{"pattern", "*/x.csv", "pattern must be"},
		{"colour", "red", "colour is none of the settings"},
	} {
		raw, _ := json.Marshal(with(good, tt.name, tt.value))
		_, err := Kind.Open(raw, transport.Options{})
		if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "tide-tables") {
			t.Errorf("Open with %s %.20v = %v; want %q", tt.name, tt.value, err, tt.err)
		}
	}
	if _, err := Kind.Open([]byte(Kind.Example), transport.Options{}); err != nil {
		t.Errorf("Open with the example = %v", err)
	}
}

// TestPrivateNetwork checks that no server in the operator's own networks is connected to.
func TestPrivateNetwork(t *testing.T) {
	m := model{password: "tide-tables", sftp: files(t.TempDir())}
	raw, _ := json.Marshal(m.settings(m.serve(t)))
	p := calltest.Must(Kind.Open(raw, transport.Options{}))(t)
	if err := pullError(t, p); err == nil || !strings.Contains(err.Error(), "--allow-network") {
		t.Errorf("Pull = %v; want it refused", err)
	}
}
