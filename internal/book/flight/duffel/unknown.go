package duffel

import (
	"context"
	"net/url"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// OrdersSince lists all orders of the token, because Duffel promises no order of its list, and returns those that were
// made since a time and that the ledger does not have. An order that is only made when it is paid may have been made
// after the copy that the ledger was restored from: it is noted, so that nobody pays for it again.
func (s *Seller) OrdersSince(ctx context.Context, since time.Time) (unknown []flight.UnknownOrder, err error) {
	for q := (url.Values{"limit": {"200"}}); ; {
		var list []struct {
			wireOrder
			CreatedAt  time.Time       `json:"created_at"`
			Passengers []wirePassenger `json:"passengers"`
		}
		next, err := s.get(ctx, "/air/orders", q, &list)
		if err != nil {
			return nil, explainMissing(err)
		}
		for _, w := range list {
			if w.CreatedAt.Before(since) {
				continue
			}
			r, err := s.loadReference(ctx, w.Metadata[metaReference])
			switch {
			case gangway.KindOf(err) == gangway.NotFound:
				o := flight.UnknownOrder{PNR: w.Reference, Airline: w.Owner.code(), People: len(w.Passengers),
					Made: w.CreatedAt, Status: flight.Held}
				if w.CancelledAt != nil {
					o.Status = flight.Withdrawn
				} else if w.Payment.PaidAt != nil {
					o.Status = flight.Ticketed
				}
				if o.Total, err = amount(w.Total, w.TotalCurrency); err != nil {
					return nil, err
				}
				unknown = append(unknown, o)
			case err != nil:
				return nil, err
			case r.Order == "":
				err := s.note(ctx, &r, func(r *record) {
					r.Order, r.Begun, r.Buy, r.Never, r.GivenUp = w.ID, nil, nil, "", false
				})
				if err != nil {
					return nil, err
				}
			}
		}
		if next == "" {
			return unknown, nil
		}
		q.Set("after", next)
	}
}
