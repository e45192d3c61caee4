package search

import (
	"cmp"
	"context"
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// Journeys returns the ways to fly what is asked for, as seen at now.
func (f *Finder) Journeys(ctx context.Context, ask flight.Ask, now int) ([]timetable.Journey, error) {
	var all []timetable.Journey
	err := f.EachJourney(ctx, ask, now, func(batch []timetable.Journey) error {
		all = append(all, batch...)
		return nil
	})
	return all, err
}

// EachJourney hands the ways to fly what is asked for to found, as seen at now,
// in batches: those with few stops first when there may be others. It ends
// with the first error of found.
func (f *Finder) EachJourney(
	ctx context.Context, ask flight.Ask, now int, found func([]timetable.Journey) error,
) error {
	if len(ask.Legs) == 0 {
		return gangway.Errorf(gangway.Invalid, "a search needs a flight to look for")
	}
	if len(ask.Legs) == 1 {
		return f.eachTrip(ctx, ask, ask.Legs[0], now, manyTrips, func(trips []timetable.Trip) error {
			batch := make([]timetable.Journey, len(trips))
			for i := range trips {
				batch[i] = trips[i : i+1 : i+1]
			}
			return found(batch)
		})
	}
	legs := make([][]timetable.Trip, len(ask.Legs))
	for i, leg := range ask.Legs {
		err := f.eachTrip(ctx, ask, leg, now, manyTripsOfMany, func(trips []timetable.Trip) error {
			legs[i] = append(legs[i], trips...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return found(f.combine(legs))
}

// eachTrip hands the best trips of one leg to found, in batches.
func (f *Finder) eachTrip(
	ctx context.Context, ask flight.Ask, leg flight.Leg, now, most int, found func([]timetable.Trip) error,
) error {
	w, err := f.wanted(leg, now)
	if err != nil || w == nil {
		return err
	}
	c, j, isolated := f.newChoice(ask, w, now, most), f.newJoin(ctx, w), f.isolated(w)
	for i, r := range stepsFor(&ask) {
		if c.satisfied(r) {
			return nil
		}
		if i > 0 && isolated && !r.transfers {
			continue
		}
		var trips []timetable.Trip
		if r.stops < mostJoined {
			trips, err = j.find(r, func(few []timetable.Trip) error {
				if i > 0 || len(ask.Legs) > 1 {
					return nil
				}
				return c.takeCertain(few, found)
			})
		} else {
			trips, err = f.scanFor(ctx, w, r, c.marineOnly())
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
func (f *Finder) combine(legs [][]timetable.Trip) []timetable.Journey {
	all := []timetable.Journey{nil}
	for _, trips := range legs {
		var longer []timetable.Journey
		// By the sum of both ranks, so that neither leg's best is tried with one partner only.
		for sum := 0; sum < len(all)+len(trips)-1 && len(longer) < 4*manyJourneys; sum++ {
			for i := max(0, sum-len(trips)+1); i < len(all) && i <= sum; i++ {
				j, p := all[i], trips[sum-i]
				if len(j) > 0 && !f.continues(&j[len(j)-1], &p) {
					continue
				}
				longer = append(longer, append(slices.Clone(j), p))
			}
		}
		all = longer
	}
	slices.SortStableFunc(all, func(a, b timetable.Journey) int {
		return cmp.Compare(len(f.Reservations(a)), len(f.Reservations(b)))
	})
	return all[:min(manyJourneys, len(all))]
}

// continues reports whether a trip can be begun after another has ended, with
// the ways by road between them.
func (f *Finder) continues(a, b *timetable.Trip) bool {
	return f.Follows(a, b) && b.Leaves() >= a.Reaches()
}
