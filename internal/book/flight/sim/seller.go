package sim

import (
	"context"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// A seller is the network as one account sees it: a flight.Supplier.
type seller struct {
	*Network
	ledger      flight.Ledger
	disruptions int64 // the seed of what airlines change by themselves; zero: nothing
}

// Name is the supplier's name as bookings keep it.
const Name = "simulated"

// Name is the supplier's name.
func (s *seller) Name() string { return Name }

// Simulated says that nothing of the network is real.
func (s *seller) Simulated() bool { return true }

// longestName is how many letters of a name the simulated airlines take, as the
// common reservation systems do.
const longestName = 29

// LongestName is how many letters a last name or the first names may have.
func (s *seller) LongestName() int { return longestName }

// slowly answers a call in the time that answers take: half of it passes before
// anything is done and half of it after, so that whoever is cut off in the
// middle learns what that is like.
func slowly[T any](ctx context.Context, s *seller, call func() (T, error)) (T, error) {
	var none T
	if err := s.wait(ctx); err != nil {
		return none, err
	}
	answer, err := call()
	if err != nil {
		return none, err
	}
	return answer, s.wait(ctx)
}

func (s *seller) wait(ctx context.Context) error {
	if s.delay <= 0 {
		return nil
	}
	select {
	case <-time.After(s.delay / 2):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// second is the time now as offers and quotes carry it.
func (s *seller) second() time.Time { return s.now().Truncate(time.Second).UTC() }

// Search looks for offers and hands them to found as they come, best journeys first.
func (s *seller) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	if ask.FareType == gangway.Marine && (ask.Vessel == "" || ask.Flag == "") {
		return gangway.Errorf(gangway.Invalid, "marine fares need the vessel and its flag")
	}
	if ask.Cabin == "" {
		ask.Cabin = gangway.Economy
	}
	_, err := slowly(ctx, s, func() (struct{}, error) {
		at := s.second()
		return struct{}{}, s.eachJourney(ctx, ask, minuteOf(at), func(journeys []journey) error {
			quotes, err := s.quotes(ctx, journeys, quote{cabin: ask.Cabin, at: at, currency: currencyOf(ask.Currency)})
			if offers := s.offers(ask, quotes); err == nil && len(offers) > 0 {
				found(offers)
			}
			return err
		})
	})
	return err
}

// offers writes out the quotes in each brand that is asked for.
func (s *seller) offers(ask flight.Ask, quotes []quote) []flight.Offer {
	var offers []flight.Offer
	for _, q := range quotes {
		for _, b := range brands {
			if s.wants(ask, b) && s.sells(b, q.journey, ask.Cabin) {
				q.brand = b
				offers = append(offers, s.offer(q))
			}
		}
	}
	return offers
}

// quotes returns a quote like q for each journey that can be sold: whose sale
// has not ended, whose flights all have a seat left, and of which the airlines
// will not say that they fly otherwise as long as the offer lives.
func (s *seller) quotes(ctx context.Context, journeys []journey, q quote) ([]quote, error) {
	booked, err := s.bookedOn(ctx, journeys)
	var all []quote
	for _, j := range journeys {
		q.journey, q.own = j, booked.of(s.timetable, j, q.cabin)
		ends := timeOf(j[0].dep()-saleEnds, time.UTC)
		if q.at.Before(ends) && s.seatsLeft(j, q.cabin, q.own) > 0 && !s.disrupted(j, q.at.Add(offerLife)) {
			all = append(all, q)
		}
	}
	return all, err
}

// wants reports whether a brand is asked for.
func (s *seller) wants(ask flight.Ask, b *brand) bool {
	if b.fare == gangway.Marine {
		return sellsMarine(ask)
	}
	return ask.FareType != gangway.Marine
}

// sellsMarine reports whether marine fares can be had for what is asked.
func sellsMarine(ask flight.Ask) bool {
	return ask.FareType != gangway.Public && ask.Vessel != "" && ask.Flag != ""
}

// Price returns the offer as it can be booked now.
func (s *seller) Price(ctx context.Context, offer string) (flight.Offer, error) {
	return slowly(ctx, s, func() (flight.Offer, error) {
		o, _, err := s.price(ctx, offer, "")
		return o, err
	})
}

// price reads an offer that has not expired and is not sold out, not counting
// the seats of an order that would leave its own.
func (s *seller) price(ctx context.Context, id, order string) (flight.Offer, quote, error) {
	q, err := s.quoteOf(id)
	if err != nil {
		return flight.Offer{}, quote{}, err
	}
	now, o := s.now(), s.offer(q)
	switch {
	case q.at.After(now.Add(time.Minute)):
		return flight.Offer{}, quote{}, errOffer // from no clock of ours
	case !now.Before(o.Expires):
		return flight.Offer{}, quote{}, gangway.Errorf(gangway.Conflict, "this offer has expired: search again to see what it costs now")
	}
	own, err := s.ownSeats(ctx, q, order)
	if err != nil {
		return flight.Offer{}, quote{}, err
	}
	if o.SeatsLeft = s.seatsLeft(q.journey, q.cabin, own); o.SeatsLeft == 0 {
		return flight.Offer{}, quote{}, errSoldOut
	}
	return o, q, nil
}
