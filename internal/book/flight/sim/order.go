package sim

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// A record is an order as the ledger keeps it. What time alone brings about, a
// hold that lapses or a refund that arrives, is not written but seen when it is read.
type record struct {
	flight.Order
	Offer  string          `json:"offer"`           // its flights, brand and cabin
	Vessel string          `json:"vessel,omitzero"` // of marine fares
	Flag   gangway.Country `json:"flag,omitzero"`
	Papers int             `json:"papers,omitzero"` // ticket numbers used so far
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
	now := s.now()
	if r.Status == flight.Held && !now.Before(r.HoldUntil) {
		r.Status = flight.Lapsed
	}
	if r.Refund != nil {
		if settled := r.Refund.AskedAt.Add(refundTakes); !now.Before(settled) {
			r.Refund.SettledAt = settled
		}
	}
	return r, nil
}

func (s *seller) load(ctx context.Context, id string) (record, error) {
	if !strings.HasPrefix(id, orderPrefix) {
		return record{}, errOrder
	}
	doc, version, err := s.ledger.Load(ctx, id)
	return s.read(doc, version, err)
}

// save writes the next version of a record.
func (s *seller) save(ctx context.Context, r record) error {
	doc, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write simulated order: %w", err)
	}
	return s.ledger.Save(ctx, gangway.Document{ID: r.ID, Reference: r.Reference, Doc: doc, Version: r.version + 1})
}

// errDone says to update that there is nothing left to do.
var errDone = errors.New("done already")

// tries is how often a change is made again because somebody else wrote first.
const tries = 10

// update changes an order. change runs again on the newest version when
// somebody else has written meanwhile.
func (s *seller) update(ctx context.Context, id string, change func(*record) error) (flight.Order, error) {
	for try := 1; ; try++ {
		r, err := s.load(ctx, id)
		if err != nil {
			return flight.Order{}, err
		}
		switch err := change(&r); {
		case errors.Is(err, errDone):
			return r.Order, nil
		case err != nil:
			return flight.Order{}, err
		}
		err = s.save(ctx, r)
		if err == nil {
			return r.Order, nil
		}
		if !conflict(err) || try == tries {
			return flight.Order{}, err
		}
	}
}

func conflict(err error) bool { return err != nil && gangway.KindOf(err) == gangway.Conflict }

// Order returns the order as it stands now.
func (s *seller) Order(ctx context.Context, id string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		r, err := s.load(ctx, id)
		return r.Order, err
	})
}

// Find returns the order that was held under reference. Where there is none it
// sees to it that none will come, for a Hold may still be under way.
func (s *seller) Find(ctx context.Context, reference string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		r, err := s.byReference(ctx, reference)
		if err == nil || gangway.KindOf(err) != gangway.NotFound {
			return r.Order, err
		}
		never := record{Order: flight.Order{ID: neverPrefix + reference, Reference: reference}, Never: true}
		if err := s.save(ctx, never); err != nil && !conflict(err) {
			return flight.Order{}, err
		}
		r, err = s.byReference(ctx, reference)
		return r.Order, err
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
		if there, err := s.byReference(ctx, ask.Reference); err == nil || gangway.KindOf(err) != gangway.NotFound {
			return there.Order, err
		} else if there.Never {
			return flight.Order{}, gangway.Errorf(gangway.Conflict, "this was given up before it reached the airline: search again")
		}
		r, err := s.newRecord(ask)
		if err != nil {
			return flight.Order{}, err
		}
		for try := 0; ; try++ {
			r.PNRs = []string{locator(ask.Reference, try)}
			r.ID = orderPrefix + r.PNRs[0]
			err := s.save(ctx, r)
			if !conflict(err) {
				return r.Order, err
			}
			there, err := s.byReference(ctx, ask.Reference)
			switch {
			case err == nil:
				return there.Order, nil
			case gangway.KindOf(err) != gangway.NotFound:
				return flight.Order{}, err
			case there.Never:
				return flight.Order{}, gangway.Errorf(gangway.Conflict, "this was given up before it reached the airline: search again")
			case try == tries:
				return flight.Order{}, fmt.Errorf("hold %s: every locator is taken", ask.Reference)
			}
			// The locator is another order's: take the next.
		}
	})
}

// newRecord returns the order that a hold makes, without its name.
func (s *seller) newRecord(ask flight.HoldAsk) (record, error) {
	if ask.Reference == "" {
		return record{}, gangway.Errorf(gangway.Invalid, "a hold needs the caller's reference")
	}
	o, q, err := s.price(ask.Offer)
	if err != nil {
		return record{}, err
	}
	switch p := ask.Passenger; {
	case o.Price.Total != ask.Price:
		return record{}, gangway.Errorf(gangway.Conflict, "the price is %s, not %s", o.Price.Total, ask.Price)
	case p.LastName == "" || p.FirstName == "":
		return record{}, gangway.Errorf(gangway.Invalid, "the airline needs the passenger's last and first name")
	case q.brand == marine && (ask.Vessel == "" || ask.Flag == ""):
		return record{}, gangway.Errorf(gangway.Invalid, "a marine fare needs the vessel and its flag")
	}
	until := q.brand.ticketBy(s.now(), o.Itinerary.Departure())
	return record{
		Order: flight.Order{
			Reference: ask.Reference, Status: flight.Held, Itinerary: o.Itinerary, Baggage: o.Baggage, Terms: o.Terms, Price: o.Price,
			Emissions: o.Emissions, Plating: o.Plating, TicketBy: until, HoldUntil: until,
		},
		Offer: ask.Offer, Vessel: ask.Vessel, Flag: ask.Flag,
	}, nil
}

// locatorLetters leaves out what looks alike: 0 and O, 1 and I.
const locatorLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// locator returns an airline's locator for a reference: not to be guessed from
// others, and the next one for each try.
func locator(reference string, try int) string {
	n := chance("locator", reference, try)
	b := make([]byte, 6)
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
