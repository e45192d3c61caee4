package crew_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// Two people who book the same crew at the same moment both see that everybody is
// booked, and by whom.
func TestBookAllTogether(t *testing.T) {
	s := apptest.NewSite(t)
	first, second := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	search := s.Keep(t, apptest.Joiners()...)
	path := "/searches/" + search.ID + "/book-all"
	mine, theirs := first.Get(path).Form(path), second.Get(path).Form(path)

	s.Gate = apptest.NewGate() // from here on the airline waits
	began := first.Post(path, mine)
	for i := range search.Members {
		for under := false; !under; {
			under = apptest.Must(apptest.Production(s).UnderWay(t.Context(), search.ID, i))(t)
		}
	}
	page := second.Finish(second.Post(path, theirs)).Has("being booked by somebody else").
		Lacks("not booked", "Choose another flight")

	s.Gate.Pass(len(search.Members))
	first.Finish(began).Has("3 of 3 booked")
	page = second.Get(page.Path).Has("3 of 3 booked, 3 by Ingrid Holm", "booked by Ingrid Holm<",
		s.Bookings(t)[0].Locator).Lacks("to look at", "not booked", "Choose another flight", "being booked")
}

// Other people read what came of a traveller: that a booking stands no longer which prevented this one, or that they
// press the button themselves where the batch never began.
func TestRefusedItemsOfABatch(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Approver)
	in, path := apptest.Production(s), "/searches/"+s.Keep(t, apptest.Joiners()...).ID
	const notBegun = "Mara, who pressed “Book all”, may not book any more, so it was not begun: “Book all” once more " +
		"books it"
	for id, tt := range map[string]struct{ why, has, lacks string }{
		"a": {store.BookedAlready + "NAA7NV", "was booked already, as NAA7NV; that booking stands no longer",
			"is booked already"},
		"b": {notBegun, notBegun, "Choose another flight"},
	} {
		b := store.Batch{ID: id, Kind: "book", Search: strings.TrimPrefix(path, "/searches/"),
			By: gangway.User{ID: "u", Name: "Mara"}, CreatedAt: apptest.Today,
			Items: []store.BatchItem{{Booking: "one-" + id, Doc: []byte("{}")}}}
		if _, _, err := in.BeginBatch(t.Context(), b, apptest.Today); err != nil {
			t.Fatal(err)
		}
		apptest.Done(t, in.SettleItem(t.Context(), id, "one-"+id, store.ItemRefused, tt.why))
		c.Get(path + "/batches/" + id).Has(tt.has).Lacks(tt.lacks)
	}
	c.Get(path + "/batches/b").Has("/book-all\">Book all again…")
}

// A crew change shows the batch that is under way, and afterwards who was not booked and
// why.
func TestBatchIsFound(t *testing.T) {
	s := apptest.NewSite(t)
	mara, helen := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	search := s.Keep(t, apptest.Joiners()...)
	change := gangway.CrewChange{Vessel: "Nordlys", Flag: "NO", ChangeDate: search.Date, TravelRequestID: search.ID}
	for _, who := range apptest.Joiners() {
		change.OnSigners = append(change.OnSigners, gangway.CrewMember{Traveller: who})
	}
	s.SendChanges(t, apptest.Today, change)
	path := "/searches/" + search.ID
	review := mara.Get(path + "/book-all").Has("Book all: Nordlys at AMS on Mon 1 Dec")
	form := review.Form(path+"/book-all", "m1.price", "USD 1.00")

	s.Gate = apptest.NewGate() // from here on the airline waits
	began := mara.Post(path+"/book-all", form).
		Has("Booked by Ingrid Holm, ", "Nothing is issued automatically.")
	helen.Run("while it runs the crew change, the list and Book all say so", func(t *testing.T, c *apptest.Client) {
		link := `href="` + began.Path + `"`
		c.Get(path+"?wait=1").Has("Ingrid Holm is booking 3 travellers: ", "Booking is under way", link)
		c.Get("/crew-changes").Has("Ingrid Holm is booking 3 travellers: ", link)
		c.Get(path+"/book-all").Has("Ingrid Holm is booking 3 travellers: ", link)
	})
	s.Gate.Pass(len(search.Members))
	mara.Finish(began).Has("2 of 3 booked")
	t.Run("afterwards the crew change says who was not booked, and why", func(t *testing.T) {
		helen.In(t).Get(path+"?wait=1").Has("2 booked", "Dela Cruz, Maria was not booked: The price is now",
			`href="`+began.Path+`"`).Lacks("is booking", "under way")
		helen.In(t).Get("/crew-changes").Lacks("is booking")
	})
}

// A person counts as booked before the batch has recorded it. The batch's page stays live
// until then, so that it and the crew change end up saying the same.
func TestBatchEndsAsOne(t *testing.T) {
	s := apptest.NewSite(t)
	mara := s.SignedIn(t, gangway.Booker)
	search := s.Keep(t, apptest.Joiners()...)
	path := "/searches/" + search.ID
	mara.Finish(mara.Submit(path + "/book-all"))
	b := store.Batch{ID: "b", Kind: "book", Search: search.ID, By: gangway.User{ID: "u", Name: "Mara"},
		CreatedAt: apptest.Today.Add(time.Minute)}
	b.Items = []store.BatchItem{{Booking: s.Bookings(t)[0].ID, Doc: []byte("{}")}}
	if _, _, err := apptest.Production(s).BeginBatch(t.Context(), b, apptest.Today.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	mara.Get(path+"/batches/b").Has("1 of 1 booked", "data-stream=")
	mara.Get(path + "?wait=1").Has("Mara is booking 1 traveller: ")
	apptest.Done(t, apptest.Production(s).SettleItem(t.Context(), "b", b.Items[0].Booking, store.ItemDone, ""))
	mara.Get(path + "/batches/b").Lacks("data-stream=")
	mara.Get(path + "?wait=1").Lacks("is booking")
}

// A booking that waits for an approver is not called booked.
func TestBatchWaitsForApproval(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	storetest.Settings(t, apptest.Production(s),
		gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	search := s.Keep(t, apptest.Joiners()...)
	path := "/searches/" + search.ID + "/book-all"
	c.Finish(c.Submit(path)).Has("0 held, 3 wait for approval", `data-state="approval_required"`).Lacks("3 of 3 booked")
}

// What the page leaves to be issued by hand is held only, also by the button that has the others issued automatically.
func TestWhatIsIssuedByHandIsHeldOnly(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	search := s.Keep(t, apptest.Joiners()...)
	path := "/searches/" + search.ID + "/book-all"
	form := c.Get(path).Form(path, "unissued", "issue")
	byHand := form.Get("member")
	form.Set("m"+byHand+".byhand", "yes")
	c.Finish(c.Post(path, form))
	s.WantBookings(t, len(search.Members))
	for _, b := range s.Bookings(t) {
		if want := strconv.Itoa(b.Purpose.Member) != byHand; b.AutoIssue != want {
			t.Errorf("member %d is issued automatically: %t; want %t", b.Purpose.Member, b.AutoIssue, want)
		}
	}
}
