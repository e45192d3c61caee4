package crew_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestDroppedMembersPage holds that the crew change's page lists people whom a later
// upload leaves out apart from the others, and that no search has them any more.
func TestDroppedMembersPage(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	apptest.PlanCrew(t, in)
	const key = "on:2036-12-03:PA:northern light"
	if _, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{{
		Vessel: "NORTHERN LIGHT", Flag: "PA", ChangeDate: "2036-12-03", OnSigners: []gangway.CrewMember{
			{Traveller: apptest.Crew[0], Arrive: gangway.PortCall{Airport: "SIN", Date: "2036-12-02"}}},
	}}, storetest.Began.Add(48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	c := s.SignedIn(t, gangway.Booker)
	a := c.Get("/crew-changes/plan?key="+url.QueryEscape(key)).
		Has("1 on-signer · 0 off-signers · SIN Singapore · Wed 3 Dec 2036 · 0 of 1 booked",
			"Removed from this crew change · 2", "SANTIAGO, JOSE", "ØSTERGÅRD, LARS", "off-signer<", "3 Mar", "SIN Singapore", `datetime="2036-12-02"`,
			"Uploaded by your crew planning system, last on Tue 3 Mar 2026")
	if now, dropped := strings.Index(a.Body, "SANTOS, MARIA"), strings.Index(a.Body, "SANTIAGO, JOSE"); now > dropped ||
		strings.Index(a.Body, "Removed from this") > dropped {
		t.Error("those who were dropped do not stand apart, after the others")
	}
	search := apptest.Started(t, s, c, "/crew-changes/search", url.Values{"key": {key}, "airport": {"sin"}})
	if len(search.Members) != 1 || search.Members[0].Traveller.ID != "1" {
		t.Errorf("searched for %+v; want Maria alone", search.Members)
	}
	c.Get("/crew-changes/plan?key=nothing").Is(http.StatusNotFound)
}
