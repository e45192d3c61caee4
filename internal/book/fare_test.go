package book_test

import (
	"errors"
	"testing"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// TestFaresThatCrewMayUse holds that a fare which lacks what crew need is held only by somebody who was told of that,
// never by a run, and an airline that is not used by nobody.
func TestFaresThatCrewMayUse(t *testing.T) {
	c := open(t, storetest.New(t))
	c.supplier = c.line.Supplier
	none := func(o flight.Offer) bool {
		return o.Terms.Changes == gangway.NoChange &&
			(gangway.FareRule{Bag: true}).Unmet(o.Terms, o.Baggage).Bag
	}
	s := c.search(t, 1)
	light := c.ask(s, c.offer(t, s, none))
	crew := c.offer(t, s, marine)
	set := func(s gangway.Settings) { storetest.Settings(t, c.in, s) }
	told := func(err error) gangway.FareRule {
		var of *book.FareError
		if !errors.As(err, &of) || gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("error %v; want one that names the rule", err)
		}
		return of.Unmet
	}

	set(gangway.Settings{Fares: gangway.FareRule{Bag: true, Change: true}})
	_, err := c.Book(t.Context(), c.in, c.booker, light)
	both := told(err)
	if both != (gangway.FareRule{Bag: true, Change: true}) {
		t.Errorf("the fare is said to lack %s; want both", both)
	}
	light.Unmet = gangway.FareRule{Bag: true} // they were told of less
	_, err = c.Book(t.Context(), c.in, c.booker, light)
	told(err)
	if n := len(c.others()); n != 0 {
		t.Fatalf("%d bookings; want none before the answer", n)
	}
	light.Unmet = both
	b := must(c.Book(t.Context(), c.in, c.booker, light))(t)
	wantNote := func(b gangway.Booking, want string) {
		t.Helper()
		if list := must(c.in.History(t.Context(), b.ID))(t); list[0].Note != want {
			t.Errorf("the history says %q of it; want %q", list[0].Note, want)
		}
	}
	wantNote(b, "held against the fare setting: crew need a checked bag and a changeable fare")

	quote := must(c.QuoteCancel(t.Context(), c.in, b.ID))(t)
	must(c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID))(t)
	if again := must(c.FindAgain(t.Context(), c.in, b.ID))(t); again.Unmet != both {
		t.Errorf("held again it lacks %s; want both", again.Unmet)
	}
	_, err = c.Act(t.Context(), c.in, c.booker, book.ActAsk{ID: book.NewID(), Act: book.ActAgain, Booking: b.ID,
		Terms: book.ActTerms{Amount: b.Price.Total, Fare: b.Terms}})
	told(err)

	set(gangway.Settings{Avoid: gangway.Airlines(crew.Itinerary.Segments[0].Carrier)})
	refused(t, gangway.Conflict)(c.Price(t.Context(), c.in, crew.ID))
	refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, c.ask(c.search(t, 1), crew)))

	set(gangway.Settings{})
	through := c.offer(t, s, func(o flight.Offer) bool { return len(o.Itinerary.Segments) == 2 })
	at := through.Itinerary.Segments[0].Destination
	set(gangway.Settings{Transits: gangway.Transits(flight.CountryOf(at))})
	refused(t, gangway.Conflict)(c.Price(t.Context(), c.in, through.ID))
	refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, c.ask(s, through)))
	set(gangway.Settings{})
	wantNote(must(c.Book(t.Context(), c.in, c.booker, c.ask(c.search(t, 1), crew)))(t), "")
}
