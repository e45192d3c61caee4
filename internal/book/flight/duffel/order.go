package duffel

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// How long an operation may still turn out to be done if Duffel's answer is missing and Duffel
// shows nothing of it.
const (
	// ordersAppear is for orders: Duffel says that they can take hours to appear.
	ordersAppear = 24 * time.Hour

	// operationsAppear is for everything else: well over the time that airlines have to answer.
	operationsAppear = 15 * time.Minute
)

// lockOrder returns an order's record and keeps others in this process from working on the
// order until end is called.
func (s *Seller) lockOrder(ctx context.Context, id string) (r record, end func(), err error) {
	end, err = s.locks.take(ctx, strings.TrimPrefix(id, orderPrefix))
	if err != nil {
		return r, nil, err
	}
	if r, err = s.load(ctx, id); err != nil {
		end()
		return r, nil, err
	}
	return r, end, nil
}

// lookAt is lockOrder for an order whose state has to be known: it returns that, too.
func (s *Seller) lookAt(ctx context.Context, id string) (r record, order flight.Order, end func(), err error) {
	if r, end, err = s.lockOrder(ctx, id); err != nil {
		return r, order, nil, err
	}
	if order, err = s.look(ctx, &r); err == nil && order.Status == flight.Pending {
		err = errUnknownOutcome
	}
	if err != nil {
		end()
	}
	return r, order, end, err
}

// Order returns the order as it is now.
func (s *Seller) Order(ctx context.Context, id string) (flight.Order, error) {
	r, end, err := s.lockOrder(ctx, id)
	if err != nil {
		return flight.Order{}, err
	}
	defer end()
	return s.look(ctx, &r)
}

// look asks Duffel for the order, and settles an operation whose outcome is open if that can be
// seen by now. Until it can, the order is pending.
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
		return w, explainMissing(err)
	}
	return w, nil
}

// explainMissing is explainError for orders that must exist: an order that Duffel does not show
// is not taken for gone.
func explainMissing(err error) error {
	if errors.As(err, new(*failure)) && !errors.Is(err, context.Canceled) {
		return gangway.Errorf(gangway.Unavailable, "Duffel does not show the order right now")
	}
	return err
}

// lookForOrder looks for an order that was requested, by the offer that it was made from and
// the reference in its metadata.
func (s *Seller) lookForOrder(ctx context.Context, r *record) error {
	q := url.Values{"offer_id": {r.Offer}, "limit": {"200"}}
	for {
		var list []struct {
			ID       string            `json:"id"`
			Metadata map[string]string `json:"metadata"`
		}
		next, err := s.get(ctx, "/air/orders", q, &list)
		if err != nil {
			return explainMissing(err)
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

// noOrder records that a requested order will not come. If it was to be held, it never will be;
// if it was to be bought, it can be bought as long as its offer is valid.
func (s *Seller) noOrder(ctx context.Context, r *record, why string) error {
	return s.note(ctx, r, func(r *record) {
		r.Begun = nil
		if r.Buy == nil {
			r.Never = why
		}
	})
}

// unbought returns an order that is only made when it is paid: it exists as long as its offer
// does, at the offer's current price.
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
	order, err := s.fromWire(*r, w)
	if err != nil {
		return order, err
	}
	if r.Begun != nil {
		open, done, err := s.outcome(ctx, *r, w, order.Status)
		switch {
		case err != nil:
			return order, err
		case open:
			order.Status = flight.Pending
			return order, nil
		case done && r.Begun.Operation == changing:
			r.Agreed = r.Begun.Agreed
			if order, err = s.fromWire(*r, w); err != nil {
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

// outcome returns the outcome of an operation that was begun: whether it was done, and whether
// it may still turn out to be done although nothing shows it.
func (s *Seller) outcome(ctx context.Context, r record, w wireOrder, status flight.Status) (
	open, done bool, err error,
) {
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
			return false, false, explainMissing(err)
		}
		return q.ConfirmedAt != nil || recent, false, nil
	case changing:
		var ch wireChangeOffer
		if _, err := s.get(ctx, "/air/order_changes/"+url.PathEscape(r.Begun.ID), nil, &ch); err != nil {
			return false, false, explainMissing(err)
		}
		return ch.ConfirmedAt == nil && recent, ch.ConfirmedAt != nil, nil
	case accepting:
		taken := slices.ContainsFunc(w.Notices, func(n wireNotice) bool { return n.ID == r.Begun.ID && n.Taken != nil })
		return !taken && recent, taken, nil
	}
	return false, true, nil // it was to book, and the order exists
}

// payable reports whether a payment that an unpaid order does not show may still turn out to be
// made. If Duffel had an internal error the airline may have been paid: only a failed payment,
// or the end of the hold, settles that.
func (s *Seller) payable(ctx context.Context, r record, recent bool) (may bool, err error) {
	var list []struct {
		Status    string    `json:"status"`
		CreatedAt time.Time `json:"created_at"`
	}
	if _, err := s.get(ctx, "/air/payments", url.Values{"order_id": {r.Order}}, &list); err != nil {
		return false, explainMissing(err)
	}
	begun := r.Begun.At.Truncate(time.Second)
	for _, p := range list {
		if !p.CreatedAt.Before(begun) {
			return p.Status != "failed" && p.Status != "cancelled", nil
		}
	}
	return recent || r.Begun.Broken, nil
}
