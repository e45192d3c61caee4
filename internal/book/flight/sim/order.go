package sim

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// A record is an order as the ledger keeps it. What time alone brings about, a
// hold that lapses, a price that moves, a refund that arrives or a flight that
// does not fly, is not written but seen when it is read.
type record struct {
	flight.Order
	Offer  string          `json:"offer"`           // its flights, brand and cabin, and what its price depends on
	Bill   bill            `json:"bill,omitempty"`  // the price, part by part
	Rules  string          `json:"rules,omitzero"`  // the airline whose rules hold; empty: the plating one
	Vessel string          `json:"vessel,omitzero"` // of marine fares
	Flag   gangway.Country `json:"flag,omitzero"`
	Papers int             `json:"papers,omitzero"` // ticket numbers used so far
	Known  []string        `json:"known,omitempty"` // flights whose disruption was accepted, as in "EK333.20801"
	Never  bool            `json:"never,omitzero"`  // nothing was held under this reference, and nothing will be

	version int
}

const (
	orderPrefix  = "sim_"    // orders are named by their locator, so that none is given twice
	neverPrefix  = "never_"  // references that were asked for in vain
	ticketPrefix = "ticket_" // ticket numbers that are taken
)

// refundTakes is how long after a cancellation the money is back.
const refundTakes = 72 * time.Hour

var errOrder = gangway.Errorf(gangway.NotFound, "the airline has no such order")

// read reads what the ledger brought.
func (s *seller) read(doc []byte, version int, err error) (record, error) {
	if err != nil {
		if gangway.KindOf(err) == gangway.NotFound {
			return record{}, errOrder
		}
		return record{}, fmt.Errorf("load simulated order: %w", err)
	}
	r := record{version: version}
	if err := json.Unmarshal(doc, &r); err != nil {
		return record{}, fmt.Errorf("read simulated order: %w", err)
	}
	if r.ID == "" {
		return record{}, errOrder // what keeps a second locator from others
	}
	now := s.now()
	if r.Status == flight.Held && !now.Before(r.HoldUntil) {
		r.Status = flight.Lapsed
	}
	if r.Status == flight.Held && !r.PriceUntil.IsZero() && !now.Before(r.PriceUntil) {
		s.reprice(&r, now)
	}
	if r.Refund != nil && r.Refund.SettledAt.IsZero() {
		if settled := r.Refund.AskedAt.Add(refundTakes); !now.Before(settled) {
			r.Refund.SettledAt = settled
		}
	}
	return r, nil
}

// reprice prices an order as its flights sell in its brand today: as at the
// beginning of the day where it begins, so that the price stays for that day.
// Seats booked since it was made do not count.
func (s *seller) reprice(r *record, now time.Time) {
	q, err := s.quoteOf(r.Offer)
	if err != nil {
		return // the timetable no longer has these flights: their price stays
	}
	origin := s.places[s.lines[q.journey[0].hops[0].line].from].loc
	y, m, d := now.In(origin).Date()
	q.at = time.Date(y, m, d, 0, 0, 0, 0, origin).UTC()
	r.Offer, r.Bill = s.id(q), s.bill(q)
	r.Price = r.Bill.price(q.currency)
}

func (s *seller) load(ctx context.Context, id string) (record, error) {
	if !strings.HasPrefix(id, orderPrefix) || len(id) != len(orderPrefix)+locatorLength {
		return record{}, errOrder
	}
	doc, version, err := s.ledger.Load(ctx, id)
	return s.read(doc, version, err)
}

// save writes the next version of a record, and documents that go with it.
func (s *seller) save(ctx context.Context, r record, with ...gangway.Document) error {
	r.Notice = nil
	doc, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write simulated order: %w", err)
	}
	return s.ledger.Save(ctx, append(with, gangway.Document{ID: r.ID, Reference: r.Reference, Doc: doc, Version: r.version + 1})...)
}

// errDone says to update that there is nothing left to do.
var errDone = errors.New("done already")

// tries is how often something is done again because somebody else wrote first.
// It is a lot, for a whole crew may want seats on one flight at once.
const tries = 200

// pause lets the others go first who write at the same time, each for another
// while. Conflict: it was tried often enough.
func pause(ctx context.Context, who string, try int) error {
	if try == tries {
		return gangway.Errorf(gangway.Conflict, "too many are booking these flights at this moment: try again")
	}
	most := time.Duration(min(2*try+1, 20)) * time.Millisecond
	select {
	case <-time.After(time.Duration(chance("pause", who, try) % uint64(most))):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// update changes an order. change runs again on the newest version when
// somebody else has written meanwhile; what it returns is written with the order.
func (s *seller) update(ctx context.Context, id string, change func(*record) ([]gangway.Document, error)) (flight.Order, error) {
	for try := 0; ; try++ {
		r, err := s.load(ctx, id)
		if err != nil {
			return flight.Order{}, err
		}
		with, err := change(&r)
		switch {
		case errors.Is(err, errDone):
			return s.shown(ctx, r)
		case err != nil:
			return flight.Order{}, err
		}
		if err = s.save(ctx, r, with...); err == nil {
			return s.shown(ctx, r)
		}
		if !conflict(err) {
			return flight.Order{}, err
		}
		if err := pause(ctx, id, try); err != nil {
			return flight.Order{}, err
		}
	}
}

func conflict(err error) bool { return err != nil && gangway.KindOf(err) == gangway.Conflict }

// shown returns an order as its buyer sees it.
func (s *seller) shown(ctx context.Context, r record) (flight.Order, error) {
	var err error
	r.Notice, _, err = s.notice(ctx, r, s.now())
	return r.Order, err
}

// Order returns the order as it stands now.
func (s *seller) Order(ctx context.Context, id string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		r, err := s.load(ctx, id)
		if err != nil {
			return flight.Order{}, err
		}
		return s.shown(ctx, r)
	})
}

// Find returns the order that was held under reference. Where there is none it
// sees to it that none will come, for a Hold may still be under way.
func (s *seller) Find(ctx context.Context, reference string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		r, err := s.byReference(ctx, reference)
		if err != nil && gangway.KindOf(err) == gangway.NotFound {
			never := record{Order: flight.Order{ID: neverPrefix + reference, Reference: reference}, Never: true}
			if err := s.save(ctx, never); err != nil && !conflict(err) {
				return flight.Order{}, err
			}
			r, err = s.byReference(ctx, reference)
		}
		if err != nil {
			return flight.Order{}, err
		}
		return s.shown(ctx, r)
	})
}

// byReference returns the order held under reference. NotFound: there is none,
// but one may come as long as this is not written down.
func (s *seller) byReference(ctx context.Context, reference string) (record, error) {
	doc, version, err := s.ledger.LoadByReference(ctx, reference)
	r, err := s.read(doc, version, err)
	if err == nil && r.Never {
		return r, errOrder
	}
	return r, err
}

// Hold keeps seats under the caller's reference, once.
func (s *seller) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		for try := 0; ; try++ {
			there, err := s.byReference(ctx, ask.Reference)
			switch {
			case err == nil:
				return s.shown(ctx, there)
			case gangway.KindOf(err) != gangway.NotFound:
				return flight.Order{}, err
			case there.Never:
				return flight.Order{}, gangway.Errorf(gangway.Conflict, "this was given up before it reached the airline: search again")
			}
			r, with, err := s.newRecord(ctx, ask)
			if err != nil {
				return flight.Order{}, err
			}
			if err = s.save(ctx, r, with...); err == nil {
				return s.shown(ctx, r)
			}
			// The reference is another order's by now, or the locator, or
			// somebody has taken seats on the same flights.
			if !conflict(err) {
				return flight.Order{}, err
			}
			if err := pause(ctx, ask.Reference, try); err != nil {
				return flight.Order{}, err
			}
		}
	})
}

// newRecord returns the order that a hold makes, and what is written with it.
func (s *seller) newRecord(ctx context.Context, ask flight.HoldAsk) (record, []gangway.Document, error) {
	if ask.Reference == "" {
		return record{}, nil, gangway.Errorf(gangway.Invalid, "a hold needs the caller's reference")
	}
	o, q, err := s.price(ctx, ask.Offer, "")
	if err != nil {
		return record{}, nil, err
	}
	if err := flight.CheckName(ask.Passenger, longestName); err != nil {
		return record{}, nil, err
	}
	switch {
	case o.Price.Total != ask.Price:
		return record{}, nil, gangway.Errorf(gangway.Conflict, "the price is %s, not %s", o.Price.Total, ask.Price)
	case q.brand == marine && (ask.Vessel == "" || ask.Flag == ""):
		return record{}, nil, gangway.Errorf(gangway.Invalid, "a marine fare needs the vessel and its flag")
	}
	departure := o.Itinerary.Departure()
	until := q.brand.ticketBy(s.now(), departure)
	r := record{
		Order: flight.Order{
			Reference: ask.Reference, Status: flight.Held, Itinerary: o.Itinerary, Baggage: o.Baggage, Terms: o.Terms, Price: o.Price,
			Emissions: o.Emissions, Plating: o.Plating, TicketBy: until, HoldUntil: until, PriceUntil: q.brand.priceUntil(s.now(), until, departure.Location()),
		},
		Offer: ask.Offer, Bill: s.bill(q), Vessel: ask.Vessel, Flag: ask.Flag,
	}
	locators, err := s.takeLocators(ctx, &r)
	if err != nil {
		return record{}, nil, err
	}
	seats, err := s.reseat(ctx, r.ID, nil, r.seats(), until)
	return r, append(seats, locators...), err
}

// takeLocators gives an order a locator for each part of its bill, the first of
// which names it, and returns what keeps other orders from the further ones.
func (s *seller) takeLocators(ctx context.Context, r *record) ([]gangway.Document, error) {
	var docs []gangway.Document
	r.PNRs = slices.Clone(r.PNRs[:min(len(r.PNRs), len(r.Bill))])
	for len(r.PNRs) < len(r.Bill) {
		of := r.Reference
		if len(r.PNRs) > 0 {
			of = fmt.Sprint(of, " ", len(r.PNRs))
		}
		l, err := s.freeLocator(ctx, of)
		if err != nil {
			return nil, err
		}
		if r.PNRs = append(r.PNRs, l); r.ID == "" {
			r.ID = orderPrefix + l
			continue
		}
		doc, err := json.Marshal(map[string]string{"of": r.ID})
		if err != nil {
			return nil, fmt.Errorf("write locator: %w", err)
		}
		docs = append(docs, gangway.Document{ID: orderPrefix + l, Doc: doc, Version: 1})
	}
	return docs, nil
}

// freeLocator returns the first locator of something that no order has.
func (s *seller) freeLocator(ctx context.Context, of string) (string, error) {
	for try := range 1000 {
		l := locator(of, try)
		if _, _, err := s.ledger.Load(ctx, orderPrefix+l); err != nil {
			if gangway.KindOf(err) == gangway.NotFound {
				return l, nil
			}
			return "", fmt.Errorf("load simulated order: %w", err)
		}
	}
	return "", fmt.Errorf("every locator of %s is taken", of)
}

// locatorLetters leaves out what looks alike: 0 and O, 1 and I.
const (
	locatorLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	locatorLength  = 6
)

// locator returns an airline's locator for a reference: not to be guessed from
// others, and the next one for each try.
func locator(reference string, try int) string {
	n := chance("locator", reference, try)
	b := make([]byte, locatorLength)
	for i := range b {
		b[i] = locatorLetters[n%uint64(len(locatorLetters))]
		n /= uint64(len(locatorLetters))
	}
	return string(b)
}

// chance returns a number that looks like chance but is the same each time.
func chance(what, of string, try int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", what, try, of))
	return binary.BigEndian.Uint64(sum[:8])
}
