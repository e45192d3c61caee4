package main

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/transporttest"
)

// TestOutletCredentials gives the real program each kind of credentials, for systems that accept a push only with
// them: bookings arrive, and no secret is in the database, the log or the output of a command.
func TestOutletCredentials(t *testing.T) {
	authority := sure(transporttest.NewAuthority())(t)
	trusted := filepath.Join(t.TempDir(), "authority.pem")
	must(t, os.WriteFile(trusted, []byte(authority.Certificate), 0o600))
	t.Setenv("SSL_CERT_FILE", trusted)
	t.Setenv("GANGWAY_SECRET_KEYS", "YSBrZXkgZm9yIHRlc3RzOyBpdCBpcyBubyBzZWNyZXQ=")
	onEither(t, func(t *testing.T, database string) {
		certificate, key := authority.Issue(t, time.Now().Add(48*time.Hour), x509.ExtKeyUsageClientAuth)
		secrets := []string{
			"p4ssw0rd-of-halcyon", base64.StdEncoding.EncodeToString([]byte("crew:p4ssw0rd-of-halcyon")),
			"t0ken-of-halcyon", "v4lue-of-halcyon",
			strings.Split(key, "\n")[1],
		}
		// Each system answers with all that it was sent, as systems that are being set up often do.
		var taken atomic.Int32
		system := func(clients bool, takes func(*http.Request) bool) string {
			return authority.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !takes(r) {
					w.WriteHeader(http.StatusUnauthorized)
					fmt.Fprintln(w, r.Header)
					return
				}
				io.Copy(w, r.Body)
				taken.Add(1)
			}), clients).URL + "/api/sync_flights"
		}
		v, in := newFiler(t, database)
		var said bytes.Buffer // by the commands
		set := func(url string, auth map[string]string) {
			t.Helper()
			doc := sure(json.Marshal(auth))(t)
			cmd := gangwayCommand(t, v.of(nil, "outlet", "set", "--url", url, "--replace", "--auth-file", "-",
				"--allow-network", "127.0.0.0/8")...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(doc), &said, &said
			if err := cmd.Run(); err != nil {
				t.Fatalf("outlet set: %v\n%s", err, &said)
			}
		}
		p, _, _ := serve(t, database, "--allow-network", "127.0.0.0/8")
		for i, kind := range []struct {
			takes func(*http.Request) bool // nil: by a client certificate
			auth  map[string]string
		}{
			{func(r *http.Request) bool { _, password, _ := r.BasicAuth(); return password == "p4ssw0rd-of-halcyon" },
				map[string]string{"kind": "basic", "user": "crew", "password": "p4ssw0rd-of-halcyon"}},
			{func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer t0ken-of-halcyon" },
				map[string]string{"kind": "bearer", "token": "t0ken-of-halcyon"}},
			{func(r *http.Request) bool { return r.Header.Get("X-Api-Key") == "v4lue-of-halcyon" },
				map[string]string{"kind": "header", "name": "X-Api-Key", "value": "v4lue-of-halcyon"}},
			{nil, map[string]string{"kind": "certificate", "certificate": certificate, "key": key}},
		} {
			other := system(false, func(*http.Request) bool { return false })
			set(other, kind.auth)
			bookAlone(t, in, fmt.Sprintf("AUTH%02d", i))
			eventually(t, "a system that wants other credentials refuses it", func() bool {
				list, err := in.DeliveryStatuses(t.Context(), fmt.Sprintf("AUTH%02d", i))
				return err == nil && len(list) == 1 && list[0].Attempts > 0
			})
			for _, flags := range [][]string{nil, {"--json"}} { // its answer repeats what it was shown
				out, err := gangwayCommand(t, v.of(flags, "outlet", "list")...).Output()
				if err != nil || !strings.Contains(string(out), "401") {
					t.Errorf("outlet list = %s, %v; want why it fails", out, err)
				}
				said.Write(out)
			}
			if kind.takes == nil {
				set(system(true, func(*http.Request) bool { return true }), kind.auth)
			} else {
				set(system(false, kind.takes), kind.auth)
			}
			eventually(t, kind.auth["kind"]+" is taken", func() bool {
				return int(taken.Load()) == i+1
			})
		}
		audit, err := gangwayCommand(t, v.with(nil, "audit", "--json")...).Output()
		if err != nil || !strings.Contains(string(audit), `"auth":"bearer"`) {
			t.Errorf("the audit log: %s, %v; want the kinds", audit, err)
		}
		if said := said.String(); !strings.Contains(said, "authentication  header") ||
			!strings.Contains(said, "the client certificate expires on") {
			t.Errorf("the commands said %s; want the kind, and a certificate's end", said)
		}
		everything := dump(t, database)
		p.stop()
		everything = bytes.Join([][]byte{everything, dump(t, database), said.Bytes(), audit, []byte(p.said.String())},
			nil)
		for _, secret := range secrets {
			if bytes.Contains(everything, []byte(secret)) {
				t.Errorf("%q is in it", secret)
			}
		}
	})
}

// bookAlone makes a booking without a search, so that there is something to push.
func bookAlone(t *testing.T, in store.Scoped, id string) {
	t.Helper()
	now := time.Now()
	b := gangway.Booking{ID: id, Locator: id, CreatedAt: now, CreatedBy: "ana@example.com"}
	b.Price = gangway.Price{Total: gangway.Money{Minor: 48200, Currency: "USD"}}
	storetest.Book(t, in, b)
}
