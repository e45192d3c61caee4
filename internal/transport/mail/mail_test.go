package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

func mustOpen(t *testing.T, with map[string]any) transport.Answerer {
	t.Helper()
	raw := calltest.Must(json.Marshal(with))(t)
	p := calltest.Must(Kind.Open(raw, transport.Options{Allow: transporttest.Loopback}))(t)
	return p.(transport.Answerer)
}

// settingsOf are those for a server, for mails from example.com.
func settingsOf(s transporttest.IMAPServer, more map[string]any) map[string]any {
	set := map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "password": s.Password, "ca": s.CA,
		"from": []string{"crewing@example.com", "@agency.example"}}
	maps.Copy(set, more)
	return set
}

// deliver puts a mail into a maildir, as it arrived so long ago.
func deliver(t *testing.T, maildir, content string, ago time.Duration) {
	t.Helper()
	at := time.Now().Add(-ago).Truncate(time.Second)
	path := filepath.Join(maildir, "new", fmt.Sprintf("%d.%d.test", at.Unix(), delivered.Add(1)))
	calltest.Done(t, os.WriteFile(path, []byte(strings.ReplaceAll(content, "\n", "\r\n")), 0o644))
	calltest.Done(t, os.Chtimes(path, at, at))
}

// mails are the contents of a folder of a maildir.
func mails(t *testing.T, maildir, folder string) (list []string) {
	t.Helper()
	for _, sub := range []string{"cur", "new"} {
		entries, err := os.ReadDir(filepath.Join(maildir, folder, sub))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, e := range entries {
			if _, flags, _ := strings.Cut(e.Name(), ":2,"); strings.Contains(flags, "T") {
				continue // only waits to be removed
			}
			raw := calltest.Must(os.ReadFile(filepath.Join(maildir, folder, sub, e.Name())))(t)
			list = append(list, string(raw))
		}
	}
	return list
}

// simple is a mail with a text alone.
func simple(from, text string) string {
	return "From: " + from + "\nSubject: Crew\nMessage-ID: <" + strconv.Itoa(len(text)) + "@example.com>\n" +
		"Content-Type: text/plain; charset=utf-8\n\n" + text
}

const attached = `From: Crewing <crewing@example.com>
To: crew@example.com
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
Message-ID: <two@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: multipart/alternative; boundary=y

--y
Content-Type: text/plain

See below.
--y
Content-Type: text/html

<p>See below.</p>
--y--
--x
Content-Type: image/png; name="logo.png"
Content-Disposition: inline
Content-Transfer-Encoding: base64

AAAA
--x
Content-Type: text/csv; charset=windows-1252
Content-Disposition: attachment; filename*=utf-8''Cr%C3%A8w.csv
Content-Transfer-Encoding: quoted-printable

last_name;S=F8rensen
--x
Content-Type: application/octet-stream; name="..\..\two.xlsx"
Content-Transfer-Encoding: base64

aGVs
 bG8=
--x--
`

// TestDovecot reads from dovecot: in both ways to begin TLS, and also where it cannot move.
func TestDovecot(t *testing.T) {
	for name, without := range map[string][]string{"": nil, "without MOVE": {"MOVE"},
		"without UIDPLUS": {"MOVE", "UIDPLUS"}} {
		t.Run(name, func(t *testing.T) {
			server := transporttest.ServeIMAP(t, without...)
			inbox := filepath.Join(server.Maildir)
			deliver(t, inbox, simple("stranger@example.com", "strange"), 3*time.Hour)
			deliver(t, inbox, attached, time.Hour)
			deliver(t, inbox, simple("Agency <X@Agency.example>", "a text\n"), 2*time.Hour)
			deliver(t, inbox, simple("crewing@example.com", "bad"), time.Minute)
			set := settingsOf(server, map[string]any{"port": server.StartTLSPort, "tls": "starttls"})
			var got []string
			outcomes := map[string]transport.Outcome{}
			for a, err := range mustOpen(t, set).Pull(t.Context(), transport.Query{}) {
				calltest.Done(t, err)
				text := fmt.Sprintf("%s|%s|%s|%v", a.From, a.Name, a.ContentType, a.Wrong)
				if a.Wrong == nil {
					body := make([]byte, 100)
					n, _ := a.Body.Read(body)
					text += "|" + string(body[:n])
				}
				got = append(got, text)
				outcomes[a.Key] = transport.Outcome{Failed: a.Wrong != nil || strings.Contains(text, "|bad"),
					Report: map[bool][]byte{true: []byte("line 1: Männer")}[strings.Contains(text, "|bad")]}
			}
			want := "stranger@example.com|||mails from stranger@example.com are not read: the feed does not name " +
				"this sender\nX@Agency.example||text/plain; charset=utf-8|<nil>|a text\r\n" +
				"\ncrewing@example.com|Crèw.csv|text/csv; charset=windows-1252|<nil>|last_name;S\xf8rensen" +
				"\ncrewing@example.com|two.xlsx|application/octet-stream; name=\"..\\\\..\\\\two.xlsx\"|<nil>|hello" +
				"\ncrewing@example.com||text/plain; charset=utf-8|<nil>|bad"
			if strings.Join(got, "\n") != want {
				t.Errorf("brought\n%s\nwant\n%s", strings.Join(got, "\n"), want)
			}
			if len(outcomes) != 4 {
				t.Errorf("%d keys; want one for each mail", len(outcomes))
			}
			for range 2 {
				s := mustOpen(t, settingsOf(server, nil))
				for key, as := range outcomes {
					if err := s.Settle(t.Context(), key, as); err != nil {
						t.Fatalf("Settle = %v", err)
					}
				}
			}
			if left := mails(t, inbox, ""); len(left) != 0 {
				t.Errorf("left in the mailbox: %q", left)
			}
			if done := mails(t, inbox, ".INBOX.done"); len(done) != 2 {
				t.Errorf("done has %d mails; want 2", len(done))
			}
			failed := strings.Join(mails(t, inbox, ".INBOX.failed"), "\n----\n")
			if strings.Count(failed, "----") != 2 || strings.Count(failed, "Subject: Report: Crew") != 1 {
				t.Errorf("failed has\n%s\nwant two mails and one report", failed)
			}
			if left := transporttest.Bring(t, mustOpen(t, settingsOf(server, nil))); len(left) != 0 {
				t.Errorf("brought again: %v", left)
			}
		})
	}
}

// TestPuller runs the suite of all kinds.
func TestPuller(t *testing.T) {
	transporttest.Puller(t, Kind, func(t *testing.T) transporttest.Source {
		server := transporttest.ServeIMAP(t)
		var hang func()
		server.Port, hang = transporttest.Through(t, server.Port)
		raw, err := json.Marshal(settingsOf(server, map[string]any{"answer": true, "smtp": map[string]any{
			"host": "127.0.0.1", "user": "crew", "password": "ebb-tables", "from": "crew@example.com"}}))
		calltest.Done(t, err)
		return transporttest.Source{
			Settings: raw,
			Secrets:  []string{server.Password, "ebb-tables"},
			Leave: func(t *testing.T, body string) {
				deliver(t, server.Maildir, simple("crewing@example.com", body), time.Hour)
			},
			Hang: func(*testing.T) { hang() },
			Where: func(t *testing.T, body string) string {
				for _, folder := range []string{"done", "failed"} {
					for _, m := range mails(t, server.Maildir, ".INBOX."+folder) {
						if strings.HasSuffix(m, body) {
							return folder
						}
					}
				}
				return ""
			},
		}
	})
}

// delivered counts mails, whose files have names of their own.
var delivered atomic.Int64

// TestKnownMailIsNotFetched checks that a mail that was read, and could not be put away, is left where it is: a
// connection that breaks before a whole mail has come over it is long enough.
func TestKnownMailIsNotFetched(t *testing.T) {
	server := transporttest.ServeIMAP(t)
	deliver(t, server.Maildir, simple("crewing@example.com", strings.Repeat("x\n", 1<<20)), time.Hour)
	server.Port = transporttest.Breaking(t, server.Port, 1<<20)
	whole := transport.Query{Most: 8 << 20}
	known := whole
	known.Known = func(context.Context, string) (bool, error) { return true, nil }
	got, err := transporttest.Pull(t.Context(), mustOpen(t, settingsOf(server, nil)), known)
	if err != nil || len(got) > 0 {
		t.Errorf("Pull = %v, %v; want nothing fetched", got, err)
	}
	if _, err = transporttest.Pull(t.Context(), mustOpen(t, settingsOf(server, nil)), whole); err == nil {
		t.Error("a mail came over a connection that breaks before its end")
	}
}
