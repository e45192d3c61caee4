package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// A replacement is what an airline offers in place of flights that it has changed.
type replacement struct {
	upsets    []upset
	itinerary gangway.Itinerary // empty: nothing
	quote     *quote            // nil: the same flights at other times
}

// notice returns what an order's buyer is told of changes that wait for an
// answer, and what would take the place of its flights; nil when there are none.
func (s *seller) notice(ctx context.Context, r record, at time.Time) (*flight.Notice, replacement, error) {
	to := replacement{upsets: s.upsets(r, at)}
	if len(to.upsets) == 0 {
		return nil, to, nil
	}
	n := &flight.Notice{Minor: true}
	moved := gangway.Itinerary{Segments: slices.Clone(r.Itinerary.Segments), Connections: r.Itinerary.Connections}
	broken := map[int]bool{} // legs
	var why []string
	for _, u := range to.upsets {
		seg := &moved.Segments[u.flight]
		why = append(why, u.why(*seg))
		seg.Departure, seg.Arrival = seg.Departure.Add(u.moves), seg.Arrival.Add(u.moves)
		if u.kind == cancelled {
			broken[seg.Leg] = true
		}
		if u.kind != delayed && u.moves.Abs() > 30*time.Minute {
			n.Minor = false
		}
		if u.known.After(n.At) {
			n.At = u.known.UTC()
		}
	}
	for _, i := range s.missed(r, moved) {
		broken[moved.Segments[i].Leg] = true
	}
	if len(broken) == 0 {
		to.itinerary = moved
	} else {
		n.Minor = false
		if err := s.findReplacement(ctx, r, moved, broken, n.At, at, &to); err != nil {
			return nil, to, err
		}
		if to.quote == nil {
			why = append(why, "There are no other flights that day or the next.")
		}
	}
	n.Why, n.Itinerary = strings.Join(why, " "), to.itinerary
	n.ID = to.id()
	return n, to, nil
}

// why says what happened to a flight, as it was to be flown.
func (u upset) why(seg gangway.Segment) string {
	name := fmt.Sprintf("%s from %s to %s on %s", seg.FlightNumber, seg.Origin, seg.Destination, seg.Departure.Format("2 January"))
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

// id names a notice by what happened and what is offered instead: when either
// becomes another, so does the notice.
func (to replacement) id() string {
	var of []string
	for _, u := range to.upsets {
		of = append(of, u.seat.String())
	}
	for _, seg := range to.itinerary.Segments {
		of = append(of, fmt.Sprint(seg.FlightNumber, seg.Departure.Unix()))
	}
	return fmt.Sprintf("n%016x", chance("notice", strings.Join(of, " "), 0))
}

// missed returns the flights of an itinerary, after the first, that are not
// reached from the one before. Within a leg of several tickets the traveller
// checks in anew.
func (s *seller) missed(r record, it gangway.Itinerary) []int {
	first := map[int]bool{} // flights that begin a ticket
	n := 0
	for _, p := range s.billOf(r) {
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

// reached reports whether there is time to change from one flight to another,
// or to check in for it anew.
func (s *seller) reached(a, b gangway.Segment, anew bool) bool {
	least := selfTransfer
	if !anew && a.Destination == b.Origin {
		least = s.change(s.byCode[string(a.Origin)], s.byCode[string(b.Origin)], s.byCode[string(b.Destination)])
	}
	return b.Departure.Sub(a.Arrival) >= time.Duration(least)*time.Minute
}

// findReplacement looks for flights in place of those of the broken legs, on
// the same day or the next: what has left stays, and so do the other legs. The
// flights are chosen as on the day when it became known, so that they stay the
// same for as long as they can be had.
func (s *seller) findReplacement(ctx context.Context, r record, moved gangway.Itinerary, broken map[int]bool, known, at time.Time, to *replacement) error {
	q, err := s.quoteOf(r.Offer)
	if err != nil {
		return nil // the timetable no longer has the flights: nothing follows from them
	}
	q.journey, q.own = slices.Clone(q.journey), nil
	it := gangway.Itinerary{}
	for i, flights := range moved.Legs() {
		if !broken[flights[0].Leg] {
			it.Segments = append(it.Segments, flights...)
			continue
		}
		begun := 0
		for begun < len(flights) && !at.Before(flights[begun].Departure) {
			begun++
		}
		if begun == len(flights) {
			return nil // it is on its way
		}
		it.Segments = append(it.Segments, flights[:begun]...)
		found, ok, err := s.instead(ctx, r, q, i, it, flights[begun:], known, at)
		if err != nil || !ok {
			return err
		}
		q.journey[i] = found
		for _, h := range found.flights()[begun:] {
			it.Segments = append(it.Segments, s.segment(flights[0].Leg, h, q.cabin))
		}
	}
	flight.Estimate(s.factors, &it)
	it.Connections = s.connections(q.journey)
	to.itinerary, to.quote = it, &q
	return nil
}

// instead returns the best trip for leg i of a quote with others for its last
// flights, such that they are reached after what is flown, and the next leg
// after them.
func (s *seller) instead(ctx context.Context, r record, q quote, i int, flown gangway.Itinerary, last []gangway.Segment, known, at time.Time) (trip, bool, error) {
	var kept trip
	for _, h := range q.journey[i].flights()[:q.journey[i].n-len(last)] {
		kept = kept.with(h)
	}
	from, to := last[0].Origin, last[len(last)-1].Destination
	for day := range 2 {
		ask := r.ask([]flight.Leg{{
			From: []flight.End{{Airport: from}}, To: []flight.End{{Airport: to}}, Date: gangway.DateOf(last[0].Departure).AddDays(day),
		}})
		journeys, err := s.journeys(ctx, ask, minuteOf(known))
		if err != nil {
			return trip{}, false, nil // no airline flies there any more
		}
		quotes, err := s.quotes(ctx, journeys, quote{brand: q.brand, cabin: q.cabin, at: at, currency: q.currency})
		if err != nil {
			return trip{}, false, err
		}
		for _, alt := range quotes {
			p, found := &alt.journey[0], kept
			if kept.n+p.n > mostHops || p.dep() < minuteOf(at)+saleEnds {
				continue
			}
			for _, h := range p.flights() {
				found = found.with(h)
			}
			whole := slices.Clone(q.journey)
			whole[i] = found
			if found != q.journey[i] && s.sells(q.brand, whole, q.cabin) && (r.Terms.Splitting || !s.splits(whole)) && s.fits(whole, i, kept.n, flown) {
				return found, true, nil
			}
		}
	}
	return trip{}, false, nil
}

// fits reports whether the flights of leg i after those kept are reached from
// what is flown before them, as late as that may be, and the next leg from them.
func (s *seller) fits(j journey, i, kept int, flown gangway.Itinerary) bool {
	p := &j[i]
	if kept > 0 && !s.connects(p.hops[kept-1], p.hops[kept]) || i+1 < len(j) && !s.follows(p, &j[i+1]) {
		return false
	}
	n := len(flown.Segments)
	return n == 0 || s.reached(flown.Segments[n-1], s.segment(i, p.hops[kept], gangway.Economy), false)
}

// Accept takes what the airline offers in place of flights that it has changed:
// the price stays. Accepting again does nothing.
func (s *seller) Accept(ctx context.Context, id, notice string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		return s.update(ctx, id, func(r *record) ([]gangway.Document, error) {
			if slices.Contains(r.Changes, notice) {
				return nil, errDone
			}
			n, to, err := s.notice(ctx, *r, s.now())
			switch {
			case err != nil:
				return nil, err
			case n == nil:
				return nil, gangway.Errorf(gangway.Conflict, "the airline has changed nothing of this order")
			case n.ID != notice:
				return nil, gangway.Errorf(gangway.Conflict, "the airline has changed more since: look at the order again")
			case len(n.Itinerary.Segments) == 0:
				return nil, gangway.Errorf(gangway.Conflict, "the airline offers no other flights: change the order or cancel it")
			}
			had := r.seats()
			r.Itinerary, r.Changes, r.Rules = n.Itinerary, append(r.Changes, notice), r.rules()
			for _, u := range to.upsets {
				r.Known = append(r.Known, u.seat.String())
			}
			if r.Bill = s.billOf(*r); to.quote != nil {
				o := s.offer(*to.quote)
				r.Offer, r.Bill, r.Baggage, r.Plating = o.ID, s.bill(*to.quote), o.Baggage, o.Plating
				r.Bill.scaleTo(r.Price)
				r.Terms.Splitting = len(r.Bill) > 1
			}
			r.Emissions = flight.Estimate(s.factors, &r.Itinerary)
			return s.moved(ctx, r, had, true)
		})
	})
}
