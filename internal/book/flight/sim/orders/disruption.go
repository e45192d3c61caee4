package orders

import (
	"fmt"
	"slices"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// A disruption is what an airline does to one of its flights by itself. Everybody with a
// seat on the flight knows of it from an instant on, and nobody before.
type disruption struct {
	kind  string
	moves time.Duration // how much later the flight leaves and lands; negative: earlier
	known time.Time
}

const (
	cancelled = "cancelled"
	retimed   = "retimed" // known weeks before
	delayed   = "delayed" // known on the day
)

// disruption returns what happens to a flight scheduled for an instant; false if it flies
// as planned, as seven in eight do. It depends only on the account's seed, the flight and
// its day.
func (s *Seller) disruption(p tariff.Seat, departure time.Time) (_ disruption, disrupted bool) {
	if s.seed == 0 {
		return disruption{}, false
	}
	n := chance.Mix(uint64(s.seed), chance.Code(p.Flight), uint64(p.Day))
	upTo := func(shift, count int) time.Duration { return time.Duration(n >> shift % uint64(count)) }
	var d disruption
	switch per1000 := n % 1000; {
	case per1000 < 15:
		d = disruption{kind: cancelled, known: departure.Add(-(6 + upTo(10, 14*24)) * time.Hour)}
	case per1000 < 15+30:
		d = disruption{kind: retimed, known: departure.Add(-(3*24 + upTo(10, 37*24+1)) * time.Hour)}
		d.moves = (20 + 5*upTo(24, 33)) * time.Minute
		if upTo(36, 3) == 0 {
			d.moves = -d.moves
		}
	case per1000 < 15+30+80:
		d = disruption{kind: delayed, known: departure.Add(-(60 + upTo(10, 301)) * time.Minute)}
		d.moves = (30 + 5*upTo(24, 43)) * time.Minute
	default:
		return disruption{}, false
	}
	return d, true
}

// disrupted reports whether a disruption of any flight of a journey, as it is for an order, is known by an instant.
func (s *Seller) disrupted(r record, j timetable.Journey, by time.Time) bool {
	if s.seed == 0 && len(r.Struck) == 0 {
		return false
	}
	for i := range j {
		for _, h := range j[i].Flights() {
			p := tariff.Seat{Flight: s.FlightNumber(h.Line), Day: h.Day}
			d, ok := s.disruptionOf(r, p, timetable.TimeOf(h.Dep, time.UTC))
			if ok && !by.Before(d.known) {
				return true
			}
		}
	}
	return false
}

// A disruptedFlight is a disrupted flight of an order.
type disruptedFlight struct {
	disruption
	seat   tariff.Seat
	flight int // its index in the order
}

// disruptedFlights returns the disruptions known at an instant of flights in an active order
// that have not left, except those that were accepted.
func (s *Seller) disruptedFlights(r record, at time.Time) []disruptedFlight {
	if s.seed == 0 && len(r.Struck) == 0 || r.Status != flight.Held && r.Status != flight.Ticketed {
		return nil
	}
	var all []disruptedFlight
	for i, p := range r.seats() {
		seg := r.Itinerary.Segments[i]
		d, ok := s.disruptionOf(r, p, seg.Departure)
		if !ok || at.Before(d.known) || slices.Contains(r.Known, p.String()) {
			continue
		}
		over := seg.Departure.Add(d.moves)
		if d.kind == cancelled {
			over = r.Itinerary.Arrival() // a cancelled flight never leaves
		}
		if at.Before(over) {
			all = append(all, disruptedFlight{d, p, i})
		}
	}
	return all
}

// why describes what happened to a flight, with its scheduled times.
func (u disruptedFlight) why(seg gangway.Segment) string {
	day := seg.Departure.Format("2 January")
	name := fmt.Sprintf("%s from %s to %s on %s", seg.FlightNumber, seg.Origin, seg.Destination, day)
	leaves := seg.Departure.Add(u.moves).Format("15:04")
	switch {
	case u.kind == cancelled:
		return name + " was cancelled."
	case u.kind == delayed:
		return fmt.Sprintf("%s is delayed by %d minutes and leaves at %s.", name, int(u.moves.Minutes()), leaves)
	case u.moves < 0:
		return fmt.Sprintf("%s now leaves %d minutes earlier, at %s.", name, int(-u.moves.Minutes()), leaves)
	}
	return fmt.Sprintf("%s now leaves %d minutes later, at %s.", name, int(u.moves.Minutes()), leaves)
}
