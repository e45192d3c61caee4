package orders

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// A replacement is what an airline offers in place of flights that it has changed.
type replacement struct {
	disrupted []disruptedFlight
	itinerary gangway.Itinerary // empty: there is none
	quote     *tariff.Quote     // nil: the same flights at other times
}

// id identifies a notice by what happened and what is offered instead: if either changes, so does
// the id.
func (to replacement) id() string {
	of := gangway.Each(to.disrupted, func(u disruptedFlight) string { return u.seat.String() })
	for _, seg := range to.itinerary.Segments {
		of = append(of, fmt.Sprint(seg.FlightNumber, seg.Departure.Unix()))
	}
	return fmt.Sprintf("n%016x", chance.Draw("notice", strings.Join(of, " "), 0))
}

// cancels reports whether the airline has cancelled a flight, by its index in the order.
func (to replacement) cancels(flight int) bool {
	return slices.ContainsFunc(to.disrupted, func(u disruptedFlight) bool {
		return u.flight == flight && u.kind == cancelled
	})
}

// missed returns the flights of an itinerary, after the first, that cannot be reached from the
// one before. Between tickets of one leg the traveller checks in again.
func (s *Seller) missed(r record, it gangway.Itinerary) []int {
	first := map[int]bool{} // the first flights of tickets
	n := 0
	for _, p := range r.Bill {
		first[n] = true
		n += p.Flights
	}
	var missed []int
	for i := 1; i < len(it.Segments); i++ {
		a, b := it.Segments[i-1], it.Segments[i]
		if !s.reached(a, b, first[i] && a.Leg == b.Leg) {
			missed = append(missed, i)
		}
	}
	return missed
}

// reached reports whether there is time to change from one flight to another, or to check in
// again.
func (s *Seller) reached(a, b gangway.Segment, anew bool) bool {
	least := timetable.SelfTransfer
	if !anew && a.Destination == b.Origin {
		least = s.MinConnectionBetween(a, b)
	}
	return b.Departure.Sub(a.Arrival) >= time.Duration(least)*time.Minute
}

// findReplacement looks for flights to replace those of the broken legs, on the same day or the
// next. Flights that have left stay, and so do the other legs; a cancelled flight never leaves. The
// search is made as of the day when the change became known, so that it finds the same flights as
// long as they are available.
func (s *Seller) findReplacement(
	ctx context.Context, r record, moved gangway.Itinerary, broken map[int]bool, known, at time.Time, to *replacement,
) error {
	q, err := s.QuoteOf(r.Offer)
	if err != nil {
		return nil // the timetable no longer has the flights, so nothing can be said about them
	}
	q.Journey, q.Own = slices.Clone(q.Journey), nil
	it, next := gangway.Itinerary{}, 0
	for i, flights := range moved.Legs() {
		first := next
		next += len(flights)
		if !broken[flights[0].Leg] {
			it.Segments = append(it.Segments, flights...)
			continue
		}
		begun := 0
		for begun < len(flights) && !at.Before(flights[begun].Departure) && !to.cancels(first+begun) {
			begun++
		}
		if begun == len(flights) {
			return nil // the traveller is in the air
		}
		it.Segments = append(it.Segments, flights[:begun]...)
		found, ok, err := s.instead(ctx, r, q, i, it, flights[begun:], known, at)
		if err != nil || !ok {
			return err
		}
		q.Journey[i] = found
		for _, h := range found.Flights()[begun:] {
			it.Segments = append(it.Segments, s.Segment(flights[0].Leg, h, q.Cabin))
		}
	}
	s.Estimate(&it)
	it.Connections = s.Connections(q.Journey)
	to.itinerary, to.quote = it, &q
	return nil
}

// instead returns the best trip for leg i of a quote in which other flights replace the last ones.
// They can be reached after what is flown before, and the next leg after them.
func (s *Seller) instead(
	ctx context.Context, r record, q tariff.Quote, i int,
	flown gangway.Itinerary, last []gangway.Segment, known, at time.Time,
) (timetable.Trip, bool, error) {
	var kept timetable.Trip
	for _, h := range q.Journey[i].Flights()[:q.Journey[i].N-len(last)] {
		kept = kept.With(h)
	}
	from, to := last[0].Origin, last[len(last)-1].Destination
	for day := range 2 {
		date := gangway.DateOf(last[0].Departure).AddDays(day)
		ask := r.ask([]flight.Leg{{From: []flight.End{{Airport: from}}, To: []flight.End{{Airport: to}}, Date: date}})
		journeys, err := s.Journeys(ctx, ask, timetable.MinuteOf(known))
		if err != nil {
			return timetable.Trip{}, false, nil // no airline flies there any more
		}
		like := tariff.Quote{Brand: q.Brand, Cabin: q.Cabin, At: at, Currency: q.Currency}
		quotes, err := s.quotes(ctx, r, journeys, like)
		if err != nil {
			return timetable.Trip{}, false, err
		}
		for _, alt := range quotes {
			p, found := &alt.Journey[0], kept
			if kept.N+p.N > timetable.MostHops || p.Dep() < timetable.MinuteOf(at)+tariff.SaleEnds {
				continue
			}
			for _, h := range p.Flights() {
				found = found.With(h)
			}
			whole := slices.Clone(q.Journey)
			whole[i] = found
			sold := s.Sells(q.Brand, whole, q.Cabin) && (r.Terms.Splitting || !s.Splits(whole))
			if found != q.Journey[i] && sold && s.fits(whole, i, kept.N, flown) {
				return found, true, nil
			}
		}
	}
	return timetable.Trip{}, false, nil
}

// fits reports whether the flights of leg i after the kept ones can be reached from what is flown
// before them, even if that is late, and the next leg from them.
func (s *Seller) fits(j timetable.Journey, i, kept int, flown gangway.Itinerary) bool {
	p := &j[i]
	if kept > 0 && !s.Connects(p.Hops[kept-1], p.Hops[kept]) || i+1 < len(j) && !s.Follows(p, &j[i+1]) {
		return false
	}
	n := len(flown.Segments)
	return n == 0 || s.reached(flown.Segments[n-1], s.Segment(i, p.Hops[kept], gangway.Economy), false)
}

// ask is a search for other flights like an order's.
func (r record) ask(legs []flight.Leg) flight.Ask {
	return flight.Ask{
		Legs: legs, Cabin: r.cabin(), FareType: r.brand().FareType, Vessel: r.Vessel, Flag: r.Flag,
		MaxStops: -1, Currency: r.Price.Total.Currency,
		// If the account admitted such airlines before, it still does.
		Sanctioned: flight.MaySell(r.Itinerary, gangway.Public, r.Plating, false) != nil,
	}
}
