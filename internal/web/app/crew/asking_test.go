package crew_test

import (
	"slices"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
	"gangway/internal/web/app/flights"
)

func TestPickedDateAsksForCrewChanges(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	const path = "/api/crew_change"
	system := apptest.AskCustomer(t, s, map[string]any{path: []any{map[string]any{
		"vessel": "SEA SPARROW", "flag": "NO", "change_date": "2036-12-02",
		"onsigners": []any{map[string]any{"last_name": "OKAFOR", "first_name": "NGOZI"}},
	}}})
	c := s.SignedIn(t, gangway.Booker)
	c.Get("/crew-changes?from=2036-12-02&to=2036-12-03").Has("SEA SPARROW", "NORTHERN LIGHT", "crew system: as of")
	want := []string{"date=2036-12-02", "date=2036-12-03"}
	if asked := system.Asked(t, path); !slices.Equal(asked, want) {
		t.Errorf("it was asked %v; want %v", asked, want)
	}
	c.Get(flights.CrewChangePath(changeKey(t, s, "SEA SPARROW"))).Has("From the feed “changes”, last on Thu 20 Nov")
	s.Passed.Store(int64(60 * 60 * 1e9))
	c.Get("/crew-changes?from=2036-12-01").Has("SEA SPARROW",
		"here about Mon 1 Dec 2036 to Sun 7 Dec 2036; pick a later first day for the days after.")
	if asked := system.Asked(t, path); len(asked) != 7 {
		t.Errorf("of a month it was asked about %v; want the first week", asked)
	}
	c.Get("/crew-changes").Has("data-later=")
	if asked := system.Asked(t, path); asked != nil {
		t.Errorf("no day was picked, and it was asked %v", asked)
	}
	system.Hang()
	s.Patience.Store(int64(time.Millisecond))
	s.Passed.Store(int64(3 * 60 * 60 * 1e9))
	c.Get("/crew-changes?from=2036-12-02&to=2036-12-02").Has("SEA SPARROW",
		"crew system does not answer; what it said at 10:00 UTC is shown.")
}

// While a system hangs, other feeds may change, so that the list of feeds is read once more: what is
// stored is shown, whatever the systems do.
func TestPageIsShownWhileASystemHangs(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	system := apptest.AskCustomer(t, s, map[string]any{"/api/crew_change": []any{}})
	system.Hang()
	s.Patience.Store(int64(time.Second))
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		<-system.Asks
		apptest.AskAt(t, s, "http://127.0.0.1:1", "/api/travel_request")
	}()
	c := s.SignedIn(t, gangway.Booker)
	c.Get("/crew-changes?from=2036-12-01").Has("NORTHERN LIGHT", "crew system does not answer")
	<-changed
}

func changeKey(t *testing.T, s *apptest.Site, vessel string) string {
	t.Helper()
	keys, err := apptest.Production(s).CrewChangeKeys(t.Context(), gangway.Fold(vessel), "2036-12-01", "2036-12-31", 2)
	if err != nil || len(keys) != 1 {
		t.Fatalf("CrewChangeKeys = %v, %v; want one", keys, err)
	}
	return keys[0]
}
