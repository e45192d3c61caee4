package transporttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/need"
)

// An SSHServer is OpenSSH's, with nothing but SFTP, for the user that runs the tests.
type SSHServer struct {
	Port       int
	User       string
	PrivateKey string
	HostKey    string // its first key, as in known_hosts
	RSAHostKey string // another
}

// ServeSFTP starts OpenSSH's server; read-only if told so. Its files are this machine's.
func ServeSFTP(t testing.TB, readOnly bool) SSHServer {
	t.Helper()
	program := need.SFTPServer(t)
	home := t.TempDir()
	for _, key := range []string{"ed25519", "rsa"} {
		run(t, "ssh-keygen", "-q", "-t", key, "-N", "", "-f", filepath.Join(home, key))
	}
	run(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(home, "user"))
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
	s := SSHServer{User: userName(t), PrivateKey: read(t, filepath.Join(home, "user"))}
	s.HostKey = strings.Join(strings.Fields(read(t, filepath.Join(home, "ed25519.pub")))[:2], " ")
	s.RSAHostKey = strings.Join(strings.Fields(read(t, filepath.Join(home, "rsa.pub")))[:2], " ")
	s.Port = each(t, func() *exec.Cmd { return exec.Command(program, "-i", "-f", config) })
	return s
}
