package outlets_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/deliver/notify"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// pass lets time go by, and has the outlets looked at.
func (s *scene) pass(t *testing.T, d time.Duration) {
	t.Helper()
	s.Passed.Add(int64(d))
	s.Client = s.SignedIn(t, gangway.Admin) // the session may be over
	n := notify.New(notify.Config{DB: s.DB, Now: s.Now, Log: slog.New(slog.DiscardHandler)})
	apptest.Done(t, n.Look(t.Context()))
}

const openErp = `<a href="` + erp + `">Open the outlet<span class="unseen"> erp</span></a>`

// TestTroubleIsNews: an admin reads on every page that an outlet fails for an hour or is off, but on those that say it
// themselves, and then for a day that it is well again. Nobody else reads it.
func TestTroubleIsNews(t *testing.T) {
	s := newScene(t)
	s.push(t, http.StatusInternalServerError, fails)
	s.pass(t, 59*time.Minute)
	s.Get("/").Lacks("notice act")
	s.pass(t, time.Minute)
	s.Get("/hotels").Has("One booking has not been accepted by "+s.theirs.URL, openErp)
	s.SignedIn(t, gangway.Booker).Get("/").Lacks("notice act")
	s.Post(erp+"/pause", nil)

	s.pushed = 0
	s.push(t, http.StatusGone, off)
	s.Get("/hotels").Has("Bookings are not delivered to "+s.theirs.URL, "410", openErp,
		`<section class="stack" aria-label="News of the account"><p class="notice act"><svg`).
		Lacks(`role="alert"`)
	for _, path := range []string{erp, "/settings/outlets"} {
		s.Get(path).Lacks("notice act")
	}
	s.pass(t, time.Minute)

	s.Post(erp+"/pause", s.Get(erp).Form(erp+"/pause"))
	s.pushed = 0
	s.push(t, http.StatusOK, accepted)
	s.pass(t, time.Minute)
	s.Get("/").Lacks("notice act", "notice good")
	s.pass(t, 15*time.Minute)
	for _, path := range []string{"/", "/settings/feeds"} {
		s.Get(path).Has("notice good", openErp)
	}
	s.Get("/hotels").Lacks("notice good")
	s.pass(t, 24*time.Hour)
	s.Get("/settings/feeds").Lacks("notice good")
}

// TestParkedIsNews: that something is parked is read for a day, and of two outlets with trouble one line.
func TestParkedIsNews(t *testing.T) {
	s := newScene(t)
	s.push(t, http.StatusOK, accepted)
	s.set(t, `error("no cost centre")`)
	s.book(t)
	s.pushed = 0
	s.push(t, http.StatusOK, parked(1))
	s.pass(t, time.Minute)
	s.Get("/hotels").Has("Deliveries to "+s.theirs.URL+" (outlet erp) are parked", openErp)

	in := apptest.Production(s.Site)
	apptest.Must(in.SetOutlet(t.Context(), storetest.Operator, "archive",
		func(old store.StoredOutlet) (gangway.Outlet, error) {
			old.Mapping = `error("no ledger")`
			return storetest.PushTo(s.theirs.URL)(old)
		}, []string{deliver.NewSecret()}, s.Now()))(t)
	s.book(t)
	s.pushed = 0
	s.push(t, http.StatusOK, parked(2))
	s.pass(t, 0)
	s.Get("/hotels").Has(`Trouble at <a href="/settings/outlets">outlet archive and 1 more</a>`)
	s.Get("/settings/outlets").Lacks("notice act")
	s.Get("/settings/outlets/archive").Has(`Trouble at <a href="` + erp + `">outlet erp</a>`)
	s.pass(t, 24*time.Hour)
	s.Get("/hotels").Lacks("are parked", "Trouble at")
}

// TestOneOfSeveralIsRefused: an outlet that refuses one booking and accepts others is not failing, whichever of them it
// was sent last.
func TestOneOfSeveralIsRefused(t *testing.T) {
	s := newScene(t)
	s.push(t, http.StatusOK, accepted)
	_, refused := s.book(t)
	s.pushed = time.Minute
	s.push(t, http.StatusConflict, fails)
	s.pass(t, s.pushed-time.Hour)
	s.is(t, gangway.IsRefusing, "/settings/outlets", erp)
	s.Get(erp).Has(refused, "It answered 409 Conflict.")
	s.pass(t, time.Hour)
	s.is(t, gangway.IsFailing, "/settings/outlets", erp)
}

// TestMendedOutletIsNotFailing: an outlet of which nothing left is failing, and not any more once its mapping was
// changed, though nothing was tried since.
func TestMendedOutletIsNotFailing(t *testing.T) {
	s := newScene(t)
	s.set(t, `error("no cost centre")`)
	s.book(t)
	s.book(t)
	s.pushed = time.Second
	s.push(t, http.StatusOK, parked(3))
	s.pass(t, 2*time.Minute)
	s.is(t, gangway.IsFailing, erp)
	s.set(t, ".")
	for range 2 { // at once, and once it was looked at
		s.is(t, gangway.IsParked, "/settings/outlets", erp)
		s.pass(t, 2*time.Minute)
	}
}

// TestNewsFollowsTheState: an outlet fails as a whole once it refuses a second booking, is no news while it is paused,
// and is behind once it accepts others and something has waited for an hour.
func TestNewsFollowsTheState(t *testing.T) {
	s := newScene(t)
	var accepts atomic.Value // which booking
	accepts.Store("none")
	s.theirs.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); !strings.Contains(string(body), accepts.Load().(string)) {
			w.WriteHeader(http.StatusConflict)
		}
	})
	refused := func(n int) func(gangway.Outlet, store.OutletBacklog) bool {
		return func(_ gangway.Outlet, b store.OutletBacklog) bool { return b.Refused == n && b.Waiting == n }
	}
	s.push(t, 0, refused(1))
	for _, step := range []struct {
		name  string
		do    func()
		state gangway.ConditionState
		news  string // empty: none
	}{
		{"one booking", func() {}, gangway.IsFailing, "One booking has not been accepted by "},
		{"a second one", func() {
			s.book(t)
			s.pushed = 0
			s.push(t, 0, refused(2))
		}, gangway.IsFailing, "Bookings have not reached "},
		{"paused", func() { s.Post(erp+"/pause", url.Values{"to": {"paused"}}) }, gangway.IsPausedFailing, ""},
		{"others are accepted", func() {
			s.Post(erp+"/pause", url.Values{"to": {"on"}})
			third, _ := s.book(t)
			accepts.Store(strings.TrimPrefix(third, "/bookings/"))
			s.pushed = 0
			s.push(t, 0, func(o gangway.Outlet, b store.OutletBacklog) bool {
				return o.FailingSince.IsZero() && b.Refused == 2 && b.Waiting == 2
			})
		}, gangway.IsBehind, ""},
	} {
		t.Log(step.name)
		step.do()
		s.pass(t, time.Hour)
		s.is(t, step.state, "/settings/outlets", erp)
		page := s.Get("/hotels")
		if step.news == "" {
			page.Lacks("notice act")
		} else {
			page.Has(step.news+s.theirs.URL, openErp)
		}
	}
}
