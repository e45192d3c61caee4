package crew_test

import (
	"regexp"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

var lightFare = regexp.MustCompile(`id="o-([^"]*)"[^>]*><span class="sold"><span>Light`)

// TestFaresThatCrewMayUse holds that a fare which lacks what crew need is never proposed and never held with others,
// also where somebody chose it, or sent the form, before the company had this policy.
func TestFaresThatCrewMayUse(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path := "/searches/" + s.Keep(t, apptest.Joiners()...).ID
	light := lightFare.FindStringSubmatch(c.Get(path + "?wait=1&member=0").Body)
	if light == nil {
		t.Fatal("no light fare is found")
	}
	c.Post(path+"/choose", c.Get(path+"?wait=1&member=0&open="+light[1]).Form(path+"/choose"))
	form := c.Get(path + "/book-all").Lacks("Cannot be booked").Form(path + "/book-all")

	storetest.Settings(t, apptest.Production(s), gangway.Settings{Fares: gangway.FareRule{Bag: true}})
	c.Get(path+"?wait=1&member=0").Has("not for crew", "Crew need a checked bag", `class="fare off chosen"`)
	c.Get(path + "?wait=1&member=0&open=" + light[1]).Has(`data-state="not-for-crew"`).Lacks(`action="` + path + `/choose"`)
	c.Get(path+"/book-all").Has("Cannot be booked 1", "Crew need a checked bag")
	c.Finish(c.Post(path+"/book-all", form)).Has("2 of 3 booked", "Company policy: crew need a checked bag")
	s.WantBookings(t, 2)
}
