package duffel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// An orderAsk is the request for an order.
type orderAsk struct {
	Type       string            `json:"type"` // "hold", or "instant" with its payment
	Offers     []string          `json:"selected_offers"`
	Passengers []passenger       `json:"passengers"`
	Payments   []payment         `json:"payments,omitempty"`
	Metadata   map[string]string `json:"metadata"`
}

type payment struct {
	Type     string `json:"type"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

func (s *Seller) payment(m gangway.Money) payment {
	return payment{Type: s.Pay, Amount: m.Decimal(), Currency: m.Currency}
}

// The metadata that orders have at Duffel, so that they can be recognised.
const (
	metaReference = "reference"
	metaVessel    = "vessel"
	metaFlag      = "flag"
)

// findDuplicates is how often a new search is made for an offer that is taken.
const findDuplicates = 3

// alreadyBooked is Duffel's error if an offer of the same search was booked: Duffel sells
// one offer of each search.
const alreadyBooked = "offer_request_already_booked"

// errTaken says that another of our orders has the offer.
var errTaken = errors.New("the offer is taken")

var errSold = gangway.Errorf(gangway.Conflict, "these seats have been sold: search again to see what is available now")

// Hold holds seats under the caller's reference, once.
func (s *Seller) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	if ask.Reference == "" {
		return flight.Order{}, gangway.Errorf(gangway.Invalid, "a hold needs the caller's reference")
	}
	end, err := s.locks.take(ctx, ask.Reference)
	if err != nil {
		return flight.Order{}, err
	}
	defer end()
	r, err := s.loadReference(ctx, ask.Reference)
	if err == nil {
		return s.repeat(ctx, r)
	}
	if gangway.KindOf(err) != gangway.NotFound {
		return flight.Order{}, err
	}
	offer, err := s.offer(ctx, ask.Offer)
	if err != nil {
		return flight.Order{}, err
	}
	for try := 0; ; try++ {
		order, err := s.hold(ctx, ask, offer, &r)
		if !errors.Is(err, errTaken) {
			return order, err
		}
		if try == findDuplicates {
			return flight.Order{}, s.markNever(ctx, &r, errSold)
		}
		if offer, err = s.findDuplicate(ctx, offer, ask.Price); err != nil {
			return flight.Order{}, s.markNever(ctx, &r, err)
		}
	}
}

// repeat answers a hold under a reference that was used before with its outcome.
func (s *Seller) repeat(ctx context.Context, r record) (flight.Order, error) {
	if r.Never != "" {
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "%s", r.Never)
	}
	order, err := s.look(ctx, &r)
	if err == nil && order.Status == flight.Pending && r.Order == "" {
		return order, errUnknownOutcome
	}
	return order, err
}

// hold holds seats on an offer. errTaken: it, or another of the same search, was booked
// before; r is then as far as it got.
func (s *Seller) hold(ctx context.Context, ask flight.HoldAsk, w wireOffer, r *record) (flight.Order, error) {
	p, err := s.passenger(ask, w)
	if err != nil {
		return flight.Order{}, s.markNever(ctx, r, err)
	}
	offer, err := s.read(w)
	if err != nil {
		return flight.Order{}, s.markNever(ctx, r, gangway.Errorf(gangway.Conflict,
			"this offer cannot be booked here: choose another"))
	}
	switch {
	case offer.Price.Total != ask.Price:
		return flight.Order{}, s.markNever(ctx, r, gangway.Errorf(gangway.Conflict, "the price is %s, not %s",
			offer.Price.Total, ask.Price))
	case offer.Terms.FareType == gangway.Marine && (ask.Vessel == "" || ask.Flag == ""):
		return flight.Order{}, s.markNever(ctx, r, gangway.Errorf(gangway.Invalid,
			"a marine fare needs the vessel and its flag"))
	}
	version := r.version
	*r = record{Reference: ask.Reference, Offer: w.ID, Made: s.now(), Seen: orderOf(ask.Reference, offer),
		version: version}
	metadata := map[string]string{metaReference: ask.Reference}
	if offer.Terms.FareType == gangway.Marine {
		metadata[metaVessel], metadata[metaFlag] = ask.Vessel, string(ask.Flag)
	}
	if w.Payment.Instant {
		r.Buy = &purchase{Passenger: p, Metadata: metadata, Until: offer.Expires}
		r.Seen.HoldUntil, r.Seen.TicketBy, r.Seen.PriceUntil = offer.Expires, offer.Expires, s.now()
	} else {
		r.Begun = &attempt{Operation: booking, At: s.now()}
	}
	if err := s.claim(ctx, r); err != nil {
		return flight.Order{}, err
	}
	s.forget(w.ID)
	if r.Buy != nil {
		return r.Seen, nil
	}
	made, err := s.order(ctx, r, orderAsk{Type: "hold", Offers: []string{w.ID}, Passengers: []passenger{p},
		Metadata: metadata})
	if hasCode(err, alreadyBooked) {
		return flight.Order{}, errTaken
	}
	if refusal(err) {
		return flight.Order{}, s.markNever(ctx, r, explainRefusal(err))
	}
	if err != nil {
		return flight.Order{}, s.ended(ctx, r, err)
	}
	return s.readOrder(ctx, r, made)
}

// order requests an order from Duffel, once, and records its id.
func (s *Seller) order(ctx context.Context, r *record, ask orderAsk) (wireOrder, error) {
	var made wireOrder
	err := s.do(ctx, "/air/orders", ask, &made)
	if err != nil {
		return made, err
	}
	if made.ID == "" {
		return made, &failure{status: 200, cause: errors.New("the order has no id")}
	}
	return made, s.note(ctx, r, func(r *record) { r.Order, r.Begun, r.Buy = made.ID, nil, nil })
}

// claim writes a record and claims its offer, both or neither. errTaken: another order has
// the offer.
func (s *Seller) claim(ctx context.Context, r *record) error {
	doc, err := r.document()
	if err != nil {
		return err
	}
	taken, err := json.Marshal(map[string]string{"reference": r.Reference})
	if err != nil {
		return err
	}
	err = s.ledger.Save(ctx, doc, gangway.Document{ID: offerPrefix + r.Offer, Doc: taken, Version: 1})
	if err == nil {
		r.version++
		return nil
	}
	if gangway.KindOf(err) != gangway.Conflict {
		return fmt.Errorf("take an offer: %w", err)
	}
	if r.version == 0 {
		if there, err := s.loadReference(ctx, r.Reference); err == nil {
			_, err := s.repeat(ctx, there)
			if err == nil {
				err = errUnknownOutcome // another process is holding it: the caller finds out with Find
			}
			return err
		}
	}
	return errTaken
}

// markNever records that nothing was booked under a reference, and why. If nothing was begun
// there is nothing to record.
func (s *Seller) markNever(ctx context.Context, r *record, why error) error {
	if r.version == 0 {
		return why
	}
	if err := s.note(ctx, r, func(r *record) { r.Begun, r.Buy, r.Never = nil, nil, why.Error() }); err != nil {
		return err
	}
	return why
}

// orderOf returns the order that holding an offer leads to.
func orderOf(reference string, o flight.Offer) flight.Order {
	return flight.Order{
		ID: orderPrefix + reference, Reference: reference, Status: flight.Held,
		PricedItinerary: o.PricedItinerary, Plating: o.Plating,
		HoldUntil: o.TicketBy, TicketBy: o.TicketBy, PriceUntil: o.PriceUntil,
	}
}

// Find returns the order that was held under reference. If nothing is known about it, Find
// makes sure that there will be none, because a Hold may still be under way.
func (s *Seller) Find(ctx context.Context, reference string) (flight.Order, error) {
	r, err := s.loadReference(ctx, reference)
	if gangway.KindOf(err) == gangway.NotFound {
		gone := record{Reference: reference, Never: "this was cancelled before it reached the airline: search again"}
		if err := s.save(ctx, &gone); err != nil && gangway.KindOf(err) != gangway.Conflict {
			return flight.Order{}, err
		}
		r, err = s.loadReference(ctx, reference)
	}
	switch {
	case err != nil:
		return flight.Order{}, err
	case r.Never != "":
		return flight.Order{}, errOrder
	}
	order, err := s.look(ctx, &r)
	switch {
	case err != nil:
		return order, err
	case r.Never != "":
		return flight.Order{}, errOrder
	case r.Order == "" && order.Status == flight.Pending:
		return flight.Order{}, errUnknownOutcome
	}
	return order, nil
}
