package app_test

import (
	"testing"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
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

// Whoever looks at a crew change finds what is booked together right now, and
// afterwards who was not booked, and why.
func TestBatchIsFound(t *testing.T) {
	s := newSite(t)
	mara, helen := s.signedIn(t, gangway.Booker), s.signedIn(t, gangway.Approver)
	search := s.keep(t, joiners()...)
	change := gangway.CrewChange{Vessel: "Nordlys", Flag: "NO", ChangeDate: search.Date, TravelRequestID: search.ID}
	for _, who := range joiners() {
		change.OnSigners = append(change.OnSigners, gangway.CrewMember{Traveller: who})
	}
	if _, err := production(s).UpsertCrewChanges(t.Context(), []gangway.CrewChange{change}, today); err != nil {
		t.Fatal(err)
	}
	path := "/searches/" + search.ID
	review := mara.get(path + "/book-all")
	review.has("Book all: Nordlys at AMS on Mon 1 Dec")
	form := review.form(path + "/book-all")
	form.Set("m1.price", "USD 1.00")

	s.gate = newGate() // from here on the airline waits
	began := mara.post(path+"/book-all", form)
	began.has("Ingrid Holm pressed “Book all” on", "Nothing is issued automatically.")
	t.Run("while it runs the crew change, the list and Book all say so", func(t *testing.T) {
		c := helen.in(t)
		link := `href="` + began.path + `"`
		c.get(path+"?wait=1").has("Ingrid Holm is booking 3 travellers: ", "Booking is under way", link)
		c.get("/crew-changes").has("Ingrid Holm is booking 3 travellers: ", link)
		c.get(path+"/book-all").has("Ingrid Holm is booking 3 travellers: ", link)
	})
	s.gate.pass(len(search.Members))
	mara.finish(began).has("2 of 3 booked")
	t.Run("afterwards the crew change says who was not booked, and why", func(t *testing.T) {
		page := helen.in(t).get(path + "?wait=1")
		page.has("2 of 3 booked", "Dela Cruz, Maria was not booked: The price is now", `href="`+began.path+`"`)
		page.lacks("is booking", "under way")
		helen.in(t).get("/crew-changes").lacks("is booking")
	})
}

// What waits for an approver is not said to be booked.
func TestBatchWaitsForApproval(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	storetest.Settings(t, production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	search := s.keep(t, joiners()...)
	path := "/searches/" + search.ID + "/book-all"
	page := c.finish(c.post(path, c.get(path).form(path)))
	page.has("0 held, 3 wait for approval", "approval required")
	page.lacks("3 of 3 booked")
}

// Of what was not begun at all others read what to do: not to choose another
// flight, but to press the button themselves.
func TestBatchNotBegun(t *testing.T) {
	s := newSite(t)
	helen := s.signedIn(t, gangway.Approver)
	search := s.keep(t, joiners()...)
	why := "Mara, who pressed “Book all”, may not book any more, so it was not begun: “Book all” once more books it"
	b := store.Batch{ID: "b", Kind: "book", Search: search.ID, By: gangway.User{ID: "u", Name: "Mara"}, CreatedAt: today}
	b.Items = []store.BatchItem{{Booking: "one", Doc: []byte("{}")}}
	if _, _, err := production(s).BeginBatch(t.Context(), b, today); err != nil {
		t.Fatal(err)
	}
	if err := production(s).SettleItem(t.Context(), "b", "one", store.ItemRefused, why); err != nil {
		t.Fatal(err)
	}
	page := helen.get("/searches/" + search.ID + "/batches/b")
	page.has(why, "/book-all\">Book all once more…")
	page.lacks("Choose another flight")
}
