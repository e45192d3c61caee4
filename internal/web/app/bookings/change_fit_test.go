package bookings_test

import (
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestChangeBesidePlan holds that flights that miss the ship are marked so, in the list and before the
// change is paid, and that the others say how much time to spare they leave.
func TestChangeBesidePlan(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	s.Upload(t, "2036-12-05", apptest.Sailors(1))
	c.BookEverybody("BRU")
	booking := "/bookings/" + s.Bookings(t)[0].ID
	const late, before = "ship 5 Dec", "Not to plan: "

	t.Run("flights in time have time to spare", func(t *testing.T) {
		page := c.In(t).Get(booking+"/change?date0=2036-12-03").Has(" buffer", "due by ")
		list := page.Body[strings.Index(page.Body, `id="offers"`):]
		if misfit, spare := strings.Index(list, `class="misfit"`), strings.LastIndex(list, " buffer"); misfit >= 0 &&
			misfit < spare {
			t.Error("flights that do not fit stand above some that do")
		}
	})
	c.Run("flights that are late say so", func(t *testing.T, c *apptest.Client) {
		list := c.Get(booking+"/change?date0=2036-12-06").Has(`class="misfit"`, late, before).Lacks(" buffer")
		chosen := c.Post(booking+"/ask-change", list.Form(booking+"/ask-change")).
			Has(before, late, booking+"/confirm-change")
		if strings.Index(chosen.Body, before) > strings.Index(chosen.Body, booking+"/confirm-change") {
			t.Error("the button to change stands above the warning; want the warning first")
		}
	})
}
