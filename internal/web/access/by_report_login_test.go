package access_test

import (
	"database/sql"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// TestReportLogins holds who reads which account's report, and how often somebody else may try.
func TestReportLogins(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		now := storetest.Began
		logins := access.NewReportLogins(db, func() time.Time { return now })
		passwords := map[string]string{}
		for name, a := range map[string]gangway.Account{"report_prod": prod, "report_dev": dev, "report_old": prod} {
			passwords[name] = access.NewPassword()
			err := db.In(a.Scope()).CreateCredential(t.Context(), storetest.Operator,
				store.Credential{Kind: store.ReportLogin, ID: name, CreatedAt: now}, access.HashKey(passwords[name]))
			calltest.Done(t, err)
		}
		try := func(from, name, password string) (gangway.Scope, error) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = from + ":4711"
			r.SetBasicAuth(name, password)
			return logins.Scope(r)
		}
		want := func(t *testing.T, from, name, password string, status int, account gangway.Account) {
			t.Helper()
			got, err := try(from, name, password)
			if status == 200 && (err != nil || got.Account != account.ID) ||
				status != 200 && web.Status(err) != status {
				t.Fatalf("%s from %s: %+v, %v; want %d for %s", name, from, got, err, status, account.ID)
			}
		}
		const office, other = "192.0.2.1", "198.51.100.7"
		want(t, office, "report_prod", passwords["report_prod"], 200, prod)
		want(t, office, "report_dev", passwords["report_dev"], 200, dev)

		t.Run("what is no login is refused, whatever it is", func(t *testing.T) {
			for _, header := range []string{"", "Basic", "Basic ", "Basic !!!", "Basic cmVwb3J0", "Bearer x",
				"Basic AHgAOgA=", "Basic /////w==", "Basic " + strings.Repeat("A", 4000)} {
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				r.RemoteAddr = "203.0.113.9:1"
				if header != "" {
					r.Header.Set("Authorization", header)
				}
				_, err := logins.Scope(r)
				w := httptest.NewRecorder()
				web.Problem(w, r, err)
				if w.Code != 401 || !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), `Basic realm="`) {
					t.Errorf("%.30q: %d, %q; want 401 with Basic", header, w.Code, w.Header().Get("WWW-Authenticate"))
				}
			}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header["Authorization"] = []string{"Basic YTpi", "Basic Yzpk"}
			if _, err := logins.Scope(r); web.Status(err) != 400 {
				t.Errorf("two headers: %v; want 400", err)
			}
		})

		t.Run("a password of another login opens nothing", func(t *testing.T) {
			want(t, other, "report_prod", passwords["report_dev"], 401, prod)
			want(t, other, "report_prod", "", 401, prod)
		})

		t.Run("guessing locks the guesser out, and nobody where the login was used before", func(t *testing.T) {
			const guesser = "198.51.100.99"
			for range 5 {
				want(t, guesser, "report_prod", "guess", 401, prod)
			}
			now = now.Add(6 * time.Second) // nothing is believed any more
			want(t, guesser, "report_prod", passwords["report_prod"], 429, prod)
			for i := range 40 { // everybody behind this address has used up their tries
				_, _ = try(office, "report_"+strings.Repeat("x", i), "old")
			}
			want(t, office, "report_prod", passwords["report_prod"], 200, prod)
			now = now.Add(3 * time.Minute)
			want(t, guesser, "report_prod", passwords["report_prod"], 200, prod)
		})

		t.Run("a neighbour's wrong passwords are limited, and the right one is accepted", func(t *testing.T) {
			now = now.Add(29 * 24 * time.Hour)
			logins = access.NewReportLogins(db, func() time.Time { return now }) // another replica, or after a restart
			old := func(login string) {
				t.Helper()
				for range 5 {
					want(t, office, login, "old", 401, prod)
				}
				want(t, office, login, "old", 429, prod)
			}
			old("report_prod")
			want(t, office, "report_prod", passwords["report_prod"], 200, prod)
			want(t, office, "report_prod", "old", 429, prod)
			now = now.Add(2 * 24 * time.Hour)
			old("report_dev") // which was right here 31 days ago
			want(t, office, "report_dev", passwords["report_dev"], 429, dev)
		})

		t.Run("many at once with the right password are no tries", func(t *testing.T) {
			now = now.Add(time.Hour)
			var all sync.WaitGroup
			for range 40 {
				all.Go(func() {
					if _, err := try("203.0.113.50", "report_dev", passwords["report_dev"]); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		})

		t.Run("a revoked login ends within five seconds, and its use is noted", func(t *testing.T) {
			want(t, office, "report_old", passwords["report_old"], 200, prod)
			in := db.In(prod.Scope())
			list := calltest.Must(in.Credentials(t.Context(), store.ReportLogin))(t)
			for _, l := range list {
				if l.ID == "report_old" && !l.UsedAt.Equal(now.Truncate(time.Millisecond)) {
					t.Errorf("it was used at %v; want %v", l.UsedAt, now)
				}
			}
			if err := in.RevokeCredential(t.Context(), storetest.Operator, store.ReportLogin, "report_old",
				now); err != nil {
				t.Fatal(err)
			}
			now = now.Add(5 * time.Second)
			want(t, office, "report_old", passwords["report_old"], 401, prod)
		})
	})
}

// TestReadersWaitForNoWriter holds that a login reads the report although its use cannot be noted, since somebody
// else writes to the file.
func TestReadersWaitForNoWriter(t *testing.T) {
	url := storetest.SQLiteURL(t)
	db := calltest.Must(store.OpenWith(t.Context(), url, store.Options{Serve: true}))(t)
	defer db.Close()
	password, account := access.NewPassword(), storetest.Account(t, db)
	err := db.In(account.Scope()).CreateCredential(t.Context(), storetest.Operator, store.Credential{
		Kind: store.ReportLogin, ID: "report_prod", CreatedAt: storetest.Began}, access.HashKey(password))
	calltest.Done(t, err)
	other := calltest.Must(sql.Open("sqlite", "file:"+strings.TrimPrefix(url, "sqlite:")))(t)
	defer other.Close()
	conn := calltest.Must(other.Conn(t.Context()))(t)
	defer conn.Close()
	calltest.Must(conn.ExecContext(t.Context(), `BEGIN IMMEDIATE`))(t)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.SetBasicAuth("report_prod", password)
	got, err := access.NewReportLogins(db, func() time.Time { return storetest.Began }).Scope(r)
	if err != nil || got.Account != account.ID {
		t.Errorf("%+v, %v; want %s", got, err, account.ID)
	}
}
