// Package manual is the supplier of bookings made elsewhere: by phone, or with another
// agency. It sells nothing and calls nobody: a person enters what was booked, and it is
// kept, delivered and reported like any other booking.
//
// Whatever happens to such an order happens first where it was booked, and is then
// recorded here. So these calls hold, issue and cancel nothing but in the records.
package manual

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A register has the entries of one account.
type register struct {
	ledger  flight.Ledger
	factors *world.Factors
	now     func() time.Time
}

// New returns the register of the account whose documents are in ledger. Emissions are
// estimated with factors; nil: those embedded in the program.
func New(ledger flight.Ledger, factors *world.Factors, now func() time.Time) flight.Register {
	return &register{ledger, cmp.Or(factors, world.DefaultFactors()), now}
}

// prefix begins the ids of the register's documents; the reference follows.
const prefix = "manual_"

// A record is an entry and the order that it became.
type record struct {
	flight.Order
	Entry   flight.Entry   `json:"entry"`
	Changes []flight.Entry `json:"entered_changes,omitempty"`

	version int
}

var errNone = gangway.Errorf(gangway.NotFound, "nothing was entered under this number")

func (r *register) load(ctx context.Context, id string) (record, error) {
	if !strings.HasPrefix(id, prefix) {
		return record{}, errNone
	}
	doc, version, err := r.ledger.Load(ctx, id)
	if gangway.KindOf(err) == gangway.NotFound {
		return record{}, errNone
	}
	if err != nil {
		return record{}, fmt.Errorf("load manual order: %w", err)
	}
	rec := record{version: version}
	if err := json.Unmarshal(doc, &rec); err != nil {
		return record{}, fmt.Errorf("read manual order: %w", err)
	}
	return rec, nil
}

// errSame tells update that nothing has changed.
var errSame = errors.New("nothing to write")

// update changes a record. It calls change again if another version was written meanwhile.
func (r *register) update(ctx context.Context, id string, change func(*record) error) (record, error) {
	for {
		rec, err := r.load(ctx, id)
		if err != nil {
			return rec, err
		}
		if err := change(&rec); errors.Is(err, errSame) {
			return rec, nil
		} else if err != nil {
			return rec, err
		}
		err = r.save(ctx, rec)
		if gangway.KindOf(err) != gangway.Conflict {
			return rec, err
		}
	}
}

func (r *register) save(ctx context.Context, rec record) error {
	doc, err := json.Marshal(rec)
	if err != nil {
		return fmt.Errorf("write manual order: %w", err)
	}
	return r.ledger.Save(ctx, gangway.Document{ID: rec.ID, Reference: rec.Reference, Doc: doc, Version: rec.version +
		1})
}

// Name is the supplier's name.
func (r *register) Name() string { return flight.Elsewhere }

// Simulated is false: what was booked elsewhere is real.
func (r *register) Simulated() bool { return false }

// LongestName is no limit: the seller has accepted the name already.
func (r *register) LongestName() int { return 0 }

// Enter stores an entry under reference.
func (r *register) Enter(ctx context.Context, reference string, e flight.Entry) (string, error) {
	if err := check(e); err != nil {
		return "", err
	}
	id := prefix + reference
	e.Price = withFare(e.Price)
	rec := record{Order: flight.Order{ID: id, Reference: reference}, Entry: e}
	rec.Emissions = flight.Estimate(r.factors, &rec.Entry.Itinerary)
	err := r.save(ctx, rec)
	if gangway.KindOf(err) != gangway.Conflict {
		return id, err
	}
	_, err = r.update(ctx, id, func(rec *record) error {
		if rec.Status != "" {
			return gangway.Errorf(gangway.Conflict, "this was entered already")
		}
		rec.Entry = e
		rec.Emissions = flight.Estimate(r.factors, &rec.Entry.Itinerary)
		return nil
	})
	return id, err
}

// check returns an error if an entry is incomplete or contradicts itself.
func check(e flight.Entry) error {
	if len(e.Itinerary.Segments) == 0 {
		return gangway.Errorf(gangway.Invalid, "enter at least one flight")
	}
	for i, s := range e.Itinerary.Segments {
		switch {
		case s.Carrier == "" || s.FlightNumber == "":
			return gangway.Errorf(gangway.Invalid, "flight %d: enter the flight number, as in SQ 917", i+1)
		case !s.Origin.WellFormed() || !s.Destination.WellFormed() || s.Origin == s.Destination:
			return gangway.Errorf(gangway.Invalid, "flight %d: enter two different airports, as in MNL and SIN", i+1)
		case !s.Arrival.After(s.Departure):
			return gangway.Errorf(gangway.Invalid, "flight %d lands before it leaves; times are local", i+1)
		case i > 0 && s.Departure.Before(e.Itinerary.Segments[i-1].Arrival):
			return gangway.Errorf(gangway.Invalid, "flight %d leaves before flight %d lands", i+1, i)
		}
	}
	if e.Price.Total.Minor < 0 || len(e.Price.Total.Currency) != 3 {
		return gangway.Errorf(gangway.Invalid, "enter what it cost, with its currency, as in 482.00 USD")
	}
	if p := e.Price; p.Taxes.Minor < 0 || p.Fees.Minor < 0 || p.Taxes.Minor+p.Fees.Minor > p.Total.Minor {
		return gangway.Errorf(gangway.Invalid, "taxes and fees are parts of the total, which is %s", p.Total)
	}
	return checkTickets(e.Tickets)
}

// checkTickets checks that ticket numbers have thirteen digits and are different.
func checkTickets(tickets []string) error {
	for i, t := range tickets {
		if len(t) != 13 || strings.Trim(t, "0123456789") != "" {
			return gangway.Errorf(gangway.Invalid, "%q is not a ticket number, which has 13 digits", t)
		}
		if slices.Contains(tickets[:i], t) {
			return gangway.Errorf(gangway.Invalid, "ticket number %s was entered twice", t)
		}
	}
	return nil
}

// Search finds nothing: everything here was booked elsewhere.
func (r *register) Search(context.Context, flight.Ask, func([]flight.Offer)) error { return nil }

// offerLife is how long an entry can be held.
const offerLife = time.Hour

// Price returns an entry as an offer.
func (r *register) Price(ctx context.Context, offer string) (flight.Offer, error) {
	rec, err := r.load(ctx, offer)
	if err != nil {
		return flight.Offer{}, err
	}
	e := rec.Entry
	return flight.Offer{
		ID: rec.ID, PricedItinerary: priced(e, e.Price, rec.Emissions), Plating: plating(e),
		Expires: r.now().Add(offerLife), TicketBy: e.TicketBy,
	}, nil
}

// priced returns the entered itinerary with the given price.
func priced(e flight.Entry, price gangway.Price, emissions gangway.Emissions) gangway.PricedItinerary {
	return gangway.PricedItinerary{
		Itinerary: e.Itinerary, Baggage: e.Baggage, Terms: e.Terms, Price: price, Emissions: emissions,
	}
}

func plating(e flight.Entry) string { return e.Itinerary.Segments[0].Carrier }

// Hold turns an entry into an order. The seats are held by the seller.
func (r *register) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	if ask.Offer != prefix+ask.Reference {
		return flight.Order{}, gangway.Errorf(gangway.Invalid,
			"an entry made under one number cannot be booked under another")
	}
	rec, err := r.update(ctx, ask.Offer, func(rec *record) error {
		e := rec.Entry
		switch {
		case rec.Status == flight.Refused:
			return gangway.Errorf(gangway.Conflict, "this entry was withdrawn: enter it again")
		case rec.Status != "":
			return errSame
		case e.Price.Total != ask.Price:
			return gangway.Errorf(gangway.Conflict, "the price entered is %s, not %s", e.Price.Total, ask.Price)
		}
		rec.Status, rec.PricedItinerary, rec.PNRs = flight.Held, priced(e, e.Price, rec.Emissions), e.PNRs
		rec.Plating, rec.TicketBy, rec.HoldUntil = plating(e), e.TicketBy, e.TicketBy
		return nil
	})
	return r.aged(rec).Order, err
}

// aged applies the passing of time to a record that was read.
func (r *register) aged(rec record) record {
	if rec.Status == flight.Held && !rec.HoldUntil.IsZero() && len(rec.Entry.Tickets) == 0 &&
		!r.now().Before(rec.HoldUntil) {
		rec.Status = flight.Lapsed
	}
	return rec
}

// EnterTickets adds the ticket numbers to an order.
func (r *register) EnterTickets(ctx context.Context, order string, tickets []string) error {
	if err := checkTickets(tickets); err != nil {
		return err
	}
	if len(tickets) == 0 {
		return gangway.Errorf(gangway.Invalid, "enter the ticket numbers, 13 digits each")
	}
	_, err := r.update(ctx, order, func(rec *record) error {
		if rec.Status != flight.Held {
			return gangway.Errorf(gangway.Conflict, "tickets can only be entered for a held booking, and this is %s",
				rec.Status)
		}
		rec.Entry.Tickets = tickets
		return nil
	})
	return err
}

// Issue records that the tickets whose numbers were entered have been issued.
func (r *register) Issue(ctx context.Context, order string, pay gangway.Money) (flight.Order, error) {
	rec, err := r.update(ctx, order, func(rec *record) error {
		*rec = r.aged(*rec)
		switch {
		case rec.Status != flight.Held:
			return gangway.Errorf(gangway.Conflict, "this booking is %s at %s", rec.Status, rec.Entry.Agency)
		case pay != rec.Price.Total:
			return gangway.Errorf(gangway.Conflict, "the price entered is %s, not %s", rec.Price.Total, pay)
		case len(rec.Entry.Tickets) == 0:
			return gangway.Errorf(gangway.Conflict, "booked with %s: enter the ticket numbers once they are issued",
				agency(rec.Entry))
		}
		rec.Status, rec.Tickets = flight.Ticketed, rec.Entry.Tickets
		return nil
	})
	return rec.Order, err
}

func agency(e flight.Entry) string { return cmp.Or(e.Agency, "another seller") }

// QuoteCancel says that only the seller knows what is refunded.
func (r *register) QuoteCancel(ctx context.Context, order string) (flight.CancelQuote, error) {
	rec, err := r.load(ctx, order)
	if err != nil {
		return flight.CancelQuote{}, err
	}
	zero := gangway.Money{Currency: rec.Price.Total.Currency}
	q := flight.CancelQuote{ID: order, Refund: zero, Kept: zero, Expires: r.now().Add(offerLife)}
	switch rec.Status {
	case flight.Held, flight.Lapsed:
		q.Rule = fmt.Sprintf("No ticket was issued. Cancel it with %s; here it is only recorded.", agency(rec.Entry))
		return q, nil
	case flight.Ticketed:
		q.Unknown = true
		q.Rule = fmt.Sprintf("Cancel it with %s. Enter the refund here once it is known.", agency(rec.Entry))
		return q, nil
	}
	return q, gangway.Errorf(gangway.Conflict, "this booking is %s", rec.Status)
}

// Cancel records that the order was cancelled.
func (r *register) Cancel(ctx context.Context, order, quote string) (flight.Order, error) {
	rec, err := r.update(ctx, order, func(rec *record) error {
		switch {
		case rec.Status != flight.Held && rec.Status != flight.Ticketed:
			return gangway.Errorf(gangway.Conflict, "this booking is %s", rec.Status)
		case quote != order:
			return gangway.Errorf(gangway.NotFound, "this quote is for another booking")
		case rec.Status == flight.Ticketed:
			rec.Refund = &gangway.Refund{Amount: gangway.Money{Currency: rec.Price.Total.Currency}, Unknown: true,
				AskedAt: r.now().UTC()}
		}
		rec.Status = flight.Withdrawn
		return nil
	})
	return rec.Order, err
}

// EnterRefund stores the refund for a cancelled order.
func (r *register) EnterRefund(ctx context.Context, order string, amount gangway.Money) error {
	_, err := r.update(ctx, order, func(rec *record) error {
		switch {
		case rec.Refund == nil || !rec.Refund.SettledAt.IsZero():
			return gangway.Errorf(gangway.Conflict, "no refund is awaited for this booking")
		case amount.Currency != rec.Price.Total.Currency || amount.Minor < 0 || amount.Minor > rec.Price.Total.Minor:
			return gangway.Errorf(gangway.Invalid, "a refund is between nothing and %s", rec.Price.Total)
		}
		rec.Refund.Amount, rec.Refund.Unknown, rec.Refund.SettledAt = amount, false, r.now().UTC()
		return nil
	})
	return err
}

// EnterChange stores the flights that an order was changed to.
func (r *register) EnterChange(ctx context.Context, order string, e flight.Entry) (string, error) {
	if err := check(e); err != nil {
		return "", err
	}
	rec, err := r.update(ctx, order, func(rec *record) error {
		if rec.Status != flight.Held && rec.Status != flight.Ticketed {
			return gangway.Errorf(gangway.Conflict, "this booking is %s", rec.Status)
		}
		if _, err := rec.price(e); err != nil {
			return err
		}
		rec.Changes = append(rec.Changes, e)
		return nil
	})
	return changeID(order, len(rec.Changes)-1), err
}

func changeID(order string, i int) string { return fmt.Sprintf("%s/%d", order, i) }

// FindChanges returns the change that was entered last, unless it was carried out.
func (r *register) FindChanges(ctx context.Context, order string, _ []flight.Leg) ([]flight.ChangeOffer, error) {
	rec, err := r.load(ctx, order)
	if err != nil || len(rec.Changes) == 0 {
		return nil, err
	}
	last := len(rec.Changes) - 1
	if slices.Contains(rec.Order.Changes, changeID(order, last)) {
		return nil, nil
	}
	o, err := r.changeOffer(rec, last)
	return []flight.ChangeOffer{o}, err
}

func (r *register) changeOffer(rec record, i int) (flight.ChangeOffer, error) {
	e := rec.Changes[i]
	price, err := rec.price(e)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	emissions := flight.Estimate(r.factors, &e.Itinerary)
	o := flight.ChangeOffer{
		ID: changeID(rec.ID, i), PricedItinerary: priced(e, price, emissions),
		Due: gangway.Money{Currency: price.Total.Currency}, Expires: r.now().Add(offerLife),
	}
	if rec.Status == flight.Ticketed {
		o.Due = price.Total.Sub(rec.Price.Total)
	}
	o.Penalty = gangway.Money{Currency: price.Total.Currency}.Add(price.Fees).Sub(rec.Price.Fees)
	return o, nil
}

// entered returns the index of a change entered for an order.
func (r *register) entered(rec record, offer string) (int, error) {
	for i := range rec.Changes {
		if changeID(rec.ID, i) == offer {
			return i, nil
		}
	}
	return 0, gangway.Errorf(gangway.NotFound, "no such change was entered")
}

// PriceChange returns a change that was entered.
func (r *register) PriceChange(ctx context.Context, order, offer string) (flight.ChangeOffer, error) {
	rec, err := r.load(ctx, order)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	i, err := r.entered(rec, offer)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	return r.changeOffer(rec, i)
}

// Change moves the order to the flights of a change that was entered.
func (r *register) Change(ctx context.Context, order, offer string) (flight.Order, error) {
	rec, err := r.update(ctx, order, func(rec *record) error {
		if slices.Contains(rec.Order.Changes, offer) {
			return errSame
		}
		i, err := r.entered(*rec, offer)
		if err != nil {
			return err
		}
		if rec.Status != flight.Held && rec.Status != flight.Ticketed {
			return gangway.Errorf(gangway.Conflict, "this booking is %s", rec.Status)
		}
		o, err := r.changeOffer(*rec, i)
		if err != nil {
			return err
		}
		e := rec.Changes[i]
		rec.PricedItinerary = o.PricedItinerary
		if len(e.Tickets) > 0 && rec.Status == flight.Ticketed {
			rec.Tickets = e.Tickets
		}
		if len(e.PNRs) > 0 {
			rec.PNRs = e.PNRs
		}
		rec.Order.Changes = append(rec.Order.Changes, offer)
		return nil
	})
	return rec.Order, err
}

// Accept has nothing to accept: the seller tells a person, not us.
func (r *register) Accept(context.Context, string, string) (flight.Order, error) {
	return flight.Order{}, gangway.Errorf(gangway.Conflict, "no airline has sent a notice about this booking")
}

// Order returns an order as it was entered.
func (r *register) Order(ctx context.Context, order string) (flight.Order, error) {
	rec, err := r.load(ctx, order)
	if err == nil && (rec.Status == "" || rec.Status == flight.Refused) {
		err = errNone
	}
	return r.aged(rec).Order, err
}

// Find returns the order that was held under reference. An entry that is not held when it
// is looked for will never be.
func (r *register) Find(ctx context.Context, reference string) (flight.Order, error) {
	rec, err := r.update(ctx, prefix+reference, func(rec *record) error {
		if rec.Status != "" {
			return errSame
		}
		rec.Status = flight.Refused
		return nil
	})
	if err == nil && rec.Status == flight.Refused {
		err = errNone
	}
	return r.aged(rec).Order, err
}
