package duffeltest

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"gangway/internal/world"
)

type removal struct {
	Slice string `json:"slice_id"`
}

type addition struct {
	Origin      airport `json:"origin"`
	Destination airport `json:"destination"`
	Date        string  `json:"departure_date"`
	Cabin       *string `json:"cabin_class"`
}

type changeRequest struct {
	ID     string `json:"id"`
	Order  string `json:"order_id"`
	Live   bool   `json:"live_mode"`
	Slices struct {
		Remove []removal  `json:"remove"`
		Add    []addition `json:"add"`
	} `json:"slices"`
	Offers []*changeOffer `json:"order_change_offers"`
}

type changeSlices struct {
	Add    []slice `json:"add"`
	Remove []slice `json:"remove"`
}

type changeOffer struct {
	ID              string       `json:"id"`
	CreatedAt       *instant     `json:"created_at"`
	UpdatedAt       *instant     `json:"updated_at"`
	ExpiresAt       *instant     `json:"expires_at"`
	Change          money        `json:"change_total_amount"`
	ChangeCurrency  string       `json:"change_total_currency"`
	New             money        `json:"new_total_amount"`
	NewCurrency     string       `json:"new_total_currency"`
	Penalty         *money       `json:"penalty_total_amount"`
	PenaltyCurrency string       `json:"penalty_total_currency"`
	PenaltyAlias    *money       `json:"penalty_amount"` // named as in the client's types
	PenaltyAliasIn  string       `json:"penalty_currency"`
	RefundTo        string       `json:"refund_to"`
	OrderChange     string       `json:"order_change_id"`
	Slices          changeSlices `json:"slices"`

	order     string
	base, tax money
	penalty   money // whether stated or not
}

type orderChange struct {
	ID              string       `json:"id"`
	Order           string       `json:"order_id"`
	Live            bool         `json:"live_mode"`
	CreatedAt       *instant     `json:"created_at"`
	ConfirmedAt     *instant     `json:"confirmed_at"`
	ExpiresAt       *instant     `json:"expires_at"`
	Change          money        `json:"change_total_amount"`
	ChangeCurrency  string       `json:"change_total_currency"`
	New             money        `json:"new_total_amount"`
	NewCurrency     string       `json:"new_total_currency"`
	Penalty         *money       `json:"penalty_total_amount"`
	PenaltyCurrency string       `json:"penalty_total_currency"`
	RefundTo        string       `json:"refund_to"`
	PaymentTypes    []string     `json:"available_payment_types"`
	Slices          changeSlices `json:"slices"`

	offer *changeOffer
}

// A Charging is how airlines charge for changes; Duffel does not say which of these ways an
// airline uses. The zero value is the plainest: the difference and the penalty.
type Charging struct {
	Silent    bool   // the penalty is not stated
	PenaltyIn string // the penalty's currency; empty: the order's
	DueIn     string // the currency in which the change is to be paid; empty: the order's
	KeepsFare bool   // nothing is returned for cheaper flights
	InTotal   bool   // afterwards penalties are part of the order's total
}

// Charge makes airlines charge for changes in another way.
func (d *Duffel) Charge(how Charging) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.charging = how
}

// createChangeRequest looks for other flights.
func (d *Duffel) createChangeRequest(c *call) (any, error) {
	var ask struct {
		Order  string `json:"order_id"`
		Slices struct {
			Remove []removal `json:"remove"`
			Add    []struct {
				Origin      string  `json:"origin"`
				Destination string  `json:"destination"`
				Date        string  `json:"departure_date"`
				Cabin       *string `json:"cabin_class"`
			} `json:"add"`
		} `json:"slices"`
	}
	if err := c.read(&ask); err != nil {
		return nil, err
	}
	o, err := d.order(ask.Order)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(o.actions(c.now), "change") {
		return nil, state("order_not_changeable", "the order cannot be changed")
	}
	r := &changeRequest{ID: d.id("ocr"), Order: o.ID, Live: c.live, Offers: []*changeOffer{}}
	r.Slices.Remove = ask.Slices.Remove
	var removed []slice
	for _, rm := range ask.Slices.Remove {
		i := slices.IndexFunc(o.Slices, func(s slice) bool { return s.ID == rm.Slice })
		if i < 0 {
			return nil, invalid("slice_id", "validation_inclusion", "slice_id is not a slice of the order")
		}
		removed = append(removed, o.Slices[i])
	}
	if len(ask.Slices.Add) != 1 || len(removed) != 1 {
		return nil, invalid("slices", "validation_length", "the model changes one slice at a time")
	}
	add := ask.Slices.Add[0]
	from, okFrom := world.AirportOf(add.Origin)
	to, okTo := world.AirportOf(add.Destination)
	date, err := time.Parse(time.DateOnly, add.Date)
	if !okFrom || !okTo || err != nil {
		return nil, invalid("slices", "validation_format", "a slice to add is not valid")
	}
	cabin := o.offer.cabin
	if add.Cabin != nil {
		cabin = *add.Cabin
	}
	r.Slices.Add = []addition{{Origin: airportOf(from), Destination: airportOf(to), Date: add.Date, Cabin: add.Cabin}}
	for _, flights := range slotsOf(from, to, date) {
		if flights[0].departure.After(c.now) {
			d.addChangeOffer(c, r, o, removed, flights, cabin)
		}
	}
	c.status = http.StatusCreated
	return r, nil
}

// addChangeOffer prices other flights: the new fare and the airline's fee, less what was paid.
func (d *Duffel) addChangeOffer(c *call, r *changeRequest, o *order, removed []slice, flights []flown, cabin string) {
	b := o.offer.brand
	base, tax := priceOf(flights, b, cabin)
	base += d.markup
	oldBase, oldTax := o.Base/money(len(o.Slices)), o.Tax/money(len(o.Slices)) // of the slice that is removed
	penalty := money(0)
	if rule := o.Conditions.Change; rule != nil && rule.Penalty != nil {
		penalty = *rule.Penalty
	}
	ways := d.charging
	of := &changeOffer{
		ID: d.id("oco"), CreatedAt: at(c.now), UpdatedAt: at(c.now), ExpiresAt: at(c.now.Add(quoteLives)),
		ChangeCurrency: cmp.Or(ways.DueIn, currency), NewCurrency: currency, PenaltyCurrency: cmp.Or(ways.PenaltyIn,
			currency), PenaltyAliasIn: cmp.Or(ways.PenaltyIn, currency),
		Penalty: &penalty, PenaltyAlias: &penalty, RefundTo: "balance",
		base: o.Base - oldBase + base, tax: o.Tax - oldTax + tax, order: o.ID, penalty: penalty,
	}
	of.New = of.base + of.tax
	difference := of.New - o.Base - o.Tax
	if ways.KeepsFare {
		difference = max(0, difference)
	}
	of.Change = difference + penalty
	if ways.Silent {
		of.Penalty, of.PenaltyAlias = nil, nil
	}
	of.Slices = changeSlices{Add: []slice{d.slice(flights, b, cabin, o.offer.Passengers)}, Remove: removed}
	r.Offers = append(r.Offers, of)
	d.changeOffers[of.ID] = of
}

func (d *Duffel) getChangeOffer(c *call) (any, error) {
	o, ok := d.changeOffers[c.r.PathValue("id")]
	if !ok {
		return nil, errNotFound
	}
	return o, nil
}

// createChange prepares a change, which is then confirmed.
func (d *Duffel) createChange(c *call) (any, error) {
	var ask struct {
		Offer string `json:"selected_order_change_offer"`
	}
	if err := c.read(&ask); err != nil {
		return nil, err
	}
	of, ok := d.changeOffers[ask.Offer]
	if !ok {
		return nil, errNotFound
	}
	if !c.now.Before(of.ExpiresAt.time()) {
		return nil, state("order_change_offer_expired", "the change offer has expired")
	}
	ch := &orderChange{
		ID: d.id("oce"), Order: of.order, Live: c.live, CreatedAt: at(c.now), ExpiresAt: at(c.now.Add(quoteLives)),
		Change: of.Change, ChangeCurrency: of.ChangeCurrency, New: of.New, NewCurrency: currency, Penalty: of.Penalty,
		PenaltyCurrency: of.PenaltyCurrency,
		RefundTo:        "original_form_of_payment", PaymentTypes: []string{"balance"}, Slices: of.Slices, offer: of,
	}
	of.OrderChange = ch.ID
	d.changes[ch.ID] = ch
	c.status = http.StatusCreated
	return ch, nil
}

func (d *Duffel) getChange(c *call) (any, error) {
	ch, ok := d.changes[c.r.PathValue("id")]
	if !ok {
		return nil, errNotFound
	}
	return ch, nil
}

// confirmChange pays for a change and carries it out.
func (d *Duffel) confirmChange(c *call) (any, error) {
	var ask struct {
		Payment *paymentAsk `json:"payment"`
	}
	if len(c.body) > 0 {
		if err := c.read(&ask); err != nil {
			return nil, err
		}
	}
	ch, ok := d.changes[c.r.PathValue("id")]
	if !ok {
		return nil, errNotFound
	}
	o, err := d.order(ch.Order)
	switch {
	case err != nil:
		return nil, err
	case ch.ConfirmedAt != nil:
		return nil, state("already_confirmed", "the change was carried out")
	case o.CancelledAt != nil:
		return nil, state("already_cancelled", "the order is cancelled")
	case !c.now.Before(ch.ExpiresAt.time()):
		return nil, state("order_change_expired", "the change has expired")
	case ch.Change > 0 && ask.Payment == nil:
		return nil, invalid("payment", "validation_required", "payment can't be blank")
	case ch.Change <= 0 && ask.Payment != nil:
		return nil, invalid("payment", "validation_required", "there is nothing to pay")
	case ask.Payment != nil && (ask.Payment.Amount != ch.Change.String() || ask.Payment.Currency != currency):
		return nil, invalid("amount", "payment_amount_does_not_match_order_amount", "the amount is not what is due")
	}
	for i, s := range o.Slices {
		if s.ID == ch.Slices.Remove[0].ID {
			o.Slices[i] = ch.Slices.Add[0]
		}
	}
	o.Base, o.Tax, o.Total = ch.offer.base, ch.offer.tax, ch.New
	if o.penalties += ch.offer.penalty; d.charging.InTotal {
		o.Total += o.penalties
	}
	o.agreed = o.Total
	d.ticket(o)
	ch.ConfirmedAt = at(c.now)
	d.emit("order.updated", o.ID+"-"+ch.ID, map[string]any{"order_id": o.ID, "id": o.ID})
	return ch, nil
}
