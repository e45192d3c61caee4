package duffel

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// For how long an operation may still turn out to be done when Duffel's answer is
// missing and it shows nothing of it.
const (
	// ordersAppear is for orders: Duffel says that they can take hours to appear.
	ordersAppear = 24 * time.Hour

	// operationsAppear is for all else: well over what airlines are given to answer.
	operationsAppear = 15 * time.Minute
)

// hand returns an order's record and lets nobody else in this process work on
// the order until end is called.
func (s *Seller) hand(ctx context.Context, id string) (r record, end func(), err error) {
	end, err = s.turns.take(ctx, strings.TrimPrefix(id, orderPrefix))
	if err != nil {
		return r, nil, err
	}
	if r, err = s.load(ctx, id); err != nil {
		end()
		return r, nil, err
	}
	return r, end, nil
}

// Order returns the order as it stands now.
func (s *Seller) Order(ctx context.Context, id string) (flight.Order, error) {
	r, end, err := s.hand(ctx, id)
	if err != nil {
		return flight.Order{}, err
	}
	defer end()
	return s.look(ctx, &r)
}

// look asks Duffel how an order stands, and settles what was begun and left
// open, if that can be seen by now. While it cannot, the order is pending.
func (s *Seller) look(ctx context.Context, r *record) (flight.Order, error) {
	if r.Order == "" && r.Begun != nil {
		if err := s.lookForOrder(ctx, r); err != nil {
			return flight.Order{}, err
		}
	}
	switch {
	case r.Never != "":
		order := r.Seen
		order.ID, order.Reference, order.Status, order.Reason = orderPrefix+r.Reference, r.Reference, flight.Refused,
			r.Never
		return order, nil
	case r.Order == "" && r.Begun != nil:
		order := r.Seen
		order.Status = flight.Pending
		return order, nil
	case r.Order == "":
		return s.unbought(ctx, *r)
	}
	w, err := s.wire(ctx, r.Order)
	if err != nil {
		return flight.Order{}, err
	}
	return s.readOrder(ctx, r, w)
}

// wire returns an order as Duffel has it.
func (s *Seller) wire(ctx context.Context, id string) (w wireOrder, err error) {
	if _, err := s.get(ctx, "/air/orders/"+url.PathEscape(id), nil, &w); err != nil {
		return w, explainSilence(err)
	}
	return w, nil
}

// explainSilence is tell for orders that must be there: only what Duffel shows
// counts, and what it does not show is not taken for gone.
func explainSilence(err error) error {
	var f *failure
	if errors.As(err, &f) && !errors.Is(err, context.Canceled) {
		return gangway.Errorf(gangway.Unavailable, "Duffel does not say just now how the order stands")
	}
	return err
}

// lookForOrder looks whether an order that was asked for has come, by the offer
// that it was made of and the reference that it carries.
func (s *Seller) lookForOrder(ctx context.Context, r *record) error {
	q := url.Values{"offer_id": {r.Offer}, "limit": {"200"}}
	for {
		var list []struct {
			ID       string            `json:"id"`
			Metadata map[string]string `json:"metadata"`
		}
		next, err := s.get(ctx, "/air/orders", q, &list)
		if err != nil {
			return explainSilence(err)
		}
		for _, w := range list {
			if w.Metadata[metaReference] == r.Reference {
				return s.note(ctx, r, func(r *record) { r.Order, r.Begun, r.Buy = w.ID, nil, nil })
			}
		}
		if next == "" {
			break
		}
		q.Set("after", next)
	}
	if s.now().Sub(r.Begun.At) < ordersAppear {
		return nil
	}
	return s.noOrder(ctx, r, "the airline never made the booking")
}

// noOrder notes that an order that was asked for will not come. What was to be
// held is never held; what was to be bought can be bought as long as its offer stands.
func (s *Seller) noOrder(ctx context.Context, r *record, why string) error {
	return s.note(ctx, r, func(r *record) {
		r.Begun = nil
		if r.Buy == nil {
			r.Never = why
		}
	})
}

// unbought returns an order whose offer is only to be bought when it is paid:
// it stands as long as the offer does, at what that costs now.
func (s *Seller) unbought(ctx context.Context, r record) (flight.Order, error) {
	order := r.Seen
	order.Status, order.HoldUntil, order.TicketBy = flight.Held, r.Buy.Until, r.Buy.Until
	switch {
	case r.GivenUp:
		order.Status = flight.Withdrawn
		return order, nil
	case !s.now().Before(r.Buy.Until):
		order.Status = flight.Lapsed
		return order, nil
	}
	w, err := s.offer(ctx, r.Offer)
	switch {
	case gangway.KindOf(err) == gangway.NotFound || gangway.KindOf(err) == gangway.Conflict:
		order.Status = flight.Lapsed
		return order, nil
	case err != nil:
		return order, err
	}
	if order.Price, err = price(w.Total, w.TotalCurrency, w.Base, w.BaseCurrency); err != nil {
		return order, err
	}
	return order, nil
}

// readOrder returns an order as Duffel shows it.
func (s *Seller) readOrder(ctx context.Context, r *record, w wireOrder) (flight.Order, error) {
	order, err := s.shown(*r, w)
	if err != nil {
		return order, err
	}
	if r.Begun != nil {
		open, done, err := s.came(ctx, *r, w, order.Status)
		switch {
		case err != nil:
			return order, err
		case open:
			order.Status = flight.Pending
			return order, nil
		case done && r.Begun.Operation == changing:
			r.Agreed = r.Begun.Agreed
			if order, err = s.shown(*r, w); err != nil {
				return order, err
			}
			order.Changes = append(order.Changes, r.Begun.Offer)
		}
	}
	if r.Begun != nil || !slices.Equal(r.Seen.Changes, order.Changes) || !sameFlights(r.Seen.Itinerary,
		order.Itinerary) {
		agreed := r.Agreed
		err := s.note(ctx, r, func(r *record) { r.Begun, r.Seen, r.Agreed = nil, order, agreed })
		return order, err
	}
	return order, nil
}

// came reports what came of what was begun: whether it was done, and whether it
// may still turn out to be done though nothing shows it.
func (s *Seller) came(ctx context.Context, r record, w wireOrder, status flight.Status) (open, done bool, err error) {
	recent := s.now().Sub(r.Begun.At) < operationsAppear
	switch r.Begun.Operation {
	case paying:
		if w.Payment.PaidAt != nil || status != flight.Held {
			return false, w.Payment.PaidAt != nil, nil
		}
		open, err = s.payable(ctx, r, recent)
		return open, false, err
	case cancelling:
		if w.CancelledAt != nil {
			return false, true, nil
		}
		var q wireCancellation
		if _, err := s.get(ctx, "/air/order_cancellations/"+url.PathEscape(r.Begun.ID), nil, &q); err != nil {
			return false, false, explainSilence(err)
		}
		return q.ConfirmedAt != nil || recent, false, nil
	case changing:
		var ch wireChangeOffer
		if _, err := s.get(ctx, "/air/order_changes/"+url.PathEscape(r.Begun.ID), nil, &ch); err != nil {
			return false, false, explainSilence(err)
		}
		return ch.ConfirmedAt == nil && recent, ch.ConfirmedAt != nil, nil
	case accepting:
		taken := slices.ContainsFunc(w.Notices, func(n wireNotice) bool { return n.ID == r.Begun.ID && n.Taken != nil })
		return !taken && recent, taken, nil
	}
	return false, true, nil // to book: the order is there
}

// payable reports whether a payment of which an unpaid order shows nothing may
// still turn out to be made. Where Duffel broke, the airline may have been paid:
// only a payment that failed, or the end of the hold, settles that.
func (s *Seller) payable(ctx context.Context, r record, recent bool) (bool, error) {
	var list []struct {
		Status    string    `json:"status"`
		CreatedAt time.Time `json:"created_at"`
	}
	if _, err := s.get(ctx, "/air/payments", url.Values{"order_id": {r.Order}}, &list); err != nil {
		return false, explainSilence(err)
	}
	begun := r.Begun.At.Truncate(time.Second)
	for _, p := range list {
		if !p.CreatedAt.Before(begun) {
			return p.Status != "failed" && p.Status != "cancelled", nil
		}
	}
	return recent || r.Begun.Broken, nil
}
