package book_test

import (
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// disturbed issues a booking and lets its airline change the flights by itself,
// in a way that fits.
func (c *counter) disturbed(t *testing.T, fits func(flight.Notice) bool) (gangway.Booking, flight.Notice) {
	t.Helper()
	b := c.issued(t)
	c.clock.forward(2 * 24 * time.Hour) // the void period is over
	for seed := int64(1); seed < 3000; seed++ {
		changed := c.network.For(c.in.Ledger(), seed)
		order, err := changed.Order(t.Context(), b.Order)
		if err != nil {
			t.Fatal(err)
		}
		if order.Notice != nil && fits(*order.Notice) {
			c.supplier = changed
			return b, *order.Notice
		}
	}
	t.Fatal("no seed changes the flights so")
	return b, flight.Notice{}
}

func instead(n flight.Notice) bool { return !n.Minor && len(n.Itinerary.Segments) > 0 }

// noticed lets the automated user look at the booking.
func (c *counter) noticed(t *testing.T) {
	t.Helper()
	c.clock.forward(6 * time.Hour)
	if err := c.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAirlineChanges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("a person takes what the airline offers instead, for nothing", func(t *testing.T) {
			c := open(t, db, plain)
			b, n := c.disturbed(t, instead)
			c.noticed(t)
			waits, err := c.in.Booking(t.Context(), b.ID)
			if err != nil || waits.State != gangway.ChangePending || !waits.Change.ByAirline || waits.Change.Why != n.Why || !waits.Change.Due.IsZero() {
				t.Fatalf("the booking is %s with change %+v (%v); want it to wait for an answer", waits.State, waits.Change, err)
			}
			c.noticed(t) // and it goes on waiting
			done, err := c.ConfirmChange(t.Context(), c.in, c.booker, b.ID)
			if err != nil || done.State != gangway.Issued || !done.Notice.Answered || done.Price != b.Price {
				t.Fatalf("ConfirmChange = %s, notice %+v, price %s, %v; want it issued for the same price", done.State, done.Notice, done.Price.Total, err)
			}
			if !done.Itinerary.Departure().Equal(n.Itinerary.Departure()) {
				t.Errorf("it leaves %s; want %s as offered", done.Itinerary.Departure(), n.Itinerary.Departure())
			}
			c.noticed(t) // the same change is not brought up again
			c.wantLog(t, b.ID, "confirmed ana@example.com", "issued ana@example.com", "change_pending system", "issued ana@example.com")
		})
		t.Run("who leaves it gets everything back", func(t *testing.T) {
			c := open(t, db, plain)
			b, _ := c.disturbed(t, instead)
			c.noticed(t)
			left, err := c.GiveUpChange(t.Context(), c.in, c.booker, b.ID)
			if err != nil || left.State != gangway.Issued || !left.Notice.Declined {
				t.Fatalf("GiveUpChange = %s, notice %+v, %v; want it issued, with the notice declined", left.State, left.Notice, err)
			}
			c.noticed(t)
			quote, err := c.QuoteCancel(t.Context(), c.in, b.ID)
			if err != nil || quote.Refund != b.Price.Total {
				t.Fatalf("QuoteCancel = %s back, %v; want all of %s", quote.Refund, err, b.Price.Total)
			}
			gone, err := c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID)
			if err != nil || gone.State != gangway.RefundPending {
				t.Fatalf("Cancel = %s, %v", gone.State, err)
			}
			c.wantLog(t, b.ID, "confirmed ana@example.com", "issued ana@example.com", "change_pending system", "issued ana@example.com", "refund_pending ana@example.com")
		})
		t.Run("times that move a little are taken by themselves, and told", func(t *testing.T) {
			c := open(t, db, plain)
			b, n := c.disturbed(t, func(n flight.Notice) bool { return n.Minor })
			c.noticed(t)
			c.wantLog(t, b.ID, "confirmed ana@example.com", "issued ana@example.com", "change_pending system", "issued system")
			moved, err := c.in.Booking(t.Context(), b.ID)
			if err != nil || !moved.Itinerary.Arrival().Equal(n.Itinerary.Arrival()) {
				t.Fatalf("it lands %s, %v; want %s", moved.Itinerary.Arrival(), err, n.Itinerary.Arrival())
			}
		})
		t.Run("what the airline tells of is looked at at once", func(t *testing.T) {
			c := open(t, db, plain)
			b, _ := c.disturbed(t, instead)
			if err := c.Nudge(t.Context(), c.in, "simulated", b.Order); err != nil {
				t.Fatal(err)
			}
			if err := c.Nudge(t.Context(), c.in, "simulated", "nobody's"); err != nil {
				t.Fatal(err)
			}
			if err := c.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
			if now, err := c.in.Booking(t.Context(), b.ID); err != nil || now.State != gangway.ChangePending {
				t.Fatalf("the booking is %s, %v", now.State, err)
			}
		})
	})
}

func TestPriceMoves(t *testing.T) {
	c := open(t, storetest.New(t), plain)
	b := c.booked(t, func(o flight.Offer) bool {
		return o.Terms.Brand == "Classic" && o.TicketBy.Sub(o.PriceUntil) > time.Hour
	})
	// Close to departure everything is dearer: a week on, were the seats held so long.
	c.clock.forward(b.PriceUntil.Sub(c.clock.Now()) + time.Minute)
	now, err := c.PriceToIssue(t.Context(), c.in, b)
	if err != nil {
		t.Fatal(err)
	}
	if now.Total == b.Price.Total {
		_, err = c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total)
		if err != nil {
			t.Fatalf("Issue = %v; want it at the price that stayed", err)
		}
		return
	}
	if _, err := c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total); gangway.KindOf(err) != gangway.Conflict || !strings.Contains(err.Error(), now.Total.String()) {
		t.Fatalf("Issue at the old price = %v; want a conflict that names %s", err, now.Total)
	}
	done, err := c.Issue(t.Context(), c.in, c.booker, b.ID, now.Total)
	if err != nil || done.Price != now {
		t.Fatalf("Issue = %s, %v; want %s", done.Price.Total, err, now.Total)
	}
}

func TestReach(t *testing.T) {
	c := open(t, storetest.New(t), plain)
	if _, ok := c.supplier.(flight.Scout); !ok {
		t.Skip("the network cannot tell")
	}
	s := c.search(t, 2)
	s.Members[1].Legs = nil
	reach, err := c.Reach(t.Context(), c.in, s)
	if err != nil || len(reach) != 2 || !reach[0].Known || !reach[0].OK || reach[1].Known {
		t.Fatalf("Reach = %+v, %v; want the first to get there, and nothing known of the second", reach, err)
	}
	for _, o := range c.offers(t, c.search(t, 1), 0) {
		if o.Itinerary.Departure().After(reach[0].Departure) {
			t.Errorf("an offer leaves %s; the latest was said to be %s", o.Itinerary.Departure(), reach[0].Departure)
		}
	}
}

func TestTwice(t *testing.T) {
	c := open(t, storetest.New(t), plain)
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
		if list, err := c.Twice(t.Context(), c.in, tt.who, tt.legs); err != nil || len(list) != tt.want {
			t.Errorf("%s: Twice = %d bookings, %v; want %d", tt.name, len(list), err, tt.want)
		}
	}
	quote, err := c.QuoteCancel(t.Context(), c.in, b.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID); err != nil {
		t.Fatal(err)
	}
	if list, err := c.Twice(t.Context(), c.in, maria, legs("2026-12-02")); err != nil || len(list) != 0 {
		t.Errorf("after cancelling: %d bookings, %v; want none", len(list), err)
	}
}
