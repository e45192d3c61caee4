package duffeltest

import "net/http"

type payment struct {
	ID        string   `json:"id"`
	Order     string   `json:"order_id"`
	Type      string   `json:"type"`
	Amount    string   `json:"amount"`
	Currency  string   `json:"currency"`
	Status    string   `json:"status"`
	CreatedAt *instant `json:"created_at"`
	Live      bool     `json:"live_mode"`
}

// createPayment pays for a held order.
func (d *Duffel) createPayment(c *call) (any, error) {
	var ask struct {
		Order   string     `json:"order_id"`
		Payment paymentAsk `json:"payment"`
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
	case o.Type != "hold":
		return nil, invalid("order_id", "order_type_not_eligible_for_payment", "the order was paid when it was made")
	case o.PaymentStatus.PaidAt != nil:
		return nil, state("already_paid", "the order is paid")
	case !c.now.Before(o.PaymentStatus.RequiredBy.time()):
		return nil, state("past_payment_required_by_date", "the time to pay has passed")
	case o.unsettled():
		return nil, state("schedule_changed", "the airline has changed the flights")
	}
	if err := d.charge(c.now, o, ask.Payment); err != nil {
		return nil, err
	}
	p := d.payments[0]
	d.emit("payment.created", p.ID, map[string]any{"order_id": o.ID, "id": p.ID})
	c.status = http.StatusCreated
	return p, nil
}

func (d *Duffel) listPayments(c *call) (any, error) {
	list := []*payment{}
	for _, p := range d.payments {
		if p.Order == c.r.URL.Query().Get("order_id") {
			list = append(list, p)
		}
	}
	return page(c, list, func(p *payment) string { return p.ID })
}
