package sim

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// refundTakes is how long the airline needs to pay a refund.
const refundTakes = 72 * time.Hour

// quoteLife is for how long a quote for cancelling is good.
const quoteLife = 30 * time.Minute

// An order is a flight.Order as the ledger keeps it.
type order struct {
	flight.Order
	Brand    string            `json:"brand"`
	Cabin    gangway.Cabin     `json:"cabin"`
	Booked   gangway.Traveller `json:"passenger"`
	Vessel   string            `json:"vessel,omitempty"`
	Flag     gangway.Country   `json:"flag,omitempty"`
	IssuedAt time.Time         `json:"issued_at,omitzero"`
	version  int
}

var errOrder = gangway.Errorf(gangway.NotFound, "the airline has no such order")

// load returns an order as it stands now: what time alone brings about is not
// written down, but seen.
func (s *seller) load(doc []byte, version int, err error) (order, error) {
	if gangway.KindOf(err) == gangway.NotFound && err != nil {
		return order{}, errOrder
	}
	if err != nil {
		return order{}, fmt.Errorf("load simulated order: %w", err)
	}
	o := order{version: version}
	if err := json.Unmarshal(doc, &o); err != nil {
		return o, fmt.Errorf("read simulated order: %w", err)
	}
	now := s.now()
	if o.Status == flight.Held && !now.Before(o.HoldUntil) {
		o.Status = flight.Lapsed
	}
	if o.Refund != nil {
		if at := o.Refund.AskedAt.Add(refundTakes); !now.Before(at) {
			o.Refund.SettledAt = at
		}
	}
	return o, nil
}

func (s *seller) byID(ctx context.Context, id string) (order, error) {
	doc, version, err := s.ledger.Load(ctx, id)
	return s.load(doc, version, err)
}

func (s *seller) save(ctx context.Context, o order) error {
	doc, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("write simulated order: %w", err)
	}
	return s.ledger.Save(ctx, o.ID, o.Reference, doc, o.version+1)
}

// Order returns the order as it stands now.
func (s *seller) Order(ctx context.Context, id string) (flight.Order, error) {
	if err := s.answer(ctx); err != nil {
		return flight.Order{}, err
	}
	o, err := s.byID(ctx, id)
	return o.Order, err
}

// Find returns the order that was held under reference.
func (s *seller) Find(ctx context.Context, reference string) (flight.Order, error) {
	if err := s.answer(ctx); err != nil {
		return flight.Order{}, err
	}
	o, err := s.load(s.ledger.LoadByReference(ctx, reference))
	return o.Order, err
}

// Hold keeps seats under the caller's reference, once.
func (s *seller) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	if err := s.answer(ctx); err != nil {
		return flight.Order{}, err
	}
	if there, err := s.load(s.ledger.LoadByReference(ctx, ask.Reference)); err == nil || gangway.KindOf(err) != gangway.NotFound {
		return there.Order, err
	}
	offer, err := s.reprice(ask.Offer)
	if err != nil {
		return flight.Order{}, err
	}
	if offer.Price.Total != ask.Price {
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the price is now %s, it was %s", offer.Price.Total, ask.Price)
	}
	if offer.Terms.FareType == gangway.Marine && (ask.Vessel == "" || ask.Flag == "") {
		return flight.Order{}, gangway.Errorf(gangway.Invalid, "a marine fare needs the vessel and its flag")
	}
	if p := ask.Passenger; p.LastName == "" || p.FirstName == "" {
		return flight.Order{}, gangway.Errorf(gangway.Invalid, "the airline needs the passenger's last and first name")
	}
	sum := sha256.Sum256([]byte(ask.Reference))
	o := order{
		Order: flight.Order{
			ID: "sim_" + hex.EncodeToString(sum[:12]), Reference: ask.Reference, Status: flight.Held, PNR: locator(sum[12:18]),
			Itinerary: offer.Itinerary, Baggage: offer.Baggage, Terms: offer.Terms, Price: offer.Price, Emissions: offer.Emissions,
			Plating: offer.Plating, TicketBy: ticketBy(mustBrand(ask.Offer), s.now(), offer.Itinerary.Departure()),
		},
		Brand: ask.Offer[:1], Cabin: offer.Itinerary.Segments[0].Cabin, Booked: ask.Passenger, Vessel: ask.Vessel, Flag: ask.Flag,
	}
	o.HoldUntil = o.TicketBy
	err = s.save(ctx, o)
	if gangway.KindOf(err) == gangway.Conflict && err != nil {
		there, err := s.load(s.ledger.LoadByReference(ctx, ask.Reference))
		return there.Order, err
	}
	return o.Order, err
}

// mustBrand returns the brand of an offer that has been priced.
func mustBrand(offer string) brand {
	b, _ := brandOf(offer[:1])
	return b
}

// locator writes an airline's locator from six bytes of chance.
func locator(chance []byte) string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	b := make([]byte, len(chance))
	for i, c := range chance {
		b[i] = letters[int(c)%len(letters)]
	}
	return string(b)
}

// Issue pays for a held order and turns it into tickets.
func (s *seller) Issue(ctx context.Context, id string, pay gangway.Money) (flight.Order, error) {
	if err := s.answer(ctx); err != nil {
		return flight.Order{}, err
	}
	o, err := s.byID(ctx, id)
	if err != nil {
		return flight.Order{}, err
	}
	switch {
	case o.Status == flight.Lapsed:
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the seats were held until %s and are gone", o.HoldUntil.Format("2 Jan 15:04 UTC"))
	case o.Status != flight.Held:
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", o.Status)
	case pay != o.Price.Total:
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the price is %s, not %s", o.Price.Total, pay)
	}
	if err := s.ticket(ctx, &o); err != nil {
		return flight.Order{}, err
	}
	return o.Order, s.save(ctx, o)
}

// ticket gives an order tickets and the rest of the day to void them.
func (s *seller) ticket(ctx context.Context, o *order) error {
	now := s.now()
	loc := s.airports[s.index[string(o.Itinerary.Segments[0].Origin)]].Location()
	y, m, d := now.In(loc).Date()
	o.Status, o.IssuedAt = flight.Ticketed, now
	o.VoidUntil = time.Date(y, m, d+1, 0, 0, 0, 0, loc).UTC()
	if left := o.Itinerary.Departure(); o.VoidUntil.After(left) {
		o.VoidUntil = left.UTC()
	}
	numeric := s.airlines[o.Plating].Numeric
	if numeric == "" || numeric == "000" {
		o.Tickets = nil // ticketless: the airline's locator is all there is
		return nil
	}
	n, err := s.nextSerial(ctx, numeric)
	o.Tickets = []string{serial(numeric, n)}
	return err
}

// nextSerial counts an airline's tickets for the account, so that none is issued twice.
func (s *seller) nextSerial(ctx context.Context, numeric string) (int, error) {
	id := "serial_" + numeric
	for {
		doc, version, err := s.ledger.Load(ctx, id)
		if err != nil && gangway.KindOf(err) != gangway.NotFound {
			return 0, fmt.Errorf("count tickets: %w", err)
		}
		n, _ := strconv.Atoi(string(doc))
		n++
		err = s.ledger.Save(ctx, id, id, []byte(strconv.Itoa(n)), version+1)
		if err == nil || gangway.KindOf(err) != gangway.Conflict {
			return n, err
		}
	}
}

// QuoteCancel says what would come back if the order were cancelled now.
func (s *seller) QuoteCancel(ctx context.Context, id string) (flight.CancelQuote, error) {
	if err := s.answer(ctx); err != nil {
		return flight.CancelQuote{}, err
	}
	o, err := s.byID(ctx, id)
	if err != nil {
		return flight.CancelQuote{}, err
	}
	return s.quote(o, s.now())
}

// quote works out a cancellation as it stood at an instant.
func (s *seller) quote(o order, at time.Time) (flight.CancelQuote, error) {
	q := flight.CancelQuote{ID: fmt.Sprintf("q%d-%s", o.version, strconv.FormatInt(at.Unix(), 36)), Expires: at.Add(quoteLife).Truncate(time.Second).UTC()}
	none := gangway.Money{Currency: o.Price.Total.Currency}
	q.Refund, q.Kept = none, none
	switch {
	case o.Status == flight.Held, o.Status == flight.Lapsed:
		q.Rule = "Nothing was paid yet: the seats are given back and nothing is charged."
		return q, nil
	case o.Status != flight.Ticketed:
		return q, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", o.Status)
	case at.Before(o.VoidUntil):
		q.Void, q.Rule = true, "The tickets were issued today and are void: nothing is charged."
		return q, nil
	}
	total, fare := o.Price.Total, o.Price.Fare
	switch left := !at.Before(o.Itinerary.Departure()); {
	case left:
		q.Kept, q.Rule = noShow(o.Terms, o.Price), "The flight has left: "+o.Terms.NoShow
	case o.Terms.Cancellations == gangway.Refundable:
		q.Rule = "The fare is refundable before departure: everything comes back."
	case o.Terms.Cancellations == gangway.PaidCancel:
		q.Kept = o.Terms.CancelFee
		q.Rule = fmt.Sprintf("The airline keeps %s; the rest comes back.", o.Terms.CancelFee)
	default:
		q.Kept, q.Rule = fare, "The fare does not come back; the taxes do."
	}
	q.Kept.Minor = min(q.Kept.Minor, total.Minor)
	q.Refund = total.Sub(q.Kept)
	return q, nil
}

// Cancel gives up the order on the terms of a quote.
func (s *seller) Cancel(ctx context.Context, id, quote string) (flight.Order, error) {
	if err := s.answer(ctx); err != nil {
		return flight.Order{}, err
	}
	o, err := s.byID(ctx, id)
	if err != nil {
		return flight.Order{}, err
	}
	version, when, _ := strings.Cut(strings.TrimPrefix(quote, "q"), "-")
	seconds, err := strconv.ParseInt(when, 36, 64)
	if v, bad := strconv.Atoi(version); bad != nil || err != nil || v != o.version {
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the order has changed since this quote: ask for a new one")
	}
	asked := time.Unix(seconds, 0)
	now := s.now()
	if now.After(asked.Add(quoteLife)) || now.Before(asked) {
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "this quote has expired: ask for a new one")
	}
	q, err := s.quote(o, now)
	if err != nil {
		return flight.Order{}, err
	}
	if before, err := s.quote(o, asked); err != nil || before.Refund != q.Refund || before.Void != q.Void {
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "what comes back has changed since this quote: ask for a new one")
	}
	o.Status = flight.Withdrawn
	if !q.Refund.IsZero() {
		o.Refund = &gangway.Refund{Amount: q.Refund, AskedAt: now}
	}
	return o.Order, s.save(ctx, o)
}

// FindChanges looks for other flights in the order's own brand and cabin.
func (s *seller) FindChanges(ctx context.Context, id string, legs []gangway.Leg) ([]flight.ChangeOffer, error) {
	if err := s.answer(ctx); err != nil {
		return nil, err
	}
	o, err := s.changeable(ctx, id)
	if err != nil {
		return nil, err
	}
	f, now := s.finder(), s.now()
	var offers []flight.ChangeOffer
	for _, t := range f.trips(flight.Ask{Legs: legs, MaxStops: -1}) {
		offer, ok := s.offer(f, t, mustBrand(o.Brand), o.Cabin, now)
		if ok && offer.Itinerary.Departure().After(now.Add(time.Hour)) {
			offers = append(offers, change(o, offer))
		}
	}
	return offers, nil
}

func (s *seller) changeable(ctx context.Context, id string) (order, error) {
	o, err := s.byID(ctx, id)
	switch {
	case err != nil:
		return o, err
	case o.Status != flight.Held && o.Status != flight.Ticketed:
		return o, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", o.Status)
	case o.Terms.Changes == gangway.NoChange:
		return o, gangway.Errorf(gangway.Conflict, "this fare cannot be changed: cancel it and book anew")
	case !s.now().Before(o.Itinerary.Departure()):
		return o, gangway.Errorf(gangway.Conflict, "the flight has left")
	}
	return o, nil
}

// change works out what moving an order to an offer costs: the fee, the
// difference where the new flights are dearer, and the taxes. Where they are
// cheaper the fare stays as it was.
func change(o order, offer flight.Offer) flight.ChangeOffer {
	price := offer.Price
	if price.Fare.Minor < o.Price.Fare.Minor {
		price.Fare = o.Price.Fare
		price.Total = price.Fare.Add(price.Taxes)
	}
	fee := gangway.Money{Currency: price.Total.Currency}
	if o.Status == flight.Ticketed && o.Terms.Changes == gangway.PaidChange {
		fee = o.Terms.ChangeFee
	}
	return flight.ChangeOffer{
		ID: "c" + strconv.Itoa(o.version) + "!" + offer.ID, Itinerary: offer.Itinerary, Baggage: offer.Baggage, Terms: offer.Terms,
		NewPrice: price, Due: price.Total.Sub(o.Price.Total).Add(fee), Penalty: fee, Emissions: offer.Emissions, Expires: offer.Expires,
	}
}

// PriceChange returns a change offer as it stands now.
func (s *seller) PriceChange(ctx context.Context, id, offer string) (flight.ChangeOffer, error) {
	if err := s.answer(ctx); err != nil {
		return flight.ChangeOffer{}, err
	}
	_, c, err := s.repriceChange(ctx, id, offer)
	return c, err
}

func (s *seller) repriceChange(ctx context.Context, id, offer string) (order, flight.ChangeOffer, error) {
	o, err := s.changeable(ctx, id)
	if err != nil {
		return o, flight.ChangeOffer{}, err
	}
	version, token, ok := strings.Cut(strings.TrimPrefix(offer, "c"), "!")
	if !ok {
		return o, flight.ChangeOffer{}, errOffer
	}
	if version != strconv.Itoa(o.version) {
		return o, flight.ChangeOffer{}, gangway.Errorf(gangway.Conflict, "the order has changed since this offer: look for flights again")
	}
	if !strings.HasPrefix(token, o.Brand) {
		return o, flight.ChangeOffer{}, errOffer
	}
	priced, err := s.reprice(token)
	if err != nil {
		return o, flight.ChangeOffer{}, err
	}
	return o, change(o, priced), nil
}

// Change moves the order to the flights of a change offer.
func (s *seller) Change(ctx context.Context, id, offer string) (flight.Order, error) {
	if err := s.answer(ctx); err != nil {
		return flight.Order{}, err
	}
	if done, err := s.byID(ctx, id); err == nil && slices.Contains(done.Changes, offer) {
		return done.Order, nil
	}
	o, c, err := s.repriceChange(ctx, id, offer)
	if err != nil {
		return flight.Order{}, err
	}
	o.Itinerary, o.Baggage, o.Terms, o.Price, o.Emissions = c.Itinerary, c.Baggage, c.Terms, c.NewPrice, c.Emissions
	o.Changes = append(o.Changes, offer)
	if o.Status == flight.Ticketed {
		if err := s.ticket(ctx, &o); err != nil {
			return flight.Order{}, err
		}
	} else {
		o.TicketBy = ticketBy(mustBrand(o.Brand), s.now(), o.Itinerary.Departure())
		o.HoldUntil = o.TicketBy
	}
	return o.Order, s.save(ctx, o)
}
