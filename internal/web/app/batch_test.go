package app_test

import (
	"testing"

	"gangway"
)

// Two people who book the same crew at the same moment both see that everybody
// is booked, and by whom.
func TestBookAllTogether(t *testing.T) {
	s := newSite(t)
	first, second := s.signedIn(t, gangway.Booker), s.signedIn(t, gangway.Approver)
	search := s.keep(t, joiners()...)
	path := "/searches/" + search.ID + "/book-all"
	mine, theirs := first.get(path).form(path), second.get(path).form(path)

	s.gate = newGate() // from here on the airline waits
	began := first.post(path, mine)
	for i := range search.Members {
		for under := false; !under; {
			var err error
			if under, err = production(s).UnderWay(t.Context(), search.ID, i); err != nil {
				t.Fatal(err)
			}
		}
	}
	page := second.finish(second.post(path, theirs))
	page.has("being booked by somebody else")
	page.lacks("not booked", "Choose another flight")

	s.gate.pass(len(search.Members))
	first.finish(began).has("3 of 3 booked")
	page = second.get(page.path)
	page.has("3 of 3 booked", "booked by Ingrid Holm as", s.bookings(t)[0].Locator)
	page.lacks("to look at", "not booked", "Choose another flight", "being booked")
}
