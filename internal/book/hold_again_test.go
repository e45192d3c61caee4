package book_test

import (
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestHoldAgain holds what is promised when seats that were released, or lost, are held again.
func TestHoldAgain(t *testing.T) {
	released := func(t *testing.T, c *counter, fits func(flight.Offer) bool) gangway.Booking {
		t.Helper()
		b := c.booked(t, fits)
		quote := must(c.QuoteCancel(t.Context(), c.in, b.ID))(t)
		return must(c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID))(t)
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("the same seats, as a booking with another locator, once for a form", func(t *testing.T) {
			c := open(t, db)
			was := released(t, c, marine)
			ask := book.BookAsk{ID: book.NewID(), Again: was.ID, Price: was.Price.Total}
			b := must(c.HoldAgain(t.Context(), c.in, c.approver, ask))(t)
			same := must(c.HoldAgain(t.Context(), c.in, c.approver, ask))(t)
			if b.ID != ask.ID || same.Version != 1 || b.Locator == was.Locator || b.State != gangway.Confirmed ||
				!b.Itinerary.SameSeats(was.Itinerary) || b.Terms != was.Terms || b.Price != was.Price || b.AutoIssue ||
				b.Passenger.DocNumber != was.Passenger.DocNumber || b.Purpose.FlightIDs["MNL-AMS_flight_id"] != "F-9" ||
				b.CreatedBy != c.approver.Email {
				t.Errorf("%+v after %+v", b, was)
			}
			c.wantLog(t, b.ID, "confirmed boris")
			refused(t, gangway.Conflict)(c.HoldAgain(t.Context(), c.in, c.booker, book.BookAsk{ID: book.NewID(),
				Again: was.ID, Price: was.Price.Total}))
		})
		t.Run("another price holds nothing, and is quoted", func(t *testing.T) {
			c := open(t, db)
			was := released(t, c, any1)
			c.clock.forward(25 * 24 * time.Hour)
			again := must(c.FindAgain(t.Context(), c.in, was.ID))(t)
			if again.Offer.Price.Total == was.Price.Total || !again.SameTerms {
				t.Fatalf("%+v; want the same terms at another price", again)
			}
			ask := book.BookAsk{ID: book.NewID(), Again: was.ID, Price: was.Price.Total}
			refused(t, gangway.Conflict)(c.HoldAgain(t.Context(), c.in, c.booker, ask))
			ask.Offer, ask.Price = again.Offer.ID, again.Offer.Price.Total
			if b := must(c.HoldAgain(t.Context(), c.in, c.booker, ask))(t); b.Price.Total != ask.Price {
				t.Errorf("held at %s; want %s", b.Price.Total, ask.Price)
			}
		})
		t.Run("approval is asked again", func(t *testing.T) {
			c := open(t, db)
			was := released(t, c, marine)
			storetest.Settings(t, c.in, gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
			b := must(c.HoldAgain(t.Context(), c.in, c.booker, book.BookAsk{ID: book.NewID(), Again: was.ID,
				Price: was.Price.Total}))(t)
			if b.State != gangway.ApprovalRequired {
				t.Errorf("it is %s", b.State)
			}
		})
		t.Run("not what stands, what was made elsewhere, and what has left", func(t *testing.T) {
			c := open(t, db)
			stands, was := c.booked(t, marine), released(t, c, marine)
			refused(t, gangway.Conflict)(c.FindAgain(t.Context(), c.in, stands.ID))
			c.clock.to(was.Itinerary.Departure())
			refused(t, gangway.Conflict)(c.FindAgain(t.Context(), c.in, was.ID))
		})
	})
}
