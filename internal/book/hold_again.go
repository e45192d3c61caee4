package book

import (
	"cmp"
	"context"
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// An Again is the seats of a booking that is over, as its airline sells them now.
type Again struct {
	Offer     flight.Offer
	SameTerms bool             // times, rules and baggage are as they were
	Misfit    string           // how they do not fit what is planned today
	Unmet     gangway.FareRule // what the fare lacks of what crew need
}

// FindAgain looks for the seats of a booking that is over: the same flights in the same cabins, by
// the same rules if they are still sold so. Conflict: the booking stands, or nobody sells its seats
// any more.
//
// Decided: docs/choices.md, "Hold the same again".
func (d *Desk) FindAgain(ctx context.Context, in store.Scoped, id string) (Again, error) {
	b, err := in.Booking(ctx, id)
	if err != nil {
		return Again{}, err
	}
	again := Again{}
	if err := d.over(in, b); err != nil {
		return again, err
	}
	booked, _, err := in.Bookings(ctx, store.BookingQuery{Search: b.Purpose.Search, Live: true})
	if err != nil {
		return again, err
	}
	for _, other := range booked {
		if other.Purpose.Member == b.Purpose.Member {
			return again, gangway.Errorf(gangway.Conflict, store.BookedAlready+"%s", other.Locator)
		}
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return again, err
	}
	account, err := in.Account(ctx)
	if err != nil {
		return again, err
	}
	ways, err := d.waysTo(ctx, in, b)
	if err != nil {
		return again, err
	}
	var found []flight.Offer
	for _, m := range ways {
		err := d.searchMember(ctx, supplier, account.Settings, gangway.Search{Vessel: b.Purpose.Vessel,
			Flag: b.Purpose.Flag}, m, func(offers []flight.Offer) {
			found = append(found, slices.DeleteFunc(offers, func(o flight.Offer) bool {
				return !o.Itinerary.SameSeats(b.Itinerary)
			})...)
		})
		if err != nil {
			return again, err
		}
		if len(found) > 0 {
			break
		}
	}
	if len(found) == 0 {
		return again, gangway.Errorf(gangway.Conflict, "the airline does not offer the seats of booking %s any more",
			b.Locator)
	}
	differs := func(o flight.Offer) int { return map[bool]int{false: 1}[asBooked(o, b)] }
	again.Offer = slices.MinFunc(found, func(x, y flight.Offer) int {
		return cmp.Or(cmp.Compare(differs(x), differs(y)), cmp.Compare(x.Price.Total.Minor, y.Price.Total.Minor))
	})
	if again.Offer, err = d.sellable(ctx, in, supplier, again.Offer.ID); err != nil {
		return again, err
	}
	again.SameTerms = asBooked(again.Offer, b)
	again.Unmet = account.Settings.Fares.Unmet(again.Offer.Terms, again.Offer.Baggage)
	plans, err := PlansOf(ctx, in, []gangway.Booking{b})
	again.Misfit = plans.Misfit(b)
	return again, err
}

// over returns why the seats of b cannot be held again; nil if they can.
func (d *Desk) over(in store.Scoped, b gangway.Booking) error {
	switch {
	case b.MayHoldAgain(d.now(in)) && b.Supplier != flight.Elsewhere:
		return nil
	case b.Live() && !b.Sample():
		return gangway.Errorf(gangway.Conflict, "booking %s still stands", b.Locator)
	}
	return gangway.Errorf(gangway.Conflict, "the seats of booking %s cannot be held again", b.Locator)
}

// asBooked reports whether the times, the rules and the baggage of an offer are those that were booked.
func asBooked(o flight.Offer, b gangway.Booking) bool {
	return o.Terms == b.Terms && slices.Equal(o.Baggage, b.Baggage) && o.Itinerary.SameTimes(b.Itinerary)
}

// waysTo returns the searches that may find the seats of b: the one that found them, if it is known,
// and one for the days and times of its flights.
func (d *Desk) waysTo(ctx context.Context, in store.Scoped,
	b gangway.Booking) (ways []gangway.SearchMember, err error) {
	s, err := in.Search(ctx, b.Purpose.Search)
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		return nil, err
	}
	if b.Purpose.Member < len(s.Members) {
		ways = append(ways, s.Members[b.Purpose.Member])
	}
	m := gangway.SearchMember{Legs: legsOf(b.Itinerary), Wishes: map[string]string{}}
	for i, leg := range b.Itinerary.Legs() {
		m.Wishes[string(m.Legs[i].Origin)+"-"+string(m.Legs[i].Destination)+"_departure_time"] =
			leg[0].Departure.Format("15:04")
	}
	return append(ways, m), nil
}

// HoldAgain holds the seats of the booking that ask.Again names, which is over, as a booking of its
// own for the same traveller and purpose. Whether it waits for an approver is asked again. Without
// an offer it is the one that FindAgain finds.
//
// Conflict: the price is not what was agreed to, or without an offer anything else differs; the
// seats are gone; or the traveller is booked meanwhile. TwiceError and Unavailable: as for Book.
func (d *Desk) HoldAgain(ctx context.Context, in store.Scoped, by gangway.User, ask BookAsk) (gangway.Booking, error) {
	if b, err := in.Booking(ctx, ask.ID); gangway.KindOf(err) != gangway.NotFound {
		return b, err
	}
	was, err := in.Booking(ctx, ask.Again)
	if err == nil {
		err = d.over(in, was)
	}
	if err == nil && ask.Offer == "" {
		ask.Offer, err = d.unchanged(ctx, in, was, ask.Price)
	}
	if err != nil {
		return gangway.Booking{}, err
	}
	ask.Search, ask.Member, ask.Supplier = was.Purpose.Search, was.Purpose.Member, was.Supplier
	return d.Book(ctx, in, by, ask)
}

// unchanged returns the offer of the seats of b, if nothing about them has changed.
func (d *Desk) unchanged(ctx context.Context, in store.Scoped, b gangway.Booking, price gangway.Money) (string, error) {
	again, err := d.FindAgain(ctx, in, b.ID)
	switch now := again.Offer.Price.Total; {
	case err != nil:
		return "", err
	case now != price:
		return "", gangway.Errorf(gangway.Conflict, "the seats of booking %s cost %s now, they were %s", b.Locator,
			now.Words(), price.Words())
	case !again.SameTerms:
		return "", gangway.Errorf(gangway.Conflict, "times, fare rules or baggage are not as they were in booking %s",
			b.Locator)
	case again.Misfit != "":
		return "", doesNotFit(again.Misfit)
	}
	return again.Offer.ID, nil
}
