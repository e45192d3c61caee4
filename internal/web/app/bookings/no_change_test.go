package bookings_test

import (
	"net/http"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// What the fare forbids is not offered, and is refused to everybody.
func TestNoChange(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	search := s.Keep(t, apptest.Maria)
	path := "/searches/" + search.ID
	var form = c.Get(path + "?wait=1&fare=public&bags=0").Form(path + "/book")
	c.Post(path+"/book", form).Has("Held as")
	b := s.Bookings(t)[0]
	if b.Terms.Changes != gangway.NoChange {
		t.Fatalf("the cheapest fare without a bag is %s; want one that forbids changes", b.Terms.Changes)
	}
	booking := "/bookings/" + b.ID
	c.Get(booking).Has("Not allowed by the fare").Lacks(`"` + booking + `/change"`)
	for name, a := range map[string]apptest.Answer{
		"the page": c.Get(booking + "/change"), "with a day": c.Get(booking + "/change?date0=2036-12-04"),
		"the form": c.Post(booking+"/ask-change", map[string][]string{"offer": {"x"}}),
	} {
		if a.Status != http.StatusConflict || !strings.Contains(a.Body, "allows no change") {
			t.Errorf("%s is answered with %d; want 409 that says why", name, a.Status)
		}
	}
}
