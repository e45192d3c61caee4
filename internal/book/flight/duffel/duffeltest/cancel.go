package duffeltest

import (
	"net/http"
	"time"
)

type credit struct {
	ID        string `json:"id"`
	Name      string `json:"credit_name"`
	Code      string `json:"credit_code"`
	Amount    money  `json:"credit_amount"`
	Currency  string `json:"credit_currency"`
	IssuedOn  string `json:"issued_on"`
	Passenger string `json:"passenger_id"`
}

type cancellation struct {
	ID          string   `json:"id"`
	Order       string   `json:"order_id"`
	Live        bool     `json:"live_mode"`
	CreatedAt   *instant `json:"created_at"`
	ExpiresAt   *instant `json:"expires_at"`
	ConfirmedAt *instant `json:"confirmed_at"`
	Refund      *money   `json:"refund_amount"`
	Currency    *string  `json:"refund_currency"`
	RefundTo    string   `json:"refund_to"`
	Credits     []credit `json:"airline_credits"`
}

// quoteLives is how long a quote can be confirmed.
const quoteLives = 20 * time.Minute

// createCancellation quotes a cancellation.
func (d *Duffel) createCancellation(c *call) (any, error) {
	var ask struct {
		Order string `json:"order_id"`
	}
	if err := c.read(&ask); err != nil {
		return nil, err
	}
	o, err := d.order(ask.Order)
	if err != nil {
		return nil, err
	}
	switch {
	case o.CancelledAt != nil:
		return nil, state("already_cancelled", "the order is cancelled")
	case len(o.actions(c.now)) == 0:
		return nil, state("order_not_cancellable", "the order cannot be cancelled")
	}
	q := &cancellation{ID: d.id("ore"), Order: o.ID, Live: c.live, CreatedAt: at(c.now),
		ExpiresAt: at(c.now.Add(quoteLives)), Credits: []credit{}}
	d.refund(c.now, o, q)
	d.cancellations = append([]*cancellation{q}, d.cancellations...)
	o.newest = q.ID
	d.emit("order_cancellation.created", q.ID, map[string]any{"order_id": o.ID, "id": q.ID})
	c.status = http.StatusCreated
	return q, nil
}

// refund works out the refund.
func (d *Duffel) refund(now time.Time, o *order, q *cancellation) {
	in, none := currency, money(0)
	q.Currency, q.Refund, q.RefundTo = &in, &none, "balance"
	rule := o.Conditions.Refund
	switch {
	case o.PaymentStatus.PaidAt == nil:
		q.RefundTo = "awaiting_payment"
	case now.Before(o.VoidUntil.time()):
		all := o.Total
		q.Refund = &all
	case rule == nil || rule.Allowed && rule.Penalty == nil:
		q.Refund, q.Currency = nil, nil
	case rule.Allowed:
		back := max(0, o.Base+o.Tax-*rule.Penalty)
		q.Refund = &back
	}
	if o.offer.route == "LTN-SYD" && o.PaymentStatus.PaidAt != nil {
		q.RefundTo = "airline_credits"
		for _, p := range o.Passengers {
			q.Credits = append(q.Credits, credit{ID: d.id("acd"), Name: "Duffel Airways credit", Code: d.locator(),
				Amount: o.Total / money(len(o.Passengers)), Currency: in, IssuedOn: now.Format(time.DateOnly),
				Passenger: p.ID})
		}
	}
}

func (d *Duffel) cancellation(id string) (*cancellation, error) {
	for _, q := range d.cancellations {
		if q.ID == id {
			return q, nil
		}
	}
	return nil, errNotFound
}

func (d *Duffel) getCancellation(c *call) (any, error) { return d.cancellation(c.r.PathValue("id")) }

// confirmCancellation cancels on the terms of the newest quote.
func (d *Duffel) confirmCancellation(c *call) (any, error) {
	q, err := d.cancellation(c.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	o, err := d.order(q.Order)
	switch {
	case err != nil:
		return nil, err
	case o.CancelledAt != nil:
		return nil, state("already_cancelled", "the order is cancelled")
	case o.newest != q.ID || !c.now.Before(q.ExpiresAt.time()):
		return nil, state("order_cancellation_stale", "the quote is not the newest, or has expired")
	}
	q.ConfirmedAt, o.CancelledAt, o.Cancellation = at(c.now), at(c.now), q
	o.PaymentStatus.Awaiting = false
	d.emit("order_cancellation.confirmed", q.ID, map[string]any{"order_id": o.ID, "id": q.ID})
	return q, nil
}
