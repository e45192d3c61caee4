package access_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
)

// A desk is a browser: each request runs one function with the sessions.
type desk struct {
	t        *testing.T
	db       *store.DB
	now      time.Time
	sessions *access.Sessions
	cookie   *http.Cookie
}

func newDesk(t *testing.T, secure bool) *desk {
	d := &desk{t: t, db: storetest.New(t), now: time.Now()}
	d.sessions = access.NewSessions(d.db, func() time.Time {
		return d.now
	}, slog.New(slog.NewTextHandler(io.Discard, nil)), secure)
	return d
}

func (d *desk) visit(do func(r *http.Request, s *access.Sessions)) {
	d.t.Helper()
	r := httptest.NewRequestWithContext(d.t.Context(), http.MethodGet, "/", nil)
	if d.cookie != nil {
		r.AddCookie(d.cookie)
	}
	w := httptest.NewRecorder()
	d.sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		do(r, d.sessions)
	})).ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		d.cookie = c
	}
}

func (d *desk) signIn() {
	d.t.Helper()
	d.visit(func(r *http.Request, s *access.Sessions) {
		if err := s.SignIn(r.Context(), gangway.User{ID: "u1"}); err != nil {
			d.t.Fatal(err)
		}
	})
}

// TestLeavingIsNoFault holds that a browser that leaves before its session was read leaves no line in the log, and that
// a session that cannot be read does.
func TestLeavingIsNoFault(t *testing.T) {
	d := newDesk(t, false)
	d.signIn()
	var log bytes.Buffer
	now := func() time.Time { return d.now }
	sessions := access.NewSessions(d.db, now, slog.New(slog.NewTextHandler(&log, nil)), false)
	visit := func(ctx context.Context) {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		r.AddCookie(d.cookie)
		sessions.Middleware(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			t.Error("a page was made without its session")
		})).ServeHTTP(httptest.NewRecorder(), r)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	visit(left)
	if log.Len() > 0 {
		t.Errorf("the log says %s", &log)
	}
	late, end := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer end()
	visit(late)
	if !strings.Contains(log.String(), "a session could not be read or stored") {
		t.Errorf("the log says %q of a session that was not read", &log)
	}
}

func (d *desk) user() (id string) {
	d.t.Helper()
	d.visit(func(r *http.Request, s *access.Sessions) { id = s.User(r.Context()) })
	return id
}

func TestSessions(t *testing.T) {
	t.Run("a person who has signed in is recognised, and the database does not have the token", func(t *testing.T) {
		d := newDesk(t, false)
		d.signIn()
		if got := d.user(); got != "u1" {
			t.Fatalf("User = %q; want u1", got)
		}
		_, found, err := d.db.Sessions(func() time.Time { return d.now }).FindCtx(t.Context(), d.cookie.Value)
		if err != nil || found {
			t.Fatalf("the token of the cookie is in the database (%t, %v); want only its hash", found, err)
		}
	})
	t.Run("a session lasts as long as it is used every day", func(t *testing.T) {
		d := newDesk(t, false)
		d.signIn()
		for range 13 {
			d.now = d.now.Add(23 * time.Hour)
			if d.user() != "u1" {
				t.Fatal("signed out within a day of the last request")
			}
		}
		d.now = d.now.Add(25 * time.Hour)
		if d.user() != "" {
			t.Fatal("still signed in after a day without a request")
		}
	})
	t.Run("after two weeks it ends in any case", func(t *testing.T) {
		d := newDesk(t, false)
		d.signIn()
		for range 14 * 2 {
			d.now = d.now.Add(12 * time.Hour)
			d.user()
		}
		d.now = d.now.Add(time.Hour)
		if d.user() != "" {
			t.Fatal("still signed in after two weeks")
		}
	})
	t.Run("over https the cookie goes nowhere else", func(t *testing.T) {
		d := newDesk(t, true)
		d.signIn()
		if c := d.cookie; c.Name != "__Host-gangway" || !c.Secure || !c.HttpOnly ||
			c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
			t.Fatalf("cookie = %s", c)
		}
	})
	t.Run("production until the person switches", func(t *testing.T) {
		d := newDesk(t, false)
		d.signIn()
		var seen []string
		look := func(r *http.Request, s *access.Sessions) { seen = append(seen, string(s.Environment(r.Context()))) }
		d.visit(look)
		d.visit(func(r *http.Request, s *access.Sessions) { s.Switch(r.Context(), gangway.Development) })
		d.visit(look)
		if got := strings.Join(seen, " "); got != "production development" {
			t.Fatalf("environments = %s", got)
		}
	})
	t.Run("a message is shown once", func(t *testing.T) {
		d := newDesk(t, false)
		d.signIn()
		var heard []string
		listen := func(r *http.Request, s *access.Sessions) { heard = append(heard, s.TakeFlash(r.Context())) }
		d.visit(func(r *http.Request, s *access.Sessions) { s.SetFlash(r.Context(), "Done.") })
		d.visit(listen)
		d.visit(listen)
		if got := strings.Join(heard, "|"); got != "Done.|" {
			t.Fatalf("heard %q", got)
		}
	})
}
