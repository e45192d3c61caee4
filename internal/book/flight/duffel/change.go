package duffel

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

type sliceChange struct {
	Remove []sliceRemoval  `json:"remove"`
	Add    []sliceAddition `json:"add"`
}

type sliceRemoval struct {
	Slice string `json:"slice_id"`
}

type sliceAddition struct {
	Origin      gangway.Airport `json:"origin"`
	Destination gangway.Airport `json:"destination"`
	Date        gangway.Date    `json:"departure_date"`
	Cabin       gangway.Cabin   `json:"cabin_class"`
}

// FindChanges looks for other flights for the order.
func (s *Seller) FindChanges(ctx context.Context, id string, legs []flight.Leg) ([]flight.ChangeOffer, error) {
	r, end, err := s.lockOrder(ctx, id)
	if err != nil {
		return nil, err
	}
	defer end()
	w, order, err := s.changeable(ctx, &r)
	if err != nil {
		return nil, err
	}
	change, err := s.sliceChange(w, order, legs)
	if err != nil {
		return nil, err
	}
	var found struct {
		Offers []wireChangeOffer `json:"order_change_offers"`
	}
	if err := s.prepare(ctx, "/air/order_change_requests", map[string]any{"order_id": r.Order, "slices": change},
		&found); err != nil {
		return nil, explainError(err) // a change request changes nothing yet
	}
	var offers []flight.ChangeOffer
	var unusable error
	for _, o := range found.Offers {
		offer, err := s.changeOffer(w, order, o)
		if err != nil {
			unusable = err
			s.Log.WarnContext(ctx, "a Duffel change offer is left out", "offer", o.ID, "error", err)
			continue
		}
		if !sameFlights(offer.Itinerary, order.Itinerary) && fitsLegs(legs, offer.Itinerary) {
			offers = append(offers, offer)
		}
	}
	if len(offers) == 0 && gangway.KindOf(unusable) == gangway.Conflict {
		return nil, unusable // none could be used, and a person can do something about it
	}
	return offers, nil
}

// changeable returns an order whose flights can be changed through Duffel.
func (s *Seller) changeable(ctx context.Context, r *record) (wireOrder, flight.Order, error) {
	order, err := s.look(ctx, r)
	switch {
	case err != nil:
		return wireOrder{}, order, err
	case order.Status == flight.Pending:
		return wireOrder{}, order, errUnknownOutcome
	case order.Status == flight.Held:
		return wireOrder{}, order, gangway.Errorf(gangway.Conflict,
			"the order is not ticketed yet: cancel it, which costs nothing, and book other flights")
	case order.Status != flight.Ticketed:
		return wireOrder{}, order, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", order.Status)
	}
	w, err := s.wire(ctx, r.Order)
	if err == nil && !slices.Contains(w.Actions, "change") {
		err = gangway.Errorf(gangway.Conflict, "this order cannot be changed online: ask the airline, or cancel it "+
			"and book other flights")
	}
	return w, order, err
}

// sliceChange says which directions of an order are removed and which are added: those on
// whose legs other flights are asked for, or all if the number of legs differs.
func (s *Seller) sliceChange(w wireOrder, order flight.Order, legs []flight.Leg) (sliceChange, error) {
	var c sliceChange
	flown := order.Itinerary.Legs()
	cabin := order.Itinerary.Segments[0].Cabin
	for i, leg := range legs {
		if len(legs) == len(w.Slices) && len(legs) > 1 && fitsLeg(leg, flown[i]) {
			continue // it stays as it is
		}
		if len(leg.From) == 0 || len(leg.To) == 0 {
			return c, gangway.Errorf(gangway.Invalid, "a leg needs its airports")
		}
		from, to := leg.From[0], leg.To[0]
		if i < len(flown) { // the booked airports are kept if the leg allows them
			if e, ok := findEnd(leg.From, flown[i][0].Origin); ok {
				from = e
			}
			if e, ok := findEnd(leg.To, flown[i][len(flown[i])-1].Destination); ok {
				to = e
			}
		}
		if len(legs) == len(w.Slices) {
			c.Remove = append(c.Remove, sliceRemoval{w.Slices[i].ID})
		}
		days := departureDates(leg, from, to)
		if len(days) == 0 {
			return c, gangway.Errorf(gangway.Invalid, "a leg needs its date")
		}
		c.Add = append(c.Add, sliceAddition{Origin: from.Airport, Destination: to.Airport, Date: days[0], Cabin: cabin})
	}
	if len(legs) != len(w.Slices) {
		for _, slice := range w.Slices {
			c.Remove = append(c.Remove, sliceRemoval{slice.ID})
		}
	}
	if len(c.Add) == 0 {
		return c, gangway.Errorf(gangway.Invalid, "these flights are booked already: ask for another date or "+
			"place")
	}
	return c, nil
}

// fitsLegs reports whether flights are what legs ask for.
func fitsLegs(legs []flight.Leg, it gangway.Itinerary) bool {
	flown := it.Legs()
	if len(flown) != len(legs) {
		return false
	}
	for i := range legs {
		if !fitsLeg(legs[i], flown[i]) {
			return false
		}
	}
	return true
}

// changeOffer turns a change offer into ours.
func (s *Seller) changeOffer(w wireOrder, order flight.Order, c wireChangeOffer) (flight.ChangeOffer, error) {
	for _, gone := range c.Slices.Remove {
		if !slices.ContainsFunc(w.Slices, func(have wireSlice) bool { return have.ID == gone.ID }) {
			return flight.ChangeOffer{}, gangway.Errorf(gangway.Conflict,
				"the order has changed since this offer: look for other flights again")
		}
	}
	if c.New == nil || c.Change == nil {
		return flight.ChangeOffer{}, gangway.Errorf(gangway.Conflict, "the airline does not say what this change costs")
	}
	total, err := amount(*c.New, c.NewCurrency)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	due, err := amount(*c.Change, currencyOr(c.ChangeCurrency, total.Currency))
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	price, penalty, err := c.becomes(order.Price, total, due)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	changed := changedSlices(w, c)
	it, err := itinerary(changed)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	o := flight.ChangeOffer{
		ID: c.ID,
		PricedItinerary: gangway.PricedItinerary{
			Itinerary: it, Baggage: baggage(changed), Terms: order.Terms, Price: price,
		},
		Due: due, Penalty: penalty, Expires: instant(c.ExpiresAt),
	}
	o.Terms.Brand = cmp.Or(brand(changed), o.Terms.Brand)
	o.Emissions = flight.Estimate(s.Factors, &o.Itinerary)
	return o, nil
}

// changedSlices returns an order's directions after a change, by departure.
func changedSlices(w wireOrder, c wireChangeOffer) []wireSlice {
	list := slices.DeleteFunc(slices.Clone(w.Slices), func(s wireSlice) bool {
		return slices.ContainsFunc(c.Slices.Remove, func(gone wireSlice) bool { return gone.ID == s.ID })
	})
	list = append(list, c.Slices.Add...)
	slices.SortStableFunc(list, func(a, b wireSlice) int { return strings.Compare(departureOf(a), departureOf(b)) })
	return list
}

func departureOf(s wireSlice) string {
	if len(s.Segments) == 0 {
		return ""
	}
	return s.Segments[0].DepartingAt
}

// PriceChange returns a change offer as it is now.
func (s *Seller) PriceChange(ctx context.Context, id, offer string) (flight.ChangeOffer, error) {
	r, end, err := s.lockOrder(ctx, id)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	defer end()
	o, _, err := s.priceChange(ctx, &r, offer)
	return o, err
}

// priceChange returns a change offer that was made for the order as it is now and has not
// expired, and the agreement on the price that comes with it.
func (s *Seller) priceChange(ctx context.Context, r *record, id string) (flight.ChangeOffer, *agreement, error) {
	if !strings.HasPrefix(id, "oco_") {
		return flight.ChangeOffer{}, nil, gangway.Errorf(gangway.NotFound, "Duffel has no such change offer")
	}
	w, order, err := s.changeable(ctx, r)
	if err != nil {
		return flight.ChangeOffer{}, nil, err
	}
	var c wireChangeOffer
	if _, err := s.get(ctx, "/air/order_change_offers/"+url.PathEscape(id), nil, &c); err != nil {
		return flight.ChangeOffer{}, nil, explainError(err)
	}
	if c.ExpiresAt != nil && !s.now().Before(*c.ExpiresAt) {
		return flight.ChangeOffer{}, nil, gangway.Errorf(gangway.Conflict,
			"this change offer has expired: look for other flights again")
	}
	o, err := s.changeOffer(w, order, c)
	if err != nil {
		return o, nil, err
	}
	agreed, err := agreementOn(o, c, w)
	return o, agreed, err
}

// Change moves the order to the flights of a change offer. Duffel first prepares the
// change; confirming it pays for it. Only confirming has an effect.
func (s *Seller) Change(ctx context.Context, id, offer string) (flight.Order, error) {
	r, end, err := s.lockOrder(ctx, id)
	if err != nil {
		return flight.Order{}, err
	}
	defer end()
	if slices.Contains(r.Seen.Changes, offer) {
		return s.look(ctx, &r)
	}
	o, agreed, err := s.priceChange(ctx, &r, offer)
	if err != nil {
		return flight.Order{}, err
	}
	var prepared wireChangeOffer
	if err := s.prepare(ctx, "/air/order_changes", map[string]any{"selected_order_change_offer": offer},
		&prepared); err != nil {
		return flight.Order{}, explainRefusal(err)
	}
	due, err := amount(textOf(prepared.Change), currencyOr(prepared.ChangeCurrency, o.Due.Currency))
	if err != nil {
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the airline does not say what this change costs")
	}
	if due != o.Due {
		return flight.Order{}, gangway.Errorf(gangway.Conflict,
			"the change costs %s, not %s: look for other flights again", due, o.Due)
	}
	confirm := map[string]any{}
	if due.Minor > 0 {
		confirm["payment"] = s.payment(due)
	}
	return s.once(ctx, &r, attempt{Operation: changing, ID: prepared.ID, Offer: offer, Agreed: agreed},
		"/air/order_changes/"+url.PathEscape(prepared.ID)+"/actions/confirm", confirm)
}
