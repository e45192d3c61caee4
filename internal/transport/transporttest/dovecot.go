package transporttest

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/need"
)

// An IMAPServer is dovecot with one user and an empty INBOX.
type IMAPServer struct {
	Port           int // with TLS from the first byte
	StartTLSPort   int
	User, Password string
	CA             string
	Maildir        string // where its mails lie
}

// ServeIMAP starts dovecot. It does not tell its clients of some capabilities: "MOVE".
func ServeIMAP(t testing.TB, without ...string) IMAPServer {
	t.Helper()
	program := need.IMAPServer(t)
	home := calltest.Must(os.MkdirTemp("", "imap"))(t) // its sockets' paths must be short
	t.Cleanup(func() { os.RemoveAll(home) })
	authority := calltest.Must(NewAuthority())(t)
	certificate, key := authority.Issue(t, time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth)
	s := IMAPServer{Port: freePort(t), StartTLSPort: freePort(t), User: "crew@example.com", Password: "tide-tables",
		CA: authority.Certificate, Maildir: filepath.Join(home, "mails")}
	for _, folder := range []string{home, s.Maildir, s.Maildir + "/cur", s.Maildir + "/new", s.Maildir + "/tmp"} {
		calltest.Done(t, errors.Join(os.MkdirAll(folder, 0o777), os.Chmod(folder, 0o777)))
	}
	capability := ""
	if len(without) > 0 {
		capability = "imap_capability = IMAP4rev1 LITERAL+ UIDPLUS NAMESPACE"
		for _, c := range without {
			capability = strings.ReplaceAll(capability, " "+c, "")
		}
	}
	// Dovecot serves nobody as root, and hides behind a user of its own then.
	us, ours := userName(t), groupName(t)
	people := []string{us, us, ours, us, ours}
	if os.Getuid() == 0 {
		people = []string{"dovenull", "dovecot", "dovecot", "nobody", "nogroup"}
	}
	log := filepath.Join(home, "log")
	config := write(t, filepath.Join(home, "config"), strings.NewReplacer(
		"HOME", home, "LOGIN-USER", people[0], "OWN-USER", people[1], "OWN-GROUP", people[2],
		"MAIL-USER", people[3], "MAIL-GROUP", people[4], "MAILDIR", s.Maildir, "CAPABILITY", capability,
		"PASSWORD", s.Password, "PORT-PLAIN", strconv.Itoa(s.StartTLSPort), "PORT-TLS", strconv.Itoa(s.Port),
		"CERTIFICATE", write(t, filepath.Join(home, "certificate"), certificate, 0o644),
		"KEY", write(t, filepath.Join(home, "key"), key, 0o644)).Replace(dovecot), 0o644)
	cmd := exec.Command(program, "-F", "-c", config)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	calltest.Done(t, cmd.Start())
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // with its workers: told to end, it waits a second
		cmd.Wait()
		if said, err := os.ReadFile(log); t.Failed() && err == nil {
			t.Logf("dovecot says: %s", said)
		}
	})
	listening(t, net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)), log)
	s.lettingIn(t)
	return s
}

// lettingIn waits until its user is let in: on a busy machine it listens long before.
func (s IMAPServer) lettingIn(t testing.TB) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		conn, err := tls.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)),
			&tls.Config{InsecureSkipVerify: true}) // it is ours
		if err == nil {
			conn.SetDeadline(deadline)
			fmt.Fprintf(conn, "a LOGIN %s %s\r\nb LOGOUT\r\n", s.User, s.Password)
			var said []byte
			said, err = io.ReadAll(conn)
			conn.Close()
			if strings.Contains(string(said), "\na OK") {
				return
			}
			err = errors.Join(err, fmt.Errorf("it says %q", said))
		}
		if time.Now().After(deadline) {
			t.Fatalf("dovecot lets nobody in: %v", err)
		}
	}
}

// Leave delivers a mail, with lines that end in "\n", to a mailbox: "INBOX", or one beside it, which it makes.
func (s IMAPServer) Leave(t testing.TB, mailbox, mail string) {
	t.Helper()
	folder := s.folder(mailbox)
	for _, f := range []string{folder, folder + "/cur", folder + "/new", folder + "/tmp"} {
		calltest.Done(t, errors.Join(os.MkdirAll(f, 0o777), os.Chmod(f, 0o777)))
	}
	name := fmt.Sprintf("%d.%d.test", time.Now().Unix(), leftMails.Add(1))
	whole := write(t, filepath.Join(folder, "tmp", name), strings.ReplaceAll(mail, "\n", "\r\n"), 0o644)
	calltest.Done(t, os.Rename(whole, filepath.Join(folder, "new", name)))
}

var leftMails atomic.Int64

// Mails are the contents of a mailbox: "INBOX.done" is one in the INBOX.
func (s IMAPServer) Mails(t testing.TB, mailbox string) (list []string) {
	t.Helper()
	found := calltest.Must(filepath.Glob(filepath.Join(s.folder(mailbox), "[cn]*", "*")))(t)
	for _, path := range found {
		if _, flags, _ := strings.Cut(filepath.Base(path), ":2,"); !strings.Contains(flags, "T") { // else it is deleted
			list = append(list, read(t, path))
		}
	}
	return list
}

func (s IMAPServer) folder(mailbox string) string {
	if mailbox == "INBOX" {
		return s.Maildir
	}
	return filepath.Join(s.Maildir, "."+mailbox)
}

const dovecot = `
base_dir = HOME/run
state_dir = HOME/run
log_path = HOME/log
protocols = imap
listen = 127.0.0.1
default_login_user = LOGIN-USER
default_internal_user = OWN-USER
default_internal_group = OWN-GROUP
first_valid_uid = 0
ssl = required
ssl_cert = <CERTIFICATE
ssl_key = <KEY
ssl_dh =
mail_location = maildir:MAILDIR
CAPABILITY
passdb {
  driver = static
  args = password=PASSWORD
}
userdb {
  driver = static
  args = uid=MAIL-USER gid=MAIL-GROUP home=HOME
}
service imap-login {
  chroot =
  inet_listener imap {
    port = PORT-PLAIN
  }
  inet_listener imaps {
    port = PORT-TLS
    ssl = yes
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
auth_failure_delay = 0 secs
service stats {
  chroot =
}
`

// freePort returns a port that nobody listens on just now.
func freePort(t testing.TB) int {
	t.Helper()
	listener := calltest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// listening waits until a server accepts connections.
func listening(t testing.TB, address, log string) {
	t.Helper()
	err := errors.New("not tried")
	for deadline := time.Now().Add(5 * time.Minute); err != nil && time.Now().Before(deadline); {
		var conn net.Conn
		if conn, err = net.Dial("tcp", address); err == nil {
			conn.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	said, _ := os.ReadFile(log)
	t.Fatal(fmt.Errorf("%w: %s", err, said))
}
