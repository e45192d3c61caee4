package outlets_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/deliver/notify"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestOutletNews pushes a booking to a customer whose system is broken, and then
// gone: an admin reads it on every page but those that say it themselves, until it is
// well again, and then for a day in the settings and where bookings are made. Of two
// outlets with trouble they read one line. Nothing of it interrupts a screen reader.
func TestOutletNews(t *testing.T) {
	s := apptest.NewSite(t)
	theirs := apptest.Receive(t, s, gangway.DefaultOutlet)
	theirs.Status.Store(http.StatusInternalServerError)
	s.SignedIn(t, gangway.Booker).Booked("fare=marine")

	// push delivers at a time of the past, until the outlet stands as told.
	push := func(at time.Time, stands func(gangway.Outlet) bool) {
		t.Helper()
		s.Deliver(t, at, apptest.Private, func(store.Scoped) bool { return stands(s.Outlet(t, gangway.DefaultOutlet)) })
	}
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/").Lacks("notice act")

	booker := s.SignedIn(t, gangway.Booker)
	teller := notify.New(notify.Config{DB: s.DB, Now: s.Now, Log: slog.New(slog.DiscardHandler)})
	pass := func(d time.Duration) { // and have the outlet looked at
		t.Helper()
		s.Passed.Add(int64(d))
		if err := teller.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}

	push(apptest.Today, func(o gangway.Outlet) bool { return !o.FailingSince.IsZero() })
	pass(59 * time.Minute)
	admin.Get("/").Lacks("notice act")
	pass(time.Minute)
	const link = `<a href="/settings/outlets/default">Open the outlet<span class="unseen"> default</span></a>`
	admin.Get("/hotels").Has("One booking has not been accepted by "+theirs.URL,
		"What was sent is tried again every minute", link)
	booker.Get("/").Lacks("has not been accepted")
	s.SignedIn(t, gangway.Booker).Booked("")
	push(s.Now(), func(o gangway.Outlet) bool {
		one, err := apptest.Production(s).RefusesOne(t.Context(), o.ID)
		return err == nil && !one
	})
	admin.Get("/hotels").Has("Bookings have not reached " + theirs.URL)

	in := apptest.Production(s)
	for _, paused := range []bool{true, false} {
		steer := in.ResumeOutlet
		if paused {
			steer = in.PauseOutlet
		}
		if err := steer(t.Context(), storetest.Operator, gangway.DefaultOutlet, s.Now()); err != nil {
			t.Fatal(err)
		}
		if paused {
			admin.Get("/hotels").Lacks("notice act")
		}
	}

	theirs.Status.Store(http.StatusGone)
	push(s.Now(), func(o gangway.Outlet) bool { return o.Off })
	read := admin.Get("/hotels")
	read.Has("Bookings are not delivered to "+theirs.URL, "410", "nothing is lost", link,
		`<section class="stack" aria-label="News of the account"><p class="notice act"><svg`)
	read.Lacks(`role="alert"`)
	admin.Get("/settings/outlets/default").Lacks("notice act")
	admin.Get("/settings/outlets").Lacks("notice act")
	booker.Get("/").Lacks("Bookings are not delivered")

	theirs.Status.Store(http.StatusOK)
	if _, err := in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet, storetest.PushTo(theirs.URL), nil,
		s.Now()); err != nil {
		t.Fatal(err)
	}
	pass(time.Minute)
	push(s.Now(), func(gangway.Outlet) bool {
		waits, err := in.OutletBacklog(t.Context(), s.Outlet(t, gangway.DefaultOutlet).ID)
		return err == nil && waits.Waiting == 0
	})
	pass(time.Minute)
	admin.Get("/").Lacks("notice act", "notice good")
	pass(15 * time.Minute)
	for _, page := range []string{"/", "/settings/feeds"} {
		read = admin.Get(page)
		read.Has("Bookings reach "+theirs.URL+" (outlet default) again", link)
		read.Lacks("notice act")
	}
	admin.Get("/hotels").Lacks("again")
	booker.Get("/").Lacks("Bookings reach")
	pass(24 * time.Hour)
	admin, booker = s.SignedIn(t, gangway.Admin), s.SignedIn(t, gangway.Booker) // the sessions are over, too
	admin.Get("/settings/feeds").Lacks("Bookings reach")

	// Of two bookings one is refused, and the other one accepted: the outlet does not fail, but all is not well.
	theirs.Status.Store(http.StatusInternalServerError)
	refusedAt := strings.Replace(booker.Booked("fare=marine"), "/bookings/", "/settings/outlets/default/deliveries/", 1)
	push(s.Now(), func(o gangway.Outlet) bool { return !o.FailingSince.IsZero() })
	theirs.Status.Store(http.StatusOK)
	booker.Booked("fare=marine")
	push(s.Now(), func(o gangway.Outlet) bool { return o.FailingSince.IsZero() })
	admin.Get("/settings/outlets").Has("on, but one booking was not accepted yet", refusedAt,
		"It answered 500 Internal Server Error.")
	pass(time.Hour)
	admin.Get("/settings/outlets").Has("on, but behind", refusedAt)

	// Nothing can be made of what waits: it is parked, and said for a day.
	if _, err := in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
		func(old store.StoredOutlet) (gangway.Outlet, error) {
			old.Mapping = `error("no cost centre")`
			return old.Outlet, nil
		}, nil, s.Now()); err != nil {
		t.Fatal(err)
	}
	push(s.Now(), func(o gangway.Outlet) bool {
		b, err := in.OutletBacklog(t.Context(), o.ID)
		return err == nil && b.Parked == 1 && b.Waiting == 0
	})
	pass(time.Minute)
	for _, page := range []string{"/", "/hotels", "/settings/feeds"} {
		admin.Get(page).Has("Deliveries to "+theirs.URL+" (outlet default) are parked", link)
	}

	// So it is at another outlet: one line for both, and on the pages of one, of the other one.
	if _, err := in.SetOutlet(t.Context(), storetest.Operator, "archive",
		func(old store.StoredOutlet) (gangway.Outlet, error) {
			old.Mapping = `error("no ledger")`
			return storetest.PushTo(theirs.URL)(old)
		}, []string{deliver.NewSecret()}, s.Now()); err != nil {
		t.Fatal(err)
	}
	booker.Booked("fare=marine")
	push(s.Now(), func(gangway.Outlet) bool {
		b, err := in.OutletBacklog(t.Context(), s.Outlet(t, "archive").ID)
		return err == nil && b.Parked == 1 && b.Waiting == 0
	})
	pass(0)
	for _, page := range []string{"/", "/hotels", "/settings/feeds"} {
		read = admin.Get(page)
		read.Has(`Trouble at <a href="/settings/outlets">outlet archive and 1 more</a>`)
		read.Lacks("are parked")
	}
	admin.Get("/settings/outlets").Lacks("notice act")
	read = admin.Get("/settings/outlets/archive")
	read.Has(`Trouble at <a href="/settings/outlets/default">outlet default</a>`)
	read.Lacks("are parked: ")
	pass(23*time.Hour + 59*time.Minute)
	admin = s.SignedIn(t, gangway.Admin)
	read = admin.Get("/settings/outlets")
	read.Has("on, but one delivery is parked")
	pass(time.Minute)
	admin.Get("/settings/feeds").Lacks("are parked", "Trouble at")

	// The mapping fails on everything, until it is changed: what is parked is left to be done.
	booker = s.SignedIn(t, gangway.Booker)
	refusedAt = strings.Replace(booker.Booked("fare=marine"), "/bookings/", "/settings/outlets/archive/deliveries/", 1)
	booker.Booked("fare=marine")
	booker.Booked("fare=marine")
	parked := func(n int) func(gangway.Outlet) bool {
		return func(gangway.Outlet) bool {
			b, err := in.OutletBacklog(t.Context(), s.Outlet(t, "archive").ID)
			return err == nil && b.Parked == n
		}
	}
	push(s.Now(), parked(4))
	pass(2 * time.Minute)
	const mends = "Whoever runs Gangway mends the mapping, as in gangway outlet set"
	archive := admin.Get("/settings/outlets/archive")
	archive.Has("failing</span> since", "</time>: The mapping fails on this record", mends,
		"--mapping-file mapping.jq. Once the reason is mended, somebody has to deliver again what is parked.")
	if _, err := in.SetOutlet(t.Context(), storetest.Operator, "archive",
		func(old store.StoredOutlet) (gangway.Outlet, error) {
			old.Mapping = `.`
			return old.Outlet, nil
		}, nil, s.Now()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // at once, and once it was looked at
		archive = admin.Get("/settings/outlets/archive")
		archive.Has("</time>, before it was changed: The mapping fails on this record",
			"<p>The mapping was changed since: deliver again what is parked.</p>")
		archive.Lacks(mends, "Once the reason is mended")
		pass(2 * time.Minute)
	}
	admin.Get(refusedAt + "/1").Has("The mapping was changed since: deliver it again.")
	archive = admin.Post("/settings/outlets/archive/parked", nil)
	archive.Shows("/settings/outlets/archive", "4 deliveries are sent once more", "4 waiting")
	archive = admin.Get("/settings/outlets/archive")
	archive.Lacks(mends, "deliver again what is parked")
}
