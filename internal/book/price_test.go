package book_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

func TestPriceMoves(t *testing.T) {
	c := open(t, storetest.New(t), plain)
	b := c.booked(t, func(o flight.Offer) bool {
		return o.Terms.Brand == "Classic" && o.TicketBy.Sub(o.PriceUntil) > time.Hour
	})
	// Close to departure everything costs more: a week later, if the seats were held that long.
	c.clock.forward(b.PriceUntil.Sub(c.clock.Now()) + time.Minute)
	now, err := c.PriceToIssue(t.Context(), c.in, b)
	if err != nil {
		t.Fatal(err)
	}
	if now.Total == b.Price.Total {
		must(c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total))(t)
		return
	}
	if _, err := c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total); gangway.KindOf(err) != gangway.Conflict ||
		!strings.Contains(err.Error(), now.Total.String()) {
		t.Fatalf("Issue at the old price = %v; want a conflict that names %s", err, now.Total)
	}
	done, err := c.Issue(t.Context(), c.in, c.booker, b.ID, now.Total)
	if err != nil || done.Price != now {
		t.Fatalf("Issue = %s, %v; want %s", done.Price.Total, err, now.Total)
	}
}

func TestCurrency(t *testing.T) {
	c := open(t, storetest.New(t), plain)
	account, err := c.in.Account(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	account.Settings.Currency = "EUR"
	storetest.Settings(t, c.in, account.Settings)
	b := c.booked(t, marine)
	if b.Price.Total.Currency != "EUR" || b.Price.Fare.Add(b.Price.Taxes) != b.Price.Total {
		t.Fatalf("booked for %s, fare %s and taxes %s; want euros that add up", b.Price.Total, b.Price.Fare,
			b.Price.Taxes)
	}
	account.Settings.Currency = ""
	storetest.Settings(t, c.in, account.Settings)
	if b, err = c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total); err != nil || b.Price.Total.Currency !=
		"EUR" {
		t.Fatalf("Issue = %s, %v; want it in the currency that it was booked in", b.Price.Total, err)
	}
}

// A panic in the function that receives a price reaches the caller, and does not
// end the process.
func TestPriceAllBreaksNobodyElse(t *testing.T) {
	c := open(t, storetest.New(t), plain)
	defer func() {
		if recover() == nil {
			t.Error("nothing came back")
		}
	}()
	c.PriceAll(t.Context(), c.in, []string{"one", "two"}, func(int, flight.Offer, error) {
		panic("an unexpected offer")
	})
}
