package crew_test

import (
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"
)

// TestFlightsForAllAreSearchedOnce presses "Find flights" of one crew change
// again and as somebody else: while its flights are still shown, everybody comes
// to the same search, and to what was chosen there.
func TestFlightsForAllAreSearchedOnce(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	apptest.PlanCrew(t, in)
	ana, ben := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	form := url.Values{"key": {"on:2036-12-03:PA:northern light"}, "airport": {"sin"}}
	press := func(c *apptest.Client) string {
		path, _, _ := strings.Cut(c.Post("/crew-changes/search", form).Path, "?")
		return path
	}
	first := press(ana)
	for i := range 4 {
		s.Passed.Store(int64(time.Duration(i) * 3 * time.Minute))
		if again, other := press(ana), press(ben); again != first || other != first {
			t.Fatalf("pressed again %d minutes later: %s and %s; want both at %s", 3*i, again, other, first)
		}
	}

	t.Run("what was chosen there stays and is seen", func(t *testing.T) {
		choose := ana.In(t).Get(first + "?wait=1&member=0").Form(first + "/choose")
		ana.In(t).Post(first+"/choose", choose)
		if at := press(ben); at != first {
			t.Fatalf("after a choice the other one came to %s; want %s", at, first)
		}
		ben.In(t).Get(first+"?wait=1").Has("chosen", "by ")
	})
	t.Run("another airport is another search", func(t *testing.T) {
		other := url.Values{"key": form["key"], "airport": {"KUL"}}
		if at := ben.In(t).Post("/crew-changes/search", other).Path; strings.HasPrefix(at, first) {
			t.Fatalf("flights to KUL are looked for at %s; want another search", at)
		}
	})
	t.Run("two at the same moment come to one", func(t *testing.T) {
		s.Passed.Store(int64(11 * time.Minute)) // the first one's flights are not shown any more
		paths := make([]string, 6)
		var both sync.WaitGroup
		for i := range paths {
			both.Go(func() { paths[i] = press([]*apptest.Client{ana, ben}[i%2]) })
		}
		both.Wait()
		for _, path := range paths {
			if path != paths[0] || path == first {
				t.Fatalf("pressed at once: %v; want one new search", paths)
			}
		}
	})
	t.Run("somebody more is another search", func(t *testing.T) {
		before := press(ana)
		moreCrew(t, in)
		if at := press(ben); at == before {
			t.Fatal("the crew change has one more, and the search has not; want another search")
		}
	})
}

// moreCrew uploads the crew change of PlanCrew with one more.
func moreCrew(t *testing.T, in store.Scoped) {
	t.Helper()
	if _, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{{
		Vessel: "NORTHERN LIGHT", Flag: "PA", ChangeDate: "2036-12-03",
		OnSigners:  []gangway.CrewMember{{Traveller: apptest.Crew[0]}, {Traveller: apptest.Crew[1]}},
		OffSigners: []gangway.CrewMember{{Traveller: apptest.Crew[2]}, {Traveller: apptest.Maria}},
	}}, time.Now()); err != nil {
		t.Fatal(err)
	}
}
