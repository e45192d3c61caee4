package poll_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/transporttest"
)

// TestMailOfSeveral checks a mail of two attachments, one of which cannot be read: the other
// is stored, and the mail is put away once, as done, with a report about the first.
func TestMailOfSeveral(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		server := transporttest.ServeIMAP(t) // both databases are tried side by side
		attachment := "--x\r\nContent-Disposition: attachment; filename="
		mail := "From: crewing@example.com\r\nSubject: Crew\r\nMessage-ID: <1@example.com>\r\n" +
			"Content-Type: multipart/mixed; boundary=x\r\n\r\n" +
			attachment + "crew.csv\r\n\r\n" + strings.ReplaceAll(crew("Ana"), "\n", "\r\n") +
			attachment + "bad.json\r\n\r\n[{\r\n--x--\r\n"
		must(t, os.WriteFile(filepath.Join(server.Maildir, "new", "1.1.test"), []byte(mail), 0o644))
		open, err := json.Marshal(map[string]any{"host": "127.0.0.1", "port": server.Port, "user": server.User,
			"ca": server.CA, "from": []string{"crewing@example.com"}})
		must(t, err)
		d := newDesk(t, db)
		d.set(gangway.TravellersFlow, "", func(f *gangway.Feed) {
			f.Transport = gangway.Transport{Kind: "mail", Settings: open,
				Secrets: gangway.SecretSettings(`{"password": "` + server.Password + `"}`)}
		})
		d.run(1, 1, 0, 0, 0, 0)
		d.there("Ana")
		for folder, want := range map[string]int{".INBOX.done": 2, ".INBOX.failed": 0} {
			found, err := filepath.Glob(filepath.Join(server.Maildir, folder, "[cn]*", "*"))
			if err != nil || len(found) != want {
				t.Errorf("%s has %q, %v; want %d mails", folder, found, err, want)
			}
		}
	})
}
