package transporttest

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/need"
)

// each listens on this machine and starts a program for each connection, as inetd does:
// with the connection as its standard input and output.
func each(t testing.TB, command func() *exec.Cmd) (port int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			file, err := conn.(*net.TCPConn).File()
			conn.Close()
			if err != nil {
				continue
			}
			cmd := command()
			cmd.Stdin, cmd.Stdout = file, file
			err = cmd.Start()
			file.Close()
			if err != nil {
				t.Logf("start %s: %v", cmd.Path, err)
				continue
			}
			go cmd.Wait() // it ends with its connection
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

// write makes a file for a server's own use.
func write(t testing.TB, path, content string, mode os.FileMode) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a program to its end, which must be a good one.
func run(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v: %s", name, strings.Join(args, " "), err, out)
	}
}

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

func read(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
