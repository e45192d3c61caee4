package sim

import (
	"cmp"
	"slices"
	"strconv"

	"gangway"
	"gangway/internal/book/flight"
)

// A journey is a trip for each leg asked for.
type journey []trip

// saleEnds is how long before departure a flight is sold, in minutes, and
// horizon for how many days ahead.
const (
	saleEnds = 120
	horizon  = 355
)

// journeys returns the ways to fly what is asked for, as seen at now.
func (t *timetable) journeys(ask flight.Ask, now int) ([]journey, error) {
	if len(ask.Legs) == 0 {
		return nil, gangway.Errorf(gangway.Invalid, "a search needs a flight to look for")
	}
	trips := make([][]trip, len(ask.Legs))
	for i, leg := range ask.Legs {
		found, err := t.leg(leg, ask, now)
		if err != nil {
			return nil, err
		}
		most := manyTrips
		if len(ask.Legs) > 1 {
			most = manyTripsOfMany
		}
		trips[i] = t.chooseFor(ask, found, now, most)
	}
	if len(trips) == 1 {
		alone := make([]journey, len(trips[0]))
		for i, p := range trips[0] {
			alone[i] = journey{p}
		}
		return alone, nil
	}
	return t.combine(trips), nil
}

// leg returns all trips of one leg.
func (t *timetable) leg(leg flight.Leg, ask flight.Ask, now int) ([]trip, error) {
	from, err := t.placeOf(leg.From[0].Airport)
	if err != nil {
		return nil, err
	}
	to, err := t.placeOf(leg.To[0].Airport)
	if err != nil {
		return nil, err
	}
	if from == to {
		return nil, gangway.Errorf(gangway.Invalid, "a flight from %s to %s goes nowhere", leg.From[0].Airport, leg.To[0].Airport)
	}
	days, fits, err := t.wanted(leg, to)
	if err != nil {
		return nil, err
	}
	today := now / minutesADay
	if days[len(days)-1] < today-1 || days[0] > today+horizon {
		return nil, nil // gone by, or not on sale yet
	}
	most := ask.MaxStops
	if most < 0 {
		most = mostHops - 1
	}
	j := t.newJoin(from, to, days[0], fits)
	var found []trip
	for _, r := range loosening {
		// When there is something, but no marine fare, only that is looked for.
		onlyMarine := len(found) > 0
		if onlyMarine && (r.transfers || !sellsMarine(ask) || slices.ContainsFunc(found, func(p trip) bool { return t.sells(marine, journey{p}, ask.Cabin) })) {
			break
		}
		j.follow(r)
		for _, day := range days {
			j.day(day, min(most, r.stops))
		}
		for _, p := range j.found {
			if p.dep() >= now+saleEnds && t.hasCabin(&p, ask.Cabin) && (!onlyMarine || t.sells(marine, journey{p}, ask.Cabin)) {
				found = append(found, p)
			}
		}
	}
	return found, nil
}

// wanted returns the days of departure to look at, and which arrivals fit.
func (t *timetable) wanted(leg flight.Leg, to int) (days []int, fits func(arr int) bool, err error) {
	if leg.ArriveOn == "" {
		day, ok := dayOf(leg.Date)
		if !ok {
			return nil, nil, gangway.Errorf(gangway.Invalid, "a flight needs a date as in 2027-03-28")
		}
		return []int{day}, func(int) bool { return true }, nil
	}
	day, ok := dayOf(leg.ArriveOn)
	if !ok {
		return nil, nil, gangway.Errorf(gangway.Invalid, "an arrival needs a date as in 2027-03-28")
	}
	by := minutesADay - 1
	if leg.ArriveBy != "" {
		if by, ok = minuteOfDay(leg.ArriveBy); !ok {
			return nil, nil, gangway.Errorf(gangway.Invalid, "a time is written as in 14:30")
		}
	}
	clock := t.clockFrom(day)
	fits = func(arr int) bool {
		d, minute := clock.local(to, arr)
		return d == day && minute <= by
	}
	if leg.Date == "" {
		// Two nights on the way at most; eastwards over the date line one lands the day before.
		return []int{day - 2, day - 1, day, day + 1}, fits, nil
	}
	leaves, ok := dayOf(leg.Date)
	if !ok {
		return nil, nil, gangway.Errorf(gangway.Invalid, "a flight needs a date as in 2027-03-28")
	}
	return []int{leaves}, fits, nil
}

// minuteOfDay reads "HH:MM".
func minuteOfDay(s string) (int, bool) {
	if len(s) != 5 || s[2] != ':' {
		return 0, false
	}
	h, err1 := strconv.Atoi(s[:2])
	m, err2 := strconv.Atoi(s[3:])
	return h*60 + m, err1 == nil && err2 == nil && h >= 0 && h < 24 && m >= 0 && m < 60
}

// fewTrips is how many trips of a day leave a traveller wishing for more.
const fewTrips = 40

// day finds the trips that leave on one day. Ways over more than one airport
// are looked for only where there are few others.
func (j *join) day(day, most int) {
	before := len(j.found)
	for stops := 0; stops <= most; stops++ {
		if stops < 2 || len(j.found)-before < fewTrips {
			j.over(stops, day)
		}
	}
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
				if len(j) > 0 && !t.follows(&j[len(j)-1], &p) {
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

// follows reports whether a trip can be begun after another has ended.
func (t *timetable) follows(a, b *trip) bool {
	from, to := &t.lines[a.hops[a.n-1].line], &t.lines[b.hops[0].line]
	if from.to != to.from {
		return b.dep() >= a.arr()+selfTransfer // by road to another airport
	}
	return b.dep() >= a.arr()+t.change(int(from.from), int(from.to), int(to.to))
}
