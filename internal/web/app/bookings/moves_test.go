package bookings_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestMovedPairsArePutToAPerson follows two replacements over the pages: the run, Today and the bookings say what
// waits, and a person cancels the old booking, or keeps both.
func TestMovedPairsArePutToAPerson(t *testing.T) {
	s := apptest.NewClockedSite(t)
	c, in := s.SignedIn(t, gangway.Booker), apptest.Production(s)
	by, _, err := s.DB.UserByEmail(t.Context(), "booker@example.com")
	apptest.Done(t, err)
	s.Upload(t, "2036-12-05", apptest.Sailors(2))
	c.BookEverybody("BRU")
	list := s.Bookings(t)
	for i, b := range list {
		list[i] = apptest.Must(s.Desk.Issue(t.Context(), in, by, b.ID, b.Price.Total))(t)
	}
	storetest.Settings(t, in, gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	s.Upload(t, "2036-12-10", apptest.Sailors(2))
	change := apptest.Must(in.CrewChange(t.Context(), list[0].Purpose.Change))(t)
	search := book.SearchForCrewChange(change, "BRU", by.Email, s.Now())
	apptest.Done(t, in.SaveSearch(t.Context(), search))
	offers := map[int]flight.Offer{}
	apptest.Done(t, s.Desk.Search(t.Context(), in, search, func(f book.FoundOffers) {
		for _, o := range f.Offers {
			if o.TicketBy.After(offers[f.Member].TicketBy) {
				offers[f.Member] = o
			}
		}
	}))
	asks := make([]book.MoveAsk, len(list))
	apptest.Done(t, s.Desk.QuoteMoves(t.Context(), in, by, list, func(i int, q book.MoveQuote, err error) {
		apptest.Done(t, err)
		member := 0
		for m := range search.Members {
			if search.Members[m].Traveller.ID == list[i].Passenger.ID {
				member = m
			}
		}
		o := offers[member]
		asks[i] = book.MoveAsk{ID: book.NewID(), Way: book.WayAnew, Booking: list[i].ID, Terms: q.End.ActTerms,
			New: &book.BookAsk{Search: search.ID, Member: member, Offer: o.ID, Price: o.Price.Total,
				OneADay: book.OneADay(list[i].Itinerary, o.Itinerary)}}
	}))
	bs := plan.New(plan.Config{DB: s.DB, Desk: s.Desk, Now: s.Now, Log: slog.New(slog.DiscardHandler)})
	run := book.NewID()
	apptest.Done(t, bs.Move(t.Context(), in, by, run, change.Key(), asks))

	page := c.Finish(c.Get("/runs/"+run)).Has("Approval needed by", list[0].Locator+" stays live until")
	if n := states(page)["done"]; n != 2 {
		t.Fatalf("%d are done; want both held", n)
	}
	boss := s.SignedIn(t, gangway.Approver)
	s.Passed.Add(int64(23 * time.Hour)) // the tickets can no longer be voided
	for _, ask := range asks {
		boss.Submit("/bookings/" + ask.ID + "/approve")
	}
	apptest.Done(t, s.Desk.Tick(t.Context()))
	keep, end := asks[0].ID, asks[1].ID
	for _, path := range []string{"/", "/runs/" + run, "/bookings/" + keep} {
		c.Get(path).Has("Keep both", `href="/bookings/`+list[0].ID+`/cancel"`)
	}
	c.Get("/bookings/"+list[0].ID).Has("are both live: ", `href="/bookings/`+keep+`"`)
	c.Post("/bookings/"+keep+"/handled", url.Values{"back": {"/runs/" + run}}).Is(http.StatusOK)
	anew := apptest.Must(in.Booking(t.Context(), end))(t)
	c.Get("/bookings/"+list[1].ID+"/cancel").Has(anew.Locator+", which replaces it, has no ticket yet",
		"then has no ticket", "are both live: ")
	c.Submit("/bookings/" + list[1].ID + "/cancel")
	apptest.Done(t, s.Desk.Tick(t.Context()))
	c.Get("/runs/"+run).Has("kept both", list[1].Locator+" is no longer live").Lacks("Keep both")
	late := book.NewID()
	asks[0] = book.MoveAsk{ID: book.NewID(), Way: book.WayChange, Booking: keep, Offer: "gone"}
	asks[1].ID, asks[1].Booking = book.NewID(), end
	apptest.Done(t, bs.Move(t.Context(), in, by, late, change.Key(), asks))
	page = c.Finish(c.Get("/runs/"+late)).Lacks("kept both", "replaces", "1 Jan")
	if n := states(page)["refused"]; n != 2 {
		t.Errorf("%d are refused; want both\n%s", n, page.Body)
	}
	busy := store.Batch{ID: book.NewID(), Kind: string(plan.Moves), By: by, CreatedAt: s.Now(),
		Items: []store.BatchItem{{Booking: book.NewID(), Doc: []byte("{}")}}}
	_, _, err = in.BeginBatch(t.Context(), busy, s.Now().Add(time.Minute))
	apptest.Done(t, err)
	apptest.Done(t, in.SettleItem(t.Context(), busy.ID, busy.Items[0].Booking, store.ItemBusy,
		store.ErrUnderWay.Error()))
	c.Get("/runs/"+busy.ID).Has("This traveller is being booked right now.", "✕</span>not done")
	c.Get("/").Has(list[1].Locator+", which this booking replaces, has ended", "/bookings/"+end)
	apptest.Must(s.Desk.Issue(t.Context(), in, by, end, anew.Price.Total))(t)
	for _, id := range []string{keep, end} {
		if b := apptest.Must(in.Booking(t.Context(), id))(t); b.Replaces.Open() || b.Attention.Open() {
			t.Errorf("%s: %+v, %+v; want it settled", b.Locator, b.Replaces, b.Attention)
		}
	}
}
