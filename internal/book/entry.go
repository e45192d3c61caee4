package book

import (
	"context"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// An EntryAsk is a booking made elsewhere, by phone or by another agency, to be
// entered here.
type EntryAsk struct {
	ID        string // chosen when the form was made, so that the same form sent twice enters once
	Passenger gangway.Traveller
	Vessel    string
	Flag      gangway.Country
	Side      gangway.Side
	RequestID string
	SubID     string
	Entry     flight.Entry
	Others    []string // as in BookAsk
}

// Enter records a booking made elsewhere. With ticket numbers it is issued at
// once. It never waits for an approver, because the money is already spent.
func (d *Desk) Enter(ctx context.Context, in store.Scoped, by gangway.User, ask EntryAsk) (gangway.Booking, error) {
	register, err := d.register(ctx, in)
	if err != nil {
		return gangway.Booking{}, err
	}
	if _, err := in.Booking(ctx, ask.ID); gangway.KindOf(err) == gangway.NotFound {
		if err := unseenBookings(ctx, in, ask.Passenger, legsOf(ask.Entry.Itinerary), BookAsk{Others: ask.Others,
			Search: entrySearch(ask.ID)}); err != nil {
			return gangway.Booking{}, err
		}
	}
	offer, err := register.Enter(ctx, ask.ID, ask.Entry)
	var b gangway.Booking
	switch {
	case err == nil:
		b, err = d.bookEntry(ctx, in, by, ask, offer)
	case gangway.KindOf(err) == gangway.Conflict:
		b, err = in.Booking(ctx, ask.ID) // the same form came twice
	}
	if err != nil || len(ask.Entry.Tickets) == 0 || !b.Can(gangway.Issue) {
		return b, err
	}
	return d.Issue(ctx, in, by, b.ID, b.Price.Total)
}

// bookEntry books the entry as an offer of the register.
func (d *Desk) bookEntry(ctx context.Context, in store.Scoped, by gangway.User, ask EntryAsk,
	offer string) (gangway.Booking, error) {
	s := gangway.Search{
		ID: entrySearch(ask.ID), By: by.Email, CreatedAt: d.now(in), Vessel: ask.Vessel, Flag: ask.Flag,
		Members: []gangway.SearchMember{{Traveller: ask.Passenger, Side: ask.Side, RequestID: ask.RequestID,
			SubRequestID: ask.SubID, Legs: legsOf(ask.Entry.Itinerary)}},
	}
	if err := in.SaveSearch(ctx, s); err != nil {
		return gangway.Booking{}, err
	}
	return d.Book(ctx, in, by, BookAsk{ID: ask.ID, Search: s.ID, Offer: offer, Supplier: flight.Elsewhere,
		Price: ask.Entry.Price.Total, Passenger: ask.Passenger, Others: ask.Others, Agency: ask.Entry.Agency})
}

// entrySearch is the search identifier of a booking made elsewhere: there was no
// search, so no page leads to it.
func entrySearch(id string) string { return "entry-" + id }

// legsOf returns the legs that an itinerary flies.
func legsOf(it gangway.Itinerary) []gangway.Leg {
	var legs []gangway.Leg
	for _, leg := range it.Legs() {
		legs = append(legs, gangway.Leg{
			Origin: gangway.Place(leg[0].Origin), Destination: gangway.Place(leg[len(leg)-1].Destination),
			Date: gangway.DateOf(leg[0].Departure),
		})
	}
	return legs
}

// EnterTickets adds ticket numbers to a booking made elsewhere, which is then issued.
func (d *Desk) EnterTickets(ctx context.Context, in store.Scoped, by gangway.User, id string,
	tickets []string) (gangway.Booking, error) {
	register, b, err := d.entered(ctx, in, id)
	if err != nil {
		return b, err
	}
	if err := register.EnterTickets(ctx, b.Order, tickets); err != nil {
		return b, err
	}
	return d.Issue(ctx, in, by, id, b.Price.Total)
}

// EnterRefund records the refund of a cancelled booking made elsewhere, which is
// cancelled from then on.
func (d *Desk) EnterRefund(ctx context.Context, in store.Scoped, by gangway.User, id string,
	amount gangway.Money) (gangway.Booking, error) {
	register, b, err := d.entered(ctx, in, id)
	if err != nil {
		return b, err
	}
	if err := register.EnterRefund(ctx, b.Order, amount); err != nil {
		return b, err
	}
	order, err := register.Order(ctx, b.Order)
	if err != nil {
		return b, err
	}
	return d.move(ctx, in, id, gangway.SettleRefund, by.Email, "", func(b *gangway.Booking, a gangway.Action) {
		b.SetRefund(order.Refund, a.At)
	})
}

// EnterChange records the flights that a booking made elsewhere was changed to.
func (d *Desk) EnterChange(ctx context.Context, in store.Scoped, by gangway.User, id string,
	e flight.Entry) (gangway.Booking, error) {
	register, b, err := d.entered(ctx, in, id)
	if err != nil {
		return b, err
	}
	offer, err := register.EnterChange(ctx, b.Order, e)
	if err != nil {
		return b, err
	}
	if b, err = d.AskChange(ctx, in, by, id, offer); err != nil {
		return b, err
	}
	return d.ConfirmChange(ctx, in, by, id, offer)
}

func (d *Desk) register(ctx context.Context, in store.Scoped) (flight.Register, error) {
	supplier, err := d.suppliers(ctx, in, flight.Elsewhere)
	if err != nil {
		return nil, err
	}
	register, ok := supplier.(flight.Register)
	if !ok {
		return nil, gangway.Errorf(gangway.Unavailable, "bookings made elsewhere cannot be entered here")
	}
	return register, nil
}

// entered returns a booking that was made elsewhere.
func (d *Desk) entered(ctx context.Context, in store.Scoped, id string) (flight.Register, gangway.Booking, error) {
	b, err := in.Booking(ctx, id)
	if err != nil {
		return nil, b, err
	}
	if b.Supplier != flight.Elsewhere {
		return nil, b, gangway.Errorf(gangway.Conflict,
			"booking %s was not made elsewhere: its airline keeps these for it", b.Locator)
	}
	register, err := d.register(ctx, in)
	return register, b, err
}
