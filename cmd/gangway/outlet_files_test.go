package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gangway/internal/store"
	"gangway/internal/transport/transporttest"
)

// setOutlet sets an outlet up by command, from a file with its whole form.
func setOutlet(t *testing.T, v *vault, name, as, kind string, settings map[string]any) {
	t.Helper()
	settings["kind"] = kind
	doc := sure(json.Marshal(map[string]any{"name": name, "format": as, "transport": settings}))(t)
	cmd := gangwayCommand(t, v.of(nil, "outlet", "set", "--file", "-", "--allow-network", "127.0.0.0/8")...)
	cmd.Stdin = bytes.NewReader(doc)
	ran(t, cmd)
}

// newFiler returns a customer of the real program, whose bookings a test makes.
func newFiler(t *testing.T, database string) (*vault, store.Scoped) {
	t.Helper()
	v := newCustomerOf(t, database)
	_, in := v.open()
	return v, in
}

// filesIn are the names in a folder.
func filesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries := sure(os.ReadDir(folder))(t)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestOutletsOfFilesAndMails sets the real program up for each way out other than HTTP, by command: a booking is a file
// at real servers, and a mail by the operator's.
func TestOutletsOfFilesAndMails(t *testing.T) {
	sshd := transporttest.ServeSFTP(t, false)
	office := transporttest.ServeSMTP(t, true)
	home := t.TempDir()
	trusted, password := filepath.Join(home, "authority.pem"), filepath.Join(home, "password")
	for file, text := range map[string]string{trusted: office.CA, password: office.Password + "\n"} {
		must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	t.Setenv("SSL_CERT_FILE", trusted)
	t.Setenv("GANGWAY_SECRET_KEYS", "YSBrZXkgZm9yIHRlc3RzOyBpdCBpcyBubyBzZWNyZXQ=")
	onEither(t, func(t *testing.T, database string) {
		v, in := newFiler(t, database)
		on, _, _ := strings.Cut(database, ":")
		to := on + "@example.com" // the office takes the mails of both
		folders := map[string]string{}
		for _, kind := range []string{"sftp", "ftps", "ftp", "folder"} {
			folders[kind] = t.TempDir()
		}
		ftp := func(kind, tls string) map[string]any {
			s := transporttest.ServeFTP(t, folders[kind], tls, false)
			set := map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "password": s.Password}
			if tls != "" {
				maps.Copy(set, map[string]any{"tls": tls, "ca": s.CA})
			}
			return set
		}
		for kind, settings := range map[string]map[string]any{
			"sftp": {"host": "127.0.0.1", "port": sshd.Port, "user": sshd.User, "private_key": sshd.PrivateKey,
				"host_key": sshd.HostKey, "path": folders["sftp"]},
			"ftps":   ftp("ftps", "explicit"),
			"ftp":    ftp("ftp", ""),
			"folder": {"path": folders["folder"]},
			"mail":   {"to": to, "subject": "Flights"},
		} {
			setOutlet(t, v, kind, cmp.Or(map[string]string{"ftps": "csv", "ftp": "xml"}[kind], "json"), kind, settings)
		}
		serve(t, database, "--allow-network", "127.0.0.0/8", "--smtp",
			fmt.Sprintf("smtps://%s@127.0.0.1:%d", office.User, office.Port), "--smtp-password-file", password,
			"--mail-from", "gangway@gangway.example")
		bookAlone(t, in, "FILE01")
		eventually(t, "the booking has left in each way", func() bool {
			list, err := in.DeliveryStatuses(t.Context(), "FILE01")
			done := 0
			for _, d := range list {
				if d.State == "done" {
					done++
				}
			}
			return err == nil && done == 5
		})
		for kind, begins := range map[string]string{"sftp": `{"actions":[{"action":"confirmed"`, "folder": `{"actions":[`,
			"ftps": "actions.0.action,", "ftp": "<?xml"} {
			names := filesIn(t, folders[kind])
			if len(names) != 1 || !strings.HasPrefix(names[0], "FILE01-1-msg_") {
				t.Errorf("at %s there is %q; want the booking's first action", kind, names)
				continue
			}
			if doc, err := os.ReadFile(filepath.Join(folders[kind], names[0])); err != nil ||
				!strings.HasPrefix(string(doc), begins) || !strings.Contains(string(doc), "FILE01") {
				t.Errorf("at %s %s has %s, %v; want it to begin with %s", kind, names[0], doc, err, begins)
			}
		}
		mails := slices.DeleteFunc(office.Mails(), func(mail string) bool {
			return !strings.HasPrefix(mail, "gangway@gangway.example "+to+"\n")
		})
		if len(mails) != 1 || !strings.Contains(mails[0], "Message-ID: <msg_") ||
			!strings.Contains(mails[0], "FILE01-1-msg_") {
			t.Errorf("mails: %q; want one with the booking", mails)
		}
		// A command without the mail server says so of itself, and of nobody else; with it, it sends.
		tried := v.of(nil, "outlet", "test", "mail")
		refused(t, "nothing was sent: no mail server is named here (--smtp and --mail-from,", tried...)
		t.Setenv("GANGWAY_SMTP", fmt.Sprintf("smtps://%s@127.0.0.1:%d", office.User, office.Port))
		t.Setenv("GANGWAY_SMTP_PASSWORD_FILE", password)
		t.Setenv("GANGWAY_MAIL_FROM", "gangway@gangway.example")
		if got := answer[outletTrial](t, append(tried, "--allow-network", "127.0.0.0/8")...); !got.Accepted {
			t.Errorf("outlet test = %+v; want the mail accepted", got)
		}
	})
}
