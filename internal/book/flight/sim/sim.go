// Package sim is the simulated network: real airports and real airlines on an
// invented timetable, with fares, holds, tickets, voids, refunds and changes.
//
// It is a supplier like any other (package flight) and can buy nothing: its
// tickets lie in a range that no airline uses. It keeps its orders through a
// Ledger and nothing else, so that any number of processes may stand for the
// same network, and it knows no clock but the one it is given.
package sim

import (
	"context"
	"sync"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// Config is what a network needs.
type Config struct {
	Now   func() time.Time
	Delay time.Duration // how long each answer takes; none unless somebody wants to see what slowness does
}

// A Network is the timetable and the fares that all accounts share.
type Network struct {
	*timetable
	now   func() time.Time
	delay time.Duration
}

// theTimetable is laid out once in a process, for it is always the same.
var theTimetable = sync.OnceValue(newTimetable)

// New lays out the network, which takes a fraction of a second. It never fails
// with the embedded facts.
func New(c Config) (*Network, error) {
	return &Network{timetable: theTimetable(), now: c.Now, delay: c.Delay}, nil
}

// A Ledger keeps one account's orders.
type Ledger interface {
	// Load returns an order's document and version. NotFound: there is none.
	Load(ctx context.Context, id string) (doc []byte, version int, err error)
	// LoadByReference returns the order that was saved under reference. NotFound: there is none.
	LoadByReference(ctx context.Context, reference string) (doc []byte, version int, err error)
	// Save writes version 1 of a new order, or the version after the one that was
	// loaded. Conflict: the reference is taken, or somebody else wrote first.
	Save(ctx context.Context, id, reference string, doc []byte, version int) error
}

// For returns the network as it sells to the account whose orders ledger keeps.
func (n *Network) For(ledger Ledger) flight.Supplier { return &seller{n, ledger} }

// A seller is the network towards one account. Its methods are flight.Supplier's.
type seller struct {
	*Network
	ledger Ledger
}

// Name is the supplier's name.
func (s *seller) Name() string { return "simulated" }

// answer waits for as long as answers take.
func (s *seller) answer(ctx context.Context) error {
	if s.delay <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(s.delay):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// offerLife is for how long an offer can be booked.
const offerLife = 30 * time.Minute

// Search looks for offers for one traveller.
func (s *seller) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	if err := s.answer(ctx); err != nil {
		return err
	}
	for _, leg := range ask.Legs {
		for _, code := range []gangway.Airport{leg.Origin, leg.Destination} {
			if _, ok := s.index[string(code)]; !ok {
				return gangway.Errorf(gangway.Invalid, "no airline flies to or from %s", code)
			}
		}
		if !leg.Date.Valid() && !leg.ArriveOn.Valid() {
			return gangway.Errorf(gangway.Invalid, "a date is needed to search for flights")
		}
	}
	if ask.Cabin == "" {
		ask.Cabin = gangway.Economy
	}
	f, now := s.finder(), s.now()
	for _, trip := range f.trips(ask) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !f.local(0, trip[0].leave()).After(now.Add(time.Hour)) {
			continue
		}
		var offers []flight.Offer
		for _, br := range brands {
			if ask.FareType != "" && ask.FareType != br.fare || br.fare == gangway.Marine && (ask.Vessel == "" || ask.Flag == "") {
				continue
			}
			if o, ok := s.offer(f, trip, br, ask.Cabin, now); ok {
				offers = append(offers, o)
			}
		}
		if len(offers) > 0 {
			found(offers)
		}
	}
	return nil
}

// A trip is one path for each leg asked for.
type trip []path

// manyTrips is how many trips over several legs are priced.
const manyTrips = 24

// trips returns the ways to fly all legs asked for.
func (f *finder) trips(ask flight.Ask) []trip {
	trips := []trip{nil}
	for i, leg := range ask.Legs {
		paths := f.leg(leg, ask.MaxStops)
		if len(ask.Legs) > 1 {
			paths = paths[:min(len(paths), 8)]
		}
		var longer []trip
		for _, t := range trips {
			for _, p := range paths {
				if i > 0 && p.leave() < t[i-1].land()+60 {
					continue
				}
				longer = append(longer, append(t[:len(t):len(t)], p))
			}
		}
		trips = longer[:min(len(longer), manyTrips)]
	}
	return trips
}

// offer prices a trip in a brand, as quoted at now.
func (s *seller) offer(f *finder, t trip, br brand, cabin gangway.Cabin, now time.Time) (flight.Offer, bool) {
	o := flight.Offer{Expires: now.Add(offerLife).Truncate(time.Second).UTC()}
	for leg, p := range t {
		o.Itinerary.Segments = append(o.Itinerary.Segments, f.segments(p, leg, cabin)...)
	}
	if !f.price(&o, br, now) {
		return o, false
	}
	o.ID = writeToken(token{quoted: now.Truncate(time.Second), brand: br, cabin: cabin, trip: t}, s.timetable)
	return o, true
}

// Price returns the offer as it can be booked now.
func (s *seller) Price(ctx context.Context, id string) (flight.Offer, error) {
	if err := s.answer(ctx); err != nil {
		return flight.Offer{}, err
	}
	return s.reprice(id)
}

func (s *seller) reprice(id string) (flight.Offer, error) {
	f := s.finder()
	t, err := readToken(id, f)
	if err != nil {
		return flight.Offer{}, err
	}
	o, ok := s.offer(f, t.trip, t.brand, t.cabin, t.quoted)
	switch {
	case !ok:
		return o, gangway.Errorf(gangway.Conflict, "this fare is no longer sold")
	case !s.now().Before(o.Expires):
		return o, gangway.Errorf(gangway.Conflict, "this offer has expired: search again")
	case !o.Itinerary.Departure().After(s.now()):
		return o, gangway.Errorf(gangway.Conflict, "this flight has left")
	}
	return o, nil
}

// errOffer says that an offer's identifier is none of ours.
var errOffer = gangway.Errorf(gangway.NotFound, "there is no such offer")

// brandOf returns the brand with a letter.
func brandOf(letter string) (brand, bool) {
	for _, b := range brands {
		if letter == string(b.letter) {
			return b, true
		}
	}
	return brand{}, false
}

// cabins are written in offers by their letters.
var cabins = map[string]gangway.Cabin{"y": gangway.Economy, "w": gangway.PremiumEconomy, "j": gangway.Business, "f": gangway.First}

func cabinLetter(c gangway.Cabin) string {
	for letter, cabin := range cabins {
		if c == cabin {
			return letter
		}
	}
	return "y"
}
