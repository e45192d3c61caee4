package crew_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestRulesOfACrewChange: a coordinator sets the ship's hours and more for one crew change. Heads say them, searches
// look for flights by them, and what was found before is said to be for others.
func TestRulesOfACrewChange(t *testing.T) {
	s := apptest.NewSite(t)
	s.SendChanges(t, s.Now(), gangway.CrewChange{Vessel: "GENOA STAR", Flag: "PA", ChangeDate: "2036-12-03",
		TravelRequestID: "GEN-00", OnSigners: apptest.Sailors(2),
		OffSigners: []gangway.CrewMember{{Traveller: apptest.Maria}}})
	storetest.Settings(t, apptest.Production(s), gangway.Settings{Crew: gangway.CrewRules{BoardBy: "22:00"}})
	c, key := s.SignedIn(t, gangway.Booker), url.Values{"key": {"id:GEN-00"}}
	rules, plan := "/crew-changes/rules?"+key.Encode(), "/crew-changes/plan?"+key.Encode()
	search := func() string { return c.SearchEverybody("AMS") }

	before := search()
	c.Get(before+"?wait=1").Has("due on board by Wed 3 Dec 22:00", `href="/crew-changes/rules?key=id%3AGEN-00"`)
	form := c.Get(rules).Has(`placeholder="22:00"`, `placeholder="12:00"`).Lacks("Our own default").
		Sent("/crew-changes/rules")
	stale := c.Get(rules).Sent("/crew-changes/rules")
	form.Set("board_by", "6:00")
	form.Set("leave_from", "18:00")
	form.Set("night_price", "90")
	c.Post("/crew-changes/rules", form).Shows(plan, "The rules were saved", "on board by 06:00",
		"off-signers from 18:00")
	stored := apptest.Must(apptest.Production(s).CrewChange(t.Context(), "id:GEN-00"))(t).Rules
	if got := fmt.Sprint(stored.Typed()); got != "map[board_by:06:00 leave_from:18:00 night_price:90.00 USD]" {
		t.Errorf("the rules are %s", got)
	}
	c.Post("/crew-changes/rules", stale).Is(http.StatusConflict, "omebody has changed the rules")
	form.Set("critical", "20")
	c.Post("/crew-changes/rules", form).Is(http.StatusUnprocessableEntity, `id="critical"`, `aria-invalid="true"`,
		`value="6:00"`)

	c.Get(before+"?wait=1").Has("due on board by Wed 3 Dec 06:00, off-signers from Wed 3 Dec 18:00",
		"hours have changed")
	after := search()
	if after == before {
		t.Fatal("the search for other hours is the old one")
	}
	c.Get(after + "?wait=1").Has("due on board by Wed 3 Dec 06:00").Lacks("hours have changed")
	for _, m := range s.Search(t, after).Members {
		if leg := m.Legs[0]; m.Side == gangway.OnSigner && leg.ArriveBy != "06:00" ||
			m.Side == gangway.OffSigner && leg.LeaveAfter != "18:00" {
			t.Errorf("%s: searched for %+v", m.Side, leg)
		}
	}
	s.SendChanges(t, s.Now().Add(time.Minute), gangway.CrewChange{Vessel: "GENOA STAR", Flag: "PA",
		ChangeDate: "2036-12-06", TravelRequestID: "GEN-00", OnSigners: apptest.Sailors(2)})
	c.Get(plan).Has("Sat 6 Dec 2036", "on board by 06:00")

	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/settings/audit").Has("board by: none → 06:00")
	empty := admin.Get(rules).Sent("/crew-changes/rules")
	for field := range empty {
		if field != "key" && field != "was" && field != "once" {
			empty.Set(field, "")
		}
	}
	admin.Post("/crew-changes/rules", empty).Shows(plan).Lacks("on board by 06:00")
}
