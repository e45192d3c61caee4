package transporttest

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/need"

	"golang.org/x/crypto/ssh"
)

// An SSHServer is OpenSSH's, with nothing but SFTP, for the user that runs the tests.
type SSHServer struct {
	Port       int
	User       string
	PrivateKey string
	HostKey    string // its first key, as in known_hosts
	RSAHostKey string // another
}

// slowKey is a key of a kind that takes long to make: all servers of a test's program have it.
var slowKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// ServeSFTP starts OpenSSH's server; read-only if told so. Its files are this machine's.
func ServeSFTP(t testing.TB, readOnly bool) SSHServer {
	t.Helper()
	program := need.SFTPServer(t)
	home := t.TempDir()
	slow := calltest.Must(slowKey())(t)
	public := map[string]string{} // as in known_hosts
	for _, name := range []string{"ed25519", "user", "rsa"} {
		key := crypto.Signer(slow)
		if name != "rsa" {
			_, made, err := ed25519.GenerateKey(rand.Reader)
			calltest.Done(t, err)
			key = made
		}
		private := calltest.Must(ssh.MarshalPrivateKey(key, ""))(t)
		shown := calltest.Must(ssh.NewPublicKey(key.Public()))(t)
		write(t, filepath.Join(home, name), string(pem.EncodeToMemory(private)), 0o600)
		public[name] = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(shown)))
	}
	write(t, filepath.Join(home, "user.pub"), public["user"]+"\n", 0o600)
	if os.Getuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil { // where it hides before somebody signs in
			t.Fatal(err)
		}
	}
	subsystem := "internal-sftp"
	if readOnly {
		subsystem += " -R"
	}
	config := write(t, filepath.Join(home, "config"), strings.Join([]string{
		"HostKey " + filepath.Join(home, "ed25519"), "HostKey " + filepath.Join(home, "rsa"),
		"AuthorizedKeysFile " + filepath.Join(home, "user.pub"), "StrictModes no", "UsePAM yes",
		"PasswordAuthentication no", "PidFile none", "Subsystem sftp " + subsystem, "ForceCommand " + subsystem,
		"PermitRootLogin yes", "",
	}, "\n"), 0o600)
	s := SSHServer{User: userName(t), PrivateKey: read(t, filepath.Join(home, "user")), HostKey: public["ed25519"],
		RSAHostKey: public["rsa"]}
	s.Port = each(t, func() *exec.Cmd { return exec.Command(program, "-i", "-f", config) })
	return s
}
