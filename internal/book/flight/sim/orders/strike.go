package orders

import (
	"context"
	"slices"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

// A strike is what an airline was told to do to a flight of one order; nobody else's order is touched.
type strike struct {
	Flight string             `json:"flight"` // as in "EK333.20801"
	What   gangway.Disruption `json:"what"`
	At     time.Time          `json:"at"`
}

// How much later flights leave that airlines were told to delay and to retime.
const (
	struckDelay  = 90 * time.Minute
	struckRetime = 2 * time.Hour
)

// disruption is what a strike does.
func (k strike) disruption() disruption {
	switch k.What {
	case gangway.FlightCancelled:
		return disruption{kind: cancelled, known: k.At}
	case gangway.FlightDelayed:
		return disruption{kind: delayed, moves: struckDelay, known: k.At}
	}
	return disruption{kind: retimed, moves: struckRetime, known: k.At}
}

// disruptionOf returns what happens to a flight of an order: what its airline was told to do, and else what it
// does by itself.
func (s *Seller) disruptionOf(r record, p tariff.Seat, departure time.Time) (d disruption, disrupted bool) {
	for _, k := range r.Struck {
		if k.Flight == p.String() {
			return k.disruption(), true
		}
	}
	return s.disruption(p, departure)
}

// Strike has an airline do something to the first flight of an order that has not left. What it was told
// before and has not been answered is superseded, but a flight that does not fly cannot be touched any more.
// Conflict: there is none.
func (s *Seller) Strike(ctx context.Context, id string, d gangway.Disruption) error {
	if !slices.Contains(gangway.Disruptions, d) {
		return gangway.Errorf(gangway.Invalid, "an airline can cancel, delay or retime a flight, not %q", d)
	}
	_, err := s.update(ctx, id, func(r *record) ([]gangway.Document, error) { return nil, s.strike(r, d) })
	return err
}

// strike is Strike on a record.
func (s *Seller) strike(r *record, d gangway.Disruption) error {
	if r.Status != flight.Held && r.Status != flight.Ticketed {
		return gangway.Errorf(gangway.Conflict, "the airline has this order as %s: it has no flights to disrupt",
			r.Status)
	}
	now := s.now()
	pending := s.disruptedFlights(*r, now)
	for i, p := range r.seats() {
		k := strike{p.String(), d, tariff.Second(now)}
		settled := slices.ContainsFunc(pending, func(u disruptedFlight) bool {
			return u.flight == i && (u.kind == cancelled || u.kind == k.disruption().kind)
		})
		if settled || !now.Before(r.Itinerary.Segments[i].Departure) {
			continue
		}
		r.Known = slices.DeleteFunc(r.Known, func(seat string) bool { return seat == k.Flight })
		r.Struck = append(slices.DeleteFunc(r.Struck, func(o strike) bool { return o.Flight == k.Flight }), k)
		return nil
	}
	return gangway.Errorf(gangway.Conflict, "each flight of this booking has left, does not fly or has changed so "+
		"already: answer the change, or take another booking")
}
