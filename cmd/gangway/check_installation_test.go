package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"gangway/internal/transport/transporttest"

	"github.com/go-json-experiment/json"
)

// TestCheckInstallation examines an installation whose server runs: its addresses are told from those of others, and
// the mail server is signed in to without a mail.
func TestCheckInstallation(t *testing.T) {
	office := transporttest.ServeSMTP(t, true)
	folder := t.TempDir()
	roots, password := filepath.Join(folder, "roots.pem"), filepath.Join(folder, "password")
	must(t, os.WriteFile(roots, []byte(office.CA), 0o600))
	must(t, os.WriteFile(password, []byte(office.Password), 0o600))
	stranger := httptest.NewServer(http.NotFoundHandler())
	defer stranger.Close()
	onEither(t, func(t *testing.T, database string) {
		_, app, _ := serve(t, database)
		verdicts := func(listen string, flags ...string) (map[string]string, error) {
			cmd := gangwayCommand(t, append([]string{"check", "--installation", "--json", "--database", database,
				"--listen", listen, "--mail-from", "gangway@halcyon.example", "--smtp-password-file", password,
				"--smtp", fmt.Sprintf("smtps://%s@127.0.0.1:%d", office.User, office.Port)}, flags...)...)
			cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+roots)
			var complaint bytes.Buffer
			cmd.Stderr = &complaint
			out, failed := cmd.Output()
			var e examination
			if err := json.Unmarshal(out, &e); err != nil {
				t.Fatalf("%v: %s%s", err, out, &complaint)
			}
			got := map[string]string{}
			for _, one := range e.Checks {
				t.Logf("%-10s %-17s %s", one.Verdict, one.ID, one.Message)
				got[one.ID] = string(one.Verdict)
			}
			return got, failed
		}
		listen := app[len("http://"):]
		got, failed := verdicts(listen)
		for _, id := range []string{"database", "schema", "clock", "temporary-folder", "listen", "app-url", "base-url",
			"reporting-url", "mail"} {
			if got[id] != "fine" {
				t.Errorf("%s is %s", id, got[id])
			}
		}
		if failed != nil {
			t.Errorf("nothing is wrong, and it fails: %v", failed)
		}
		must(t, os.WriteFile(password, []byte("spring-tables"), 0o600))
		got, failed = verdicts(listen, "--app-url", stranger.URL, "--base-url", "http://"+freePort(t))
		for _, id := range []string{"app-url", "base-url", "mail"} {
			if got[id] != "wrong" {
				t.Errorf("%s is %s", id, got[id])
			}
		}
		if failed == nil || got["reporting-url"] != "wrong" { // it is below --app-url
			t.Errorf("reporting-url is %s; failed: %v", got["reporting-url"], failed)
		}
		if got, _ := verdicts(stranger.URL[len("http://"):]); got["listen"] != "wrong" {
			t.Errorf("where another program listens it is %s", got["listen"])
		}
	})
}
