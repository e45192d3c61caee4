package transporttest

import (
	"crypto/x509"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/need"
)

// An FTPServer is vsftpd, for the user that runs the tests.
type FTPServer struct {
	Port           int
	User, Password string
	CA             string // the authority of its certificate; empty without TLS
}

// ServeFTP starts vsftpd over a folder: with TLS "explicit", "implicit" or "" for none, and
// read-only if told so. It lets anybody in, over data connections that resume a session.
func ServeFTP(t testing.TB, folder, tls string, readOnly bool) FTPServer {
	t.Helper()
	return serveFTP(t, folder, tls, readOnly, time.Now().Add(time.Hour))
}

// ServeExpiredFTP is ServeFTP with a certificate that has expired.
func ServeExpiredFTP(t testing.TB, folder, tls string) FTPServer {
	t.Helper()
	return serveFTP(t, folder, tls, false, time.Now().Add(-time.Minute))
}

func serveFTP(t testing.TB, folder, tls string, readOnly bool, until time.Time) FTPServer {
	t.Helper()
	program := need.FTPServer(t)
	home := t.TempDir()
	yes := map[bool]string{true: "YES", false: "NO"}
	lines := []string{
		"run_as_launching_user=YES", "listen=NO", "background=NO", "one_process_model=" + yes[tls == ""],
		"anonymous_enable=YES", "anon_root=" + folder, "allow_writeable_chroot=YES", "local_enable=NO",
		"write_enable=" + yes[!readOnly], "anon_upload_enable=YES", "anon_mkdir_write_enable=YES",
		"anon_other_write_enable=YES", "anon_world_readable_only=NO", "anon_umask=022", "seccomp_sandbox=NO",
		"pasv_enable=YES", "xferlog_enable=NO", "chown_uploads=NO", "file_open_mode=0644",
		"ftp_username=" + userName(t),
	}
	s := FTPServer{User: "anonymous", Password: "tide-tables"}
	if tls != "" {
		authority := calltest.Must(NewAuthority())(t)
		s.CA = authority.Certificate
		certificate, key := authority.Issue(t, until, x509.ExtKeyUsageServerAuth)
		lines = append(lines, "ssl_enable=YES", "allow_anon_ssl=YES", "force_anon_logins_ssl=YES",
			"force_anon_data_ssl=YES", "require_ssl_reuse=YES", "ssl_tlsv1=YES", "ssl_ciphers=HIGH",
			"implicit_ssl="+yes[tls == "implicit"],
			"rsa_cert_file="+write(t, filepath.Join(home, "certificate"), certificate, 0o600),
			"rsa_private_key_file="+write(t, filepath.Join(home, "key"), key, 0o600))
	}
	config := write(t, filepath.Join(home, "config"), strings.Join(lines, "\n")+"\n", 0o600)
	s.Port = each(t, func() *exec.Cmd { return exec.Command(program, config) })
	return s
}
