package duffeltest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"
)

type orderPassenger struct {
	ID       string  `json:"id"`
	Title    string  `json:"title"`
	Gender   string  `json:"gender"`
	Given    string  `json:"given_name"`
	Family   string  `json:"family_name"`
	BornOn   string  `json:"born_on"`
	Email    string  `json:"email"`
	Phone    string  `json:"phone_number"`
	Type     string  `json:"type"`
	FareType *string `json:"fare_type"`
	Infant   *string `json:"infant_passenger_id"`
	Loyalty  []any   `json:"loyalty_programme_accounts"`
}

type paymentStatus struct {
	Awaiting   bool     `json:"awaiting_payment"`
	RequiredBy *instant `json:"payment_required_by"`
	Guarantee  *instant `json:"price_guarantee_expires_at"`
	PaidAt     *instant `json:"paid_at"`
}

type document struct {
	ID         string   `json:"unique_identifier"`
	Type       string   `json:"type"`
	Passengers []string `json:"passenger_ids"`
}

type order struct {
	ID            string            `json:"id"`
	OfferID       string            `json:"offer_id"`
	Type          string            `json:"type"`
	Live          bool              `json:"live_mode"`
	Content       string            `json:"content"`
	Reference     string            `json:"booking_reference"`
	CreatedAt     *instant          `json:"created_at"`
	SyncedAt      *instant          `json:"synced_at"`
	CancelledAt   *instant          `json:"cancelled_at"`
	VoidUntil     *instant          `json:"void_window_ends_at"`
	Owner         carrier           `json:"owner"`
	Total         money             `json:"total_amount"`
	TotalCurrency string            `json:"total_currency"`
	Base          money             `json:"base_amount"`
	BaseCurrency  string            `json:"base_currency"`
	Tax           money             `json:"tax_amount"`
	TaxCurrency   string            `json:"tax_currency"`
	Conditions    conditions        `json:"conditions"`
	Passengers    []orderPassenger  `json:"passengers"`
	Slices        []slice           `json:"slices"`
	Services      []any             `json:"services"`
	Documents     []document        `json:"documents"`
	PaymentStatus paymentStatus     `json:"payment_status"`
	Actions       []string          `json:"available_actions"`
	Notices       []*airlineChange  `json:"airline_initiated_changes"`
	Cancellation  *cancellation     `json:"cancellation"`
	Metadata      map[string]string `json:"metadata"`

	offer     *offer
	agreed    money  // the price when it was made
	newest    string // the newest quote for cancelling
	penalties money  // paid for changes
	aged      bool   // the guarantee of its price has ended, and the price has moved
}

type pendingOrder struct {
	order   *order
	outcome Outcome
}

type passengerAsk struct {
	ID        string  `json:"id"`
	Title     string  `json:"title"`
	Gender    string  `json:"gender"`
	Given     string  `json:"given_name"`
	Family    string  `json:"family_name"`
	BornOn    string  `json:"born_on"`
	Email     string  `json:"email"`
	Phone     string  `json:"phone_number"`
	Infant    *string `json:"infant_passenger_id"`
	Type      string  `json:"type"`
	Documents []struct {
		Type    string `json:"type"`
		ID      string `json:"unique_identifier"`
		Country string `json:"issuing_country_code"`
		Expires string `json:"expires_on"`
	} `json:"identity_documents"`
}

type paymentAsk struct {
	Type     string `json:"type"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

type orderAsk struct {
	Type       string            `json:"type"`
	Offers     []string          `json:"selected_offers"`
	Passengers []passengerAsk    `json:"passengers"`
	Payments   []paymentAsk      `json:"payments"`
	Services   []any             `json:"services"`
	Metadata   map[string]string `json:"metadata"`
	Users      []string          `json:"users"`
}

// createOrder books an offer.
func (d *Duffel) createOrder(c *call) (any, error) {
	var ask orderAsk
	if err := c.read(&ask); err != nil {
		return nil, err
	}
	o, err := d.orderFor(c, ask)
	if err != nil {
		return nil, err
	}
	o.offer.request.booked = true
	if c.fault.Pending != 0 {
		d.pending = append(d.pending, pendingOrder{o, c.fault.Pending})
		c.status = http.StatusAccepted
		return map[string]any{"offer_id": o.OfferID}, nil
	}
	d.addOrder(o)
	c.status = http.StatusCreated
	return o.shown(c.now), nil
}

// addOrder makes a requested order.
func (d *Duffel) addOrder(o *order) {
	d.orders = append([]*order{o}, d.orders...)
	d.emit("order.created", o.ID, map[string]any{"offer_id": o.OfferID, "order_id": o.ID,
		"booking_reference": o.Reference, "metadata": o.Metadata})
}

// Settle makes or drops the orders that were accepted and not made at once.
func (d *Duffel) Settle() {
	d.mu.Lock()
	for _, p := range d.pending {
		if p.outcome == Made {
			d.addOrder(p.order)
			continue
		}
		d.emit("order.creation_failed", "failed-"+p.order.ID, map[string]any{"offer_id": p.order.OfferID,
			"metadata": p.order.Metadata})
	}
	d.pending = nil
	due := d.due
	d.due = nil
	d.mu.Unlock()
	d.deliver(due)
}

// orderFor returns the order that is requested, if it can be made.
func (d *Duffel) orderFor(c *call, ask orderAsk) (*order, error) {
	if len(ask.Offers) != 1 {
		return nil, invalid("selected_offers", "validation_length", "selected_offers should have 1 item")
	}
	of, ok := d.offers[ask.Offers[0]]
	if !ok {
		return nil, errNotFound
	}
	if err := checkMetadata(ask.Metadata); err != nil {
		return nil, err
	}
	passengers, err := checkPassengers(c.now, of, ask.Passengers)
	if err != nil {
		return nil, err
	}
	switch {
	case ask.Type != "instant" && ask.Type != "hold" && ask.Type != "pay_later":
		return nil, invalid("type", "validation_inclusion", "type is instant or hold")
	case of.request.booked:
		return nil, invalid("selected_offers", "offer_request_already_booked",
			"an offer of this offer request has already been booked")
	case !c.now.Before(of.ExpiresAt.time()):
		return nil, invalid("selected_offers", "offer_expired", "the offer has expired")
	case of.route == "LHR-STN" && of.brand.name == basic.name:
		return nil, airline("offer_no_longer_available", "the airline no longer sells the offer")
	}
	o := &order{
		ID: d.id("ord"), OfferID: of.ID, Type: "instant", Live: c.live, Content: "managed", Reference: d.locator(),
		CreatedAt: at(c.now), SyncedAt: at(c.now),
		Owner: of.Owner, Total: of.Total, TotalCurrency: of.TotalCurrency, Base: of.Base, BaseCurrency: of.BaseCurrency,
		Tax: of.Tax, TaxCurrency: of.TaxCurrency,
		Conditions: of.Conditions, Passengers: passengers, Slices: slices.Clone(of.Slices), Services: []any{},
		Documents: []document{},
		Notices:   []*airlineChange{}, Metadata: ask.Metadata, offer: of, agreed: of.Total,
	}
	if o.Metadata == nil {
		o.Metadata = map[string]string{}
	}
	if ask.Type == "instant" {
		if len(ask.Payments) == 0 {
			return nil, invalid("payments", "validation_required", "payments can't be blank")
		}
		return o, d.charge(c.now, o, ask.Payments[0])
	}
	o.Type = "hold"
	need := d.requirements(c.now, of)
	switch {
	case len(ask.Payments) > 0:
		return nil, invalid("payments", "validation_required", "a hold order is not paid when it is made")
	case of.Payment.Instant || need.Instant:
		return nil, invalid("type", "validation_inclusion", "the offer requires instant payment")
	}
	o.PaymentStatus = paymentStatus{Awaiting: true, RequiredBy: need.RequiredBy, Guarantee: need.Guarantee}
	return o, nil
}

// charge pays for an order and issues its tickets.
func (d *Duffel) charge(now time.Time, o *order, p paymentAsk) error {
	switch {
	case p.Type != "balance" && p.Type != "arc_bsp_cash":
		return invalid("type", "validation_inclusion", "type is not a way of paying")
	case p.Currency != o.TotalCurrency:
		return invalid("currency", "payment_currency_does_not_match_order_currency", "the currency is not the order's")
	case p.Amount != o.Total.String() && p.Amount == o.agreed.String():
		return invalid("amount", "price_changed", "the price has changed")
	case p.Amount != o.Total.String():
		return invalid("amount", "payment_amount_does_not_match_order_amount", "the amount is not the order's")
	case o.offer.route == "LGW-STN":
		return airline("insufficient_balance", "there is not enough balance")
	}
	o.PaymentStatus = paymentStatus{PaidAt: at(now)}
	o.VoidUntil = at(now.Add(24 * time.Hour))
	d.ticket(o)
	d.payments = append([]*payment{{ID: d.id("pay"), Order: o.ID, Type: p.Type, Amount: p.Amount, Currency: p.Currency,
		Status: "succeeded", CreatedAt: at(now), Live: o.Live}}, d.payments...)
	return nil
}

// ticket issues an order's tickets anew.
func (d *Duffel) ticket(o *order) {
	o.Documents = nil
	for _, p := range o.Passengers {
		d.ids++
		o.Documents = append(o.Documents, document{ID: fmt.Sprintf("999%010d", d.ids), Type: "electronic_ticket",
			Passengers: []string{p.ID}})
	}
	o.newest = "" // older quotes are no longer valid
}

func (d *Duffel) locator() string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
	d.ids++
	n, b := d.ids*7919+1000003, make([]byte, 6)
	for i := range b {
		b[i] = letters[n%len(letters)]
		n /= len(letters)
	}
	return string(b)
}

// shown returns the order as it is at a time.
func (o *order) shown(now time.Time) order {
	out := *o
	out.SyncedAt = at(now)
	if until := out.PaymentStatus.RequiredBy.time(); out.PaymentStatus.Awaiting && !now.Before(until) {
		out.PaymentStatus = paymentStatus{Guarantee: out.PaymentStatus.Guarantee} // the seats are released
	}
	out.Actions = o.actions(now)
	return out
}

// actions returns what can be done with the order.
func (o *order) actions(now time.Time) []string {
	list := []string{}
	lapsed := o.PaymentStatus.Awaiting && !now.Before(o.PaymentStatus.RequiredBy.time())
	if o.CancelledAt != nil || lapsed || now.After(o.Slices[0].departure()) {
		return list
	}
	list = append(list, "cancel")
	if o.PaymentStatus.PaidAt != nil && (o.Conditions.Change == nil || o.Conditions.Change.Allowed) {
		list = append(list, "change")
	}
	return append(list, "update")
}

func (d *Duffel) order(id string) (*order, error) {
	for _, o := range d.orders {
		if o.ID == id {
			o.age(d.now())
			return o, nil
		}
	}
	return nil, errNotFound
}

// age moves the price of an unpaid order once it is no longer guaranteed.
func (o *order) age(now time.Time) {
	if s := o.PaymentStatus; s.Awaiting && !o.aged && !now.Before(s.Guarantee.time()) {
		o.aged = true
		o.Base += o.Base / 25
		o.Total = o.Base + o.Tax
	}
}

// Orders returns how many orders were made.
func (d *Duffel) Orders() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.orders)
}

// OrderWith returns the id of the order whose metadata has a value under a key; empty if there
// is none.
func (d *Duffel) OrderWith(key, value string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.orders {
		if o.Metadata[key] == value {
			return o.ID
		}
	}
	return ""
}

func (d *Duffel) getOrder(c *call) (any, error) {
	o, err := d.order(c.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return o.shown(c.now), nil
}

func (d *Duffel) listOrders(c *call) (any, error) {
	list := []order{}
	for _, o := range d.orders {
		if offer := c.r.URL.Query().Get("offer_id"); offer == "" || offer == o.OfferID {
			list = append(list, o.shown(c.now))
		}
	}
	return page(c, list, func(o order) string { return o.ID })
}

// RaiseOrder changes the price of a held order by so many hundredths.
func (d *Duffel) RaiseOrder(id string, by int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if o, err := d.order(id); err == nil {
		o.Base += money(by)
		o.Total += money(by)
	}
}

// Forbid removes the actions from an order, as airlines do.
func (d *Duffel) Forbid(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if o, err := d.order(id); err == nil {
		o.Conditions.Change = notAllowed()
	}
}

var metadataKey = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

func checkMetadata(m map[string]string) error {
	if len(m) > 50 {
		return invalid("metadata", "validation_length", "metadata has more than 50 keys")
	}
	for k, v := range m {
		if !metadataKey.MatchString(k) || len([]rune(v)) > 500 {
			return invalid("metadata", "validation_format", "metadata has a key or a value that is not allowed")
		}
	}
	return nil
}

var (
	// personName is what names consist of: letters of ASCII, Latin-1 and most of Latin
	// Extended-A, space, hyphen and apostrophe.
	personName = regexp.MustCompile(`^[A-Za-zÀ-ÖØ-öø-ſ' -]{1,20}$`)
	noName     = regexp.MustCompile(`[ÆæĲĳŒœÞþÐð]`)
	phone      = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
	email      = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)
	alpha2     = regexp.MustCompile(`^[A-Z]{2}$`)
)

// checkPassengers reads the passengers of an order.
func checkPassengers(now time.Time, of *offer, asked []passengerAsk) ([]orderPassenger, error) {
	if len(asked) != len(of.Passengers) {
		return nil, invalid("passengers", "validation_length", "passengers has to list all passengers of the offer")
	}
	var list []orderPassenger
	for _, p := range asked {
		i := slices.IndexFunc(of.Passengers, func(q offerPassenger) bool { return q.ID == p.ID })
		if i < 0 {
			return nil, invalid("id", "validation_inclusion", "id is not a passenger of the offer")
		}
		if err := checkPassenger(now, of, p); err != nil {
			return nil, err
		}
		for _, q := range list {
			if q.Given == p.Given && q.Family == p.Family {
				return nil, invalid("passengers", "duplicate_passenger_name", "two passengers have the same name")
			}
		}
		list = append(list, orderPassenger{
			ID: p.ID, Title: p.Title, Gender: p.Gender, Given: p.Given, Family: p.Family, BornOn: p.BornOn,
			Email: p.Email, Phone: p.Phone,
			Type: "adult", FareType: of.Passengers[i].FareType, Infant: p.Infant, Loyalty: []any{},
		})
	}
	return list, nil
}

func checkPassenger(now time.Time, of *offer, p passengerAsk) error {
	born, err := time.Parse(time.DateOnly, p.BornOn)
	switch {
	case !slices.Contains([]string{"mr", "ms", "mrs", "miss", "dr"}, p.Title):
		return invalid("title", "validation_inclusion", "title is not one of the titles")
	case p.Gender != "m" && p.Gender != "f":
		return invalid("gender", "validation_inclusion", "gender is m or f")
	case !personName.MatchString(p.Given) || noName.MatchString(p.Given):
		return invalid("given_name", "validation_format", "given_name has characters that are not allowed")
	case !personName.MatchString(p.Family) || noName.MatchString(p.Family):
		return invalid("family_name", "validation_format", "family_name has characters that are not allowed")
	case err != nil || born.After(now):
		return invalid("born_on", "validation_format", "born_on has to be a date in the past")
	case !email.MatchString(p.Email):
		return invalid("email", "validation_format", "email has to be an address")
	case !phone.MatchString(p.Phone):
		return invalid("phone_number", "invalid_phone_number", "phone_number has to be in E.164 format")
	case of.DocumentsNeeded && len(p.Documents) == 0:
		return invalid("identity_documents", "validation_required", "identity_documents can't be blank")
	}
	for _, doc := range p.Documents {
		expires, err := time.Parse(time.DateOnly, doc.Expires)
		if doc.Type != "passport" || doc.ID == "" || len(doc.ID) > 15 || !alpha2.MatchString(doc.Country) ||
			err != nil || expires.Before(now) {
			return invalid("identity_documents", "validation_format", "identity_documents is not valid")
		}
	}
	return nil
}

// RequireDocuments makes an offer require a passport.
func (d *Duffel) RequireDocuments(offer string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.offers[offer].DocumentsNeeded = true
}
