package poll_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestFeedIsFetchedSoon holds that somebody may have a feed fetched at once that is fetched by itself, and
// no other.
func TestFeedIsFetchedSoon(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, by := newDesk(t, db), storetest.Operator
		c := newCustomer(t)
		c.has(`[{"id": "C1", "last_name": "Reyes", "first_name": "Ana"}]`)
		d.set(gangway.TravellersFlow, c.URL)
		d.run(1, 1, 0, 0, 0, 0)
		if err := d.poller.FetchSoon(t.Context(), d.in, by, "crew", false); err != nil ||
			!d.stored().Due.Equal(d.now()) {
			t.Errorf("fetched soon: %v; due %s; want at once", err, d.stored().Due)
		}
		must(t, d.poller.Switch(t.Context(), d.in, by, "crew", true))
		if err := d.poller.FetchSoon(t.Context(), d.in, by, "crew", false); gangway.KindOf(err) != gangway.Conflict {
			t.Errorf("switched off: %v; want Conflict", err)
		}
		d.set(gangway.TravellerLookupFlow, c.URL)
		if err := d.poller.FetchSoon(t.Context(), d.in, by, "crew", false); gangway.KindOf(err) != gangway.Conflict {
			t.Errorf("asked when somebody needs it: %v; want Conflict", err)
		}
		if err := d.poller.FetchSoon(t.Context(), d.in, by, "none", false); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("no such feed: %v; want NotFound", err)
		}
	})
}

// TestShorterListIsFetchedSoon holds that whoever knows a much shorter list to be right has it fetched and stored by
// the program, once.
func TestShorterListIsFetchedSoon(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		d.set(gangway.TravellersFlow, c.URL)
		c.has(crew("Ana", "Bea", "Cas", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jan"))
		d.run(10, 10, 0, 0, 0, 0)
		c.has(crew("Zoe"))
		d.fails("it lacks 9 of the 10 records that it had: nothing was changed")
		must(t, d.poller.FetchSoon(t.Context(), d.in, storetest.Operator, "crew", true))
		ended, forget := db.Await(store.FeedTopic("crew"))
		defer forget()
		stop := d.works()
		for failed := true; failed; { // word of the last run may come late
			<-ended
			history, err := d.in.FeedRuns(t.Context(), "crew", 0, 1)
			if err != nil || len(history) == 0 {
				t.Fatal(history, err)
			}
			failed = history[0].Failed()
		}
		stop()
		d.there("Zoe")
		c.has("[]")
		d.fails("it lacks 1 of the 1 records that it had: nothing was changed")
	})
}

// TestFeedIsSwitched holds that switching a feed changes nothing else of it, and its secrets least of all.
func TestFeedIsSwitched(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, by := newDesk(t, db), storetest.Operator
		f := feedTo(gangway.TravellersFlow, "https://hr.example/a",
			`{"kind":"basic","user":"u","password":"tide-tables"}`)
		must(t, did(d.poller.Set(t.Context(), d.in, by, f)))
		before := d.stored()
		for _, off := range []bool{true, true, false} {
			d.later(time.Minute)
			must(t, d.poller.Switch(t.Context(), d.in, by, "crew", off))
			got := d.stored()
			if due := !got.Due.IsZero(); got.Off != off || due == off ||
				string(got.Transport.Secrets) != string(before.Transport.Secrets) ||
				string(got.Transport.Settings) != string(before.Transport.Settings) {
				t.Errorf("switched off: %v: %+v, due %s", off, got, got.Due)
			}
		}
		if got := d.stored(); got.Version != 3 || !got.Due.Equal(d.now()) {
			t.Errorf("switched off and on, it has version %d and is due at %s; want 3, at once", got.Version, got.Due)
		}
	})
}

// TestFeedGoesBack holds that an earlier version becomes the present one with the secrets that are kept,
// unless these were given for another system, or its own are gone.
func TestFeedGoesBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, by := newDesk(t, db), storetest.Operator
		set := func(url, auth, mapping string, off bool) {
			t.Helper()
			f := feedTo(gangway.TravellersFlow, url, auth)
			f.Mapping, f.Off = mapping, off
			must(t, did(d.poller.Set(t.Context(), d.in, by, f)))
		}
		const basic = `{"kind":"basic","user":"u","password":"tide-tables"}`
		set("https://hr.example/crew/a", basic, ".[]", false)                          // 1
		set("https://hr.example/crew/b", basic, "map(.)", true)                        // 2
		set("https://other.example/b", `{"kind":"bearer","token":"moon"}`, ".", false) // 3
		set("https://hr.example/crew/b", basic, ".", true)                             // 4
		must(t, d.poller.GoBack(t.Context(), d.in, by, "crew", 1))
		got := d.stored()
		if got.Version != 5 || got.Mapping != ".[]" || !strings.Contains(string(got.Transport.Settings), "crew/a") ||
			!strings.Contains(string(got.Transport.Secrets), "tide-tables") || !got.Off || !got.Due.IsZero() {
			t.Errorf("gone back to the first version: %+v with %s", got, []byte(got.Transport.Secrets))
		}
		refused := func(version int64, want string) {
			t.Helper()
			err := d.poller.GoBack(t.Context(), d.in, by, "crew", version)
			if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), want) {
				t.Errorf("back to version %d: %v; want %q", version, err, want)
			}
		}
		refused(3, "auth.token was secret and is not kept")
		set("https://other.example/a", `{"kind":"basic","user":"u","password":"moon"}`, ".", false) // 6
		refused(5, "url is another than before")
		if err := d.poller.GoBack(t.Context(), d.in, by, "crew", 99); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("back to a version that there is not: %v; want NotFound", err)
		}
	})
}

// TestGoingBackToAnotherFlow holds that what a feed has brought for the flow that it leaves goes, since nothing
// would ever update it.
func TestGoingBackToAnotherFlow(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		c := newCustomer(t)
		c.has(`[{"id": "C1", "last_name": "Reyes", "first_name": "Ana"}]`)
		d.set(gangway.TravelRequestsFlow, c.URL)
		d.set(gangway.TravellersFlow, c.URL)
		d.run(1, 1, 0, 0, 0, 0)
		must(t, d.poller.GoBack(t.Context(), d.in, storetest.Operator, "crew", 1))
		if b, err := d.in.BroughtOnlyBy(t.Context(), "crew", 10); err != nil || b != (store.Brought{}) {
			t.Errorf("left: %+v, %v; want nothing", b, err)
		}
	})
}
