package orders

import (
	"context"
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// Accept accepts the flights that the airline offers in place of those it has changed; the
// price stays the same. Accepting again does nothing.
func (s *Seller) Accept(ctx context.Context, id, notice string) (flight.Order, error) {
	return s.update(ctx, id, func(r *record) ([]gangway.Document, error) {
		if slices.Contains(r.Changes, notice) {
			return nil, errDone
		}
		n, to, err := s.notice(ctx, *r, s.now())
		switch {
		case err != nil:
			return nil, err
		case n == nil:
			return nil, gangway.Errorf(gangway.Conflict, "the airline has changed nothing in this order")
		case n.ID != notice:
			return nil, gangway.Errorf(gangway.Conflict, "the airline has changed more since: look at the order again")
		case len(n.Itinerary.Segments) == 0:
			return nil, gangway.Errorf(gangway.Conflict,
				"the airline offers no other flights: change the order or cancel it")
		}
		had := r.seats()
		r.Itinerary, r.Changes, r.Rules = n.Itinerary, append(r.Changes, notice), r.rules()
		for _, u := range to.disrupted {
			r.Known = append(r.Known, u.seat.String())
		}
		if to.quote != nil {
			o := s.Offer(*to.quote)
			r.Offer, r.Bill, r.Baggage, r.Plating = o.ID, s.Bill(*to.quote), o.Baggage, o.Plating
			r.Bill.ScaleTo(r.Price)
			r.Terms.Splitting = len(r.Bill) > 1
		}
		r.Emissions = s.Estimate(&r.Itinerary)
		return s.moved(ctx, r, had, true)
	})
}
