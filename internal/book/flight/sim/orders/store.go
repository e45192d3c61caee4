package orders

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// refundTime is how long after a cancellation the refund is settled.
const refundTime = 72 * time.Hour

var errOrder = gangway.Errorf(gangway.NotFound, "the airline does not have this order")

// read reads a document of the ledger as an order.
func (s *Seller) read(doc []byte, version int, err error) (record, error) {
	if err != nil {
		if gangway.KindOf(err) == gangway.NotFound {
			return record{}, errOrder
		}
		return record{}, fmt.Errorf("load simulated order: %w", err)
	}
	r := record{version: version}
	if err := json.Unmarshal(doc, &r); err != nil {
		return record{}, fmt.Errorf("read simulated order: %w", err)
	}
	if r.ID == "" {
		return record{}, errOrder // a document that reserves a second locator
	}
	now := s.now()
	if r.Status == flight.Held && !now.Before(r.HoldUntil) {
		r.Status = flight.Lapsed
	}
	if r.Status == flight.Held && !r.PriceUntil.IsZero() && !now.Before(r.PriceUntil) && !r.is(gangway.MagicPrice) {
		s.reprice(&r, now)
	}
	if r.Refund != nil && r.Refund.SettledAt.IsZero() {
		if settled := r.Refund.AskedAt.Add(r.refundTakes()); !now.Before(settled) {
			r.Refund.SettledAt = settled
		}
	}
	return r, nil
}

// reprice gives an order the price at which its flights sell in its brand today, as of the
// beginning of the day at its origin, so that the price stays the same for that day. Seats booked
// since it was made do not count.
func (s *Seller) reprice(r *record, now time.Time) {
	q, err := s.QuoteOf(r.Offer)
	if err != nil {
		return // the timetable no longer has these flights: their price stays
	}
	origin := s.Places[s.Lines[q.Journey[0].Hops[0].Line].From].Loc
	y, m, d := now.In(origin).Date()
	q.At = time.Date(y, m, d, 0, 0, 0, 0, origin).UTC()
	r.Offer, r.Bill = s.ID(q), s.Bill(q)
	r.Price = r.Bill.Price(q.Currency)
}

func (s *Seller) load(ctx context.Context, id string) (record, error) {
	if !strings.HasPrefix(id, orderPrefix) || len(id) != len(orderPrefix)+gangway.LocatorLength {
		return record{}, errOrder
	}
	doc, version, err := s.ledger.Load(ctx, id)
	return s.read(doc, version, err)
}

// save writes the next version of a record, and the documents that go with it.
func (s *Seller) save(ctx context.Context, r record, with ...gangway.Document) error {
	r.Notice = nil
	doc, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write simulated order: %w", err)
	}
	next := gangway.Document{ID: r.ID, Reference: r.Reference, Doc: doc, Version: r.version + 1}
	return s.ledger.Save(ctx, append(with, next)...)
}

// byReference returns the order held under reference. NotFound: there is none so far; without a
// document that says so, one may still come.
func (s *Seller) byReference(ctx context.Context, reference string) (record, error) {
	doc, version, err := s.ledger.LoadByReference(ctx, reference)
	r, err := s.read(doc, version, err)
	if err == nil && r.Never {
		return r, errOrder
	}
	return r, err
}
