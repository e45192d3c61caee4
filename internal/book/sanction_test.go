package book_test

import (
	"context"
	"testing"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// admit sets whether the counter's account admits airlines named in sanctions.
func (c *counter) admit(t *testing.T, yes bool) {
	t.Helper()
	account := must(c.in.Account(t.Context()))(t)
	account.Settings.AdmitSanctioned = yes
	storetest.Settings(t, c.in, account.Settings)
}

// sanctioned reports whether an offer has a flight of an airline named in sanctions.
func sanctioned(o flight.Offer) bool {
	return flight.MaySell(o.Itinerary, gangway.Public, o.Plating, false) != nil
}

func TestSanctionedAirlinesAreSoldOnlyWhereAdmitted(t *testing.T) {
	c := open(t, storetest.New(t))
	c.supplier = c.line.Supplier
	s := c.search(t, 1)
	s.Members[0].Legs = []gangway.Leg{{Origin: "MMK", Destination: "SVO", Date: "2026-12-01"}}
	done(t, c.in.SaveSearch(t.Context(), s))
	reach := func() bool { return must(c.Reach(t.Context(), c.in, s))(t)[0].OK }
	offered := func() (n int) {
		done(t, c.Search(t.Context(), c.in, s, func(f book.FoundOffers) { n += len(f.Offers) }))
		return n
	}
	if offered() > 0 || reach() {
		t.Fatalf("%d offers, there in time %t; want nothing on a route that only such airlines fly", offered(), reach())
	}
	c.supplier = careless{c.supplier} // which ignores the account's setting, so that the desk has to check it
	if offered() > 0 {
		t.Fatal("the desk offers what a careless supplier does")
	}
	c.supplier = c.line.Supplier

	c.admit(t, true)
	o := c.offer(t, s, func(o flight.Offer) bool { return sanctioned(o) && !o.TicketBy.IsZero() })
	if o.Terms.FareType == gangway.Marine || !reach() {
		t.Errorf("%s is offered, there in time %t; want a public fare, in time", o.Terms.FareType, reach())
	}

	c.admit(t, false) // the offer was found before that
	refused(t, gangway.Conflict)(c.Price(t.Context(), c.in, o.ID))
	refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, c.ask(s, o)))

	c.admit(t, true)
	must(c.Book(t.Context(), c.in, c.booker, c.ask(s, o)))(t)
}

// careless offers airlines named in sanctions to everybody.
type careless struct{ flight.Supplier }

func (s careless) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	ask.Sanctioned = true
	return s.Supplier.Search(ctx, ask, found)
}
