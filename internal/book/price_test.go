package book_test

import (
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

func TestPriceMoves(t *testing.T) {
	c := open(t, storetest.New(t))
	b := c.booked(t, func(o flight.Offer) bool {
		return o.Terms.Brand == "Classic" && o.TicketBy.Sub(o.PriceUntil) > time.Hour
	})
	// Close to departure everything costs more: a week later, if the seats were held that long.
	c.clock.forward(b.PriceUntil.Sub(c.clock.Now()) + time.Minute)
	now := must(c.PriceToIssue(t.Context(), c.in, b))(t)
	if now.Total != b.Price.Total {
		refused(t, gangway.Conflict)(c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total))
	}
	if issued := must(c.Issue(t.Context(), c.in, c.booker, b.ID, now.Total))(t); issued.Price != now {
		t.Fatalf("Issue = %s; want %s", issued.Price.Total, now.Total)
	}
}

func TestCurrency(t *testing.T) {
	c := open(t, storetest.New(t))
	storetest.Settings(t, c.in, gangway.Settings{Currency: "EUR"})
	b := c.booked(t, marine)
	if b.Price.Total.Currency != "EUR" || b.Price.Fare.Add(b.Price.Taxes) != b.Price.Total {
		t.Fatalf("booked for %s, fare %s and taxes %s; want euros that add up", b.Price.Total, b.Price.Fare,
			b.Price.Taxes)
	}
	storetest.Settings(t, c.in, gangway.Settings{})
	b = must(c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total))(t)
	if b.Price.Total.Currency != "EUR" {
		t.Fatalf("Issue = %s; want it in the currency that it was booked in", b.Price.Total)
	}
}

// A panic in the function that receives a price reaches the caller, and does not
// end the process.
func TestPriceAllBreaksNobodyElse(t *testing.T) {
	c := open(t, storetest.New(t))
	defer func() {
		if recover() == nil {
			t.Error("nothing came back")
		}
	}()
	c.PriceAll(t.Context(), c.in, []string{"one", "two"}, func(int, flight.Offer, error) {
		panic("an unexpected offer")
	})
}
