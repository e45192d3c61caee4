package orders

import (
	"context"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// notice returns what an order's buyer is told about changes that wait for an answer, and the
// replacement for its flights; nil if there are none.
func (s *Seller) notice(ctx context.Context, r record, at time.Time) (*flight.Notice, replacement, error) {
	to := replacement{disrupted: s.disruptedFlights(r, at)}
	if len(to.disrupted) == 0 {
		return nil, to, nil
	}
	n := &flight.Notice{Minor: true}
	moved := gangway.Itinerary{Segments: slices.Clone(r.Itinerary.Segments), Connections: r.Itinerary.Connections}
	broken, why := announce(n, to.disrupted, &moved)
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

// announce writes what happened to flights into a notice and moves them; it returns the legs that
// can no longer be flown, and what happened, as sentences.
func announce(n *flight.Notice, all []disruptedFlight, moved *gangway.Itinerary) (broken map[int]bool, why []string) {
	broken = map[int]bool{}
	for _, u := range all {
		seg := &moved.Segments[u.flight]
		why = append(why, u.why(*seg))
		seg.Departure, seg.Arrival = seg.Departure.Add(u.moves), seg.Arrival.Add(u.moves)
		if u.kind == cancelled {
			broken[seg.Leg] = true
		}
		if u.moves.Abs() > 30*time.Minute {
			n.Minor = false
		}
		if u.known.After(n.At) {
			n.At = u.known.UTC()
		}
	}
	return broken, why
}
