package bookings

import (
	"context"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// A till is a supplier that counts its own money. It may report refunds late, and pay less than it
// promised.
type till struct {
	flight.Supplier
	paid, fees gangway.Money // charged so far, and how much of that for changes
	back       gangway.Money // given back
	late       time.Duration // for how long nobody knows what comes back
	short      int64         // what is missing when it comes
	now        func() time.Time
}

func (t *till) Issue(ctx context.Context, order string, pay gangway.Money) (flight.Order, error) {
	o, err := t.Supplier.Issue(ctx, order, pay)
	if err == nil {
		t.paid = t.paid.Add(pay)
	}
	return o, err
}

func (t *till) Change(ctx context.Context, order, offer string) (flight.Order, error) {
	c, priceErr := t.Supplier.PriceChange(ctx, order, offer)
	o, err := t.Supplier.Change(ctx, order, offer)
	if err == nil && priceErr == nil { // else it was done before
		t.paid, t.fees = t.paid.Add(c.Due), t.fees.Add(c.Penalty)
	}
	return o, err
}

func (t *till) Cancel(ctx context.Context, order, quote string) (flight.Order, error) {
	o, err := t.Supplier.Cancel(ctx, order, quote)
	return t.veil(o), err
}

func (t *till) Order(ctx context.Context, order string) (flight.Order, error) {
	o, err := t.Supplier.Order(ctx, order)
	return t.veil(o), err
}

func (t *till) QuoteCancel(ctx context.Context, order string) (flight.CancelQuote, error) {
	q, err := t.Supplier.QuoteCancel(ctx, order)
	if t.late > 0 && !q.Void && !q.Refund.IsZero() {
		q.Unknown, q.Refund.Minor, q.Kept.Minor = true, 0, 0
	}
	return q, err
}

// veil hides what is not yet known about a refund, and counts one that was paid.
func (t *till) veil(o flight.Order) flight.Order {
	if o.Refund == nil {
		return o
	}
	r := *o.Refund
	switch {
	case r.Void:
	case t.now().Before(r.AskedAt.Add(t.late)):
		r.Unknown, r.Amount.Minor, r.SettledAt = true, 0, time.Time{}
	case !r.SettledAt.IsZero():
		r.Amount.Minor = max(0, r.Amount.Minor-t.short)
	}
	if o.Refund = &r; !r.SettledAt.IsZero() {
		t.back = r.Amount
	}
	return o
}
