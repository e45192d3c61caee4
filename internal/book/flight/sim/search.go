package sim

import (
	"cmp"
	"context"
	"slices"

	"gangway"
	"gangway/internal/book/flight"
)

// A journey is a trip for each leg asked for.
type journey []trip

// journeys returns the ways to fly what is asked for, as seen at now.
func (t *timetable) journeys(ctx context.Context, ask flight.Ask, now int) ([]journey, error) {
	var all []journey
	err := t.eachJourney(ctx, ask, now, func(batch []journey) error {
		all = append(all, batch...)
		return nil
	})
	return all, err
}

// eachJourney hands the ways to fly what is asked for to found, as seen at now,
// in batches: those with few stops first when there may be others. It ends
// with the first error of found.
func (t *timetable) eachJourney(ctx context.Context, ask flight.Ask, now int, found func([]journey) error) error {
	if len(ask.Legs) == 0 {
		return gangway.Errorf(gangway.Invalid, "a search needs a flight to look for")
	}
	if len(ask.Legs) == 1 {
		return t.eachTrip(ctx, ask, ask.Legs[0], now, manyTrips, func(trips []trip) error {
			batch := make([]journey, len(trips))
			for i := range trips {
				batch[i] = trips[i : i+1 : i+1]
			}
			return found(batch)
		})
	}
	legs := make([][]trip, len(ask.Legs))
	for i, leg := range ask.Legs {
		err := t.eachTrip(ctx, ask, leg, now, manyTripsOfMany, func(trips []trip) error {
			legs[i] = append(legs[i], trips...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return found(t.combine(legs))
}

// eachTrip hands the best trips of one leg to found, in batches.
func (t *timetable) eachTrip(ctx context.Context, ask flight.Ask, leg flight.Leg, now, most int, found func([]trip) error) error {
	w, err := t.wanted(leg, now)
	if err != nil || w == nil {
		return err
	}
	c, j, isolated := t.newChoice(ask, w, now, most), t.newJoin(ctx, w), t.isolated(w)
	for i, r := range stepsFor(&ask) {
		if c.content(r) {
			return nil
		}
		if i > 0 && isolated && !r.transfers {
			continue
		}
		var trips []trip
		if r.stops < mostJoined {
			trips, err = j.by(r, func(few []trip) error {
				if i > 0 || len(ask.Legs) > 1 {
					return nil
				}
				return c.takeSurely(few, found)
			})
		} else {
			trips, err = t.scanFor(ctx, w, r, c.marineOnly())
		}
		if err == nil {
			err = c.take(trips, c.most, found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// combine joins the trips of all legs in their order, the best of each first,
// and then those that are sold together before those that are not.
func (t *timetable) combine(legs [][]trip) []journey {
	all := []journey{nil}
	for _, trips := range legs {
		var longer []journey
		// By the sum of both ranks, so that neither leg's best is tried with one partner only.
		for sum := 0; sum < len(all)+len(trips)-1 && len(longer) < 4*manyJourneys; sum++ {
			for i := max(0, sum-len(trips)+1); i < len(all) && i <= sum; i++ {
				j, p := all[i], trips[sum-i]
				if len(j) > 0 && !t.continues(&j[len(j)-1], &p) {
					continue
				}
				longer = append(longer, append(slices.Clone(j), p))
			}
		}
		all = longer
	}
	slices.SortStableFunc(all, func(a, b journey) int { return cmp.Compare(len(t.reservations(a)), len(t.reservations(b))) })
	return all[:min(manyJourneys, len(all))]
}

// continues reports whether a trip can be begun after another has ended, with
// the ways by road between them.
func (t *timetable) continues(a, b *trip) bool {
	return t.follows(a, b) && b.leaves() >= a.reaches()
}

// follows reports whether a trip's first flight is reached from another's last.
func (t *timetable) follows(a, b *trip) bool {
	from, to := &t.lines[a.hops[a.n-1].line], &t.lines[b.hops[0].line]
	if from.to != to.from {
		return b.dep() >= a.arr()+selfTransfer // by road to another airport
	}
	return b.dep() >= a.arr()+t.change(int(from.from), int(from.to), int(to.to))
}
