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

// byPhone is a ticket that somebody bought by phone.
func byPhone(at time.Time) flight.Entry {
	return flight.Entry{
		Agency: "Harbour Travel", PNRs: []string{"ABC234"}, Tickets: []string{"6182412345678"},
		Itinerary: gangway.Itinerary{Segments: []gangway.Segment{
			{Carrier: "SQ", FlightNumber: "SQ917", Origin: "MNL", Destination: "SIN", Departure: at,
				Arrival: at.Add(4 * time.Hour), Cabin: gangway.Economy},
		}},
		Price: gangway.Price{Total: usd(81250), Fare: usd(70000), Taxes: usd(11250)},
		Terms: gangway.Terms{FareType: gangway.Public, Cancellations: gangway.NonRefundable, Changes: gangway.NoChange},
	}
}

func usd(cents int64) gangway.Money { return gangway.Money{Minor: cents, Currency: "USD"} }

func TestEnter(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db)
		storetest.Settings(t, c.in, always)
		ask := book.EntryAsk{ID: book.NewID(), Passenger: maria, Vessel: "Nordlys", Flag: "NO", Side: gangway.OnSigner,
			Entry: byPhone(c.clock.Now().AddDate(0, 0, 10))}

		t.Run("a booking made elsewhere is issued at once, only once, and needs no approval", func(t *testing.T) {
			for range 2 { // the same form sent twice
				b, err := c.Enter(t.Context(), c.in, c.booker, ask)
				if err != nil || b.ID != ask.ID || b.State != gangway.Issued || b.Tickets[0] != "6182412345678" ||
					b.Supplier != flight.Elsewhere || b.Approval != nil {
					t.Fatalf("Enter = %s of %s with tickets %q, %v", b.State, b.Supplier, b.Tickets, err)
				}
			}
			c.wantLog(t, ask.ID, "confirmed ana", "issued ana")
		})
		t.Run("the automated user leaves it alone", func(t *testing.T) {
			done(t, all(noticed, noticed)(t, c, gangway.Booking{}))
			c.wantLog(t, ask.ID, "confirmed ana", "issued ana")
		})
		t.Run("it is changed and cancelled where it was made, and recorded here", func(t *testing.T) {
			moved := byPhone(c.clock.Now().AddDate(0, 0, 12))
			moved.Price.Total, moved.Due = usd(90000), usd(8750)
			b := must(c.EnterChange(t.Context(), c.in, c.booker, ask.ID, moved))(t)
			if b.State != gangway.Issued || b.Price.Total != usd(90000) {
				t.Fatalf("EnterChange = %s for %s", b.State, b.Price.Total)
			}
			done(t, cancel(t, c, b))
			b = must(c.EnterRefund(t.Context(), c.in, c.booker, ask.ID, usd(50000)))(t)
			if b.State != gangway.Cancelled || b.Refund.Amount != usd(50000) {
				t.Fatalf("EnterRefund = %s with %+v", b.State, b.Refund)
			}
			if kept, known := b.Kept(); b.PaidSoFar() != usd(90000) || b.Returned() != usd(50000) || !known ||
				kept != usd(40000) {
				t.Errorf("paid %s, %s came back, %s kept; want 900.00, 500.00 and 400.00", b.PaidSoFar(), b.Returned(),
					kept)
			}
			c.wantLog(t, ask.ID, "confirmed ana", "issued ana", "change_pending ana", "issued ana",
				"refund_pending ana", "cancelled ana")
		})
		t.Run("nothing can be chosen to be issued automatically", func(t *testing.T) {
			phoned := byPhone(c.clock.Now().AddDate(0, 0, 30))
			phoned.Tickets = nil
			b := must(c.Enter(t.Context(), c.in, c.booker, book.EntryAsk{ID: book.NewID(), Passenger: maria,
				Entry: phoned, Others: c.others()}))(t)
			refused(t, gangway.Conflict)(c.SetAutoIssue(t.Context(), c.in, c.booker, b.ID, true))
		})
		t.Run("a booking that was sold here cannot be edited by hand", func(t *testing.T) {
			b := c.booked(t, marine)
			refused(t, gangway.Conflict)(c.EnterTickets(t.Context(), c.in, c.booker, b.ID, []string{"6182412345678"}))
		})
	})
}

func TestTwice(t *testing.T) {
	c := open(t, storetest.New(t))
	b := c.booked(t, marine)
	legs := func(on gangway.Date) []gangway.Leg {
		return []gangway.Leg{{Origin: "MNL", Destination: "SIN", Date: on}}
	}
	other := maria
	other.DOB = "1961-01-01"
	for _, tt := range []struct {
		name string
		who  gangway.Traveller
		legs []gangway.Leg
		want int
	}{
		{"around the same days", maria, legs("2026-12-02"), 1},
		{"a week later", maria, legs("2026-12-09"), 0},
		{"somebody else of the same name", other, legs("2026-12-02"), 0},
		{"nobody yet", gangway.Traveller{}, legs("2026-12-02"), 0},
	} {
		if list, err := book.Twice(t.Context(), c.in, tt.who, tt.legs); err != nil || len(list) != tt.want {
			t.Errorf("%s: Twice = %d bookings, %v; want %d", tt.name, len(list), err, tt.want)
		}
	}
	done(t, cancel(t, c, b))
	if list := must(book.Twice(t.Context(), c.in, maria, legs("2026-12-02")))(t); len(list) != 0 {
		t.Errorf("after cancelling: %d bookings; want none", len(list))
	}
}
