package sim

import (
	"math"
	"slices"
	"strconv"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// saleEnds is how long before departure a flight is sold, in minutes, and
// horizon for how many days ahead.
const (
	saleEnds = 120
	horizon  = 355
)

// A want is one leg as it is looked for: where and when it may begin and end.
type want struct {
	from, to []end
	arriving bool // the landing is asked for, not the departure
	wish     int  // local minute of the day at which the traveller wishes to leave; negative: none
}

// An end is an airport where a leg may begin or end, and the UTC minutes, both
// included, between which it may leave from there, or land.
type end struct {
	place       int
	ground      int // minutes by road
	first, last int
}

// wanted returns what a leg asks for; nil when it has gone by or is not on sale yet.
func (t *timetable) wanted(leg flight.Leg, now int) (*want, error) {
	w := &want{arriving: leg.Date == "", wish: -1}
	var err error
	if w.from, err = t.ends(leg.From, func(place int) bool { return t.out[place] < t.out[place+1] }); err != nil {
		return nil, err
	}
	if w.to, err = t.ends(leg.To, func(place int) bool { return len(t.in[place]) > 0 }); err != nil {
		return nil, err
	}
	if err := t.part(w); err != nil {
		return nil, err
	}
	if leg.Date == "" && leg.ArriveOn == "" {
		return nil, errDate
	}
	if err := t.leaveIn(w.from, leg, now); err != nil {
		return nil, err
	}
	if err := t.landIn(w.to, leg); err != nil {
		return nil, err
	}
	if minute, ok := minuteOfDay(leg.Wish); ok {
		w.wish = minute
	}
	w.from = slices.DeleteFunc(w.from, func(e end) bool { return e.first > e.last })
	if len(w.from) == 0 {
		return nil, nil
	}
	first, last := spanOf(w.from)
	w.to = slices.DeleteFunc(w.to, func(e end) bool { return e.last <= first || e.first > last+longestTrip })
	if len(w.to) == 0 {
		return nil, nil
	}
	return w, nil
}

// isolated reports whether nothing on one side is sold together with other
// flights, so that without checking in anew there are only non-stop flights.
func (t *timetable) isolated(w *want) bool {
	return !slices.ContainsFunc(w.from, func(e end) bool { return t.hubs[e.place].onward }) ||
		!slices.ContainsFunc(w.to, func(e end) bool { return t.hubs[e.place].feeding })
}

// spanOf returns the first and the last minute of all ends.
func spanOf(ends []end) (first, last int) {
	first, last = math.MaxInt, math.MinInt
	for _, e := range ends {
		first, last = min(first, e.first), max(last, e.last)
	}
	return first, last
}

// scanned returns the minute of departure up to which a scan by rules can find
// what is wanted.
func (w *want) scanned(r rules) (until int) {
	first, last := spanOf(w.from)
	if !w.arriving {
		return last + r.longest()
	}
	landing, _ := spanOf(w.to)
	return max(first, landing-r.longest())
}

// ends returns the airports that have flights. Invalid: none has.
func (t *timetable) ends(of []flight.End, flown func(place int) bool) ([]end, error) {
	var ends []end
	for _, e := range of {
		place, ok := t.byCode[string(e.Airport)]
		if ok && flown(place) && !slices.ContainsFunc(ends, func(b end) bool { return b.place == place }) {
			ends = append(ends, end{place: place, ground: int((e.Ground + time.Minute - 1) / time.Minute)})
		}
	}
	switch {
	case len(of) == 0:
		return nil, gangway.Errorf(gangway.Invalid, "a flight needs an airport on either side")
	case len(ends) == 0:
		return nil, gangway.Errorf(gangway.Invalid, "no airline flies to or from %s", of[0].Airport)
	}
	return ends[:min(len(ends), math.MaxUint8)], nil
}

// part takes an airport that is on both sides off one that has others. Invalid:
// neither has.
func (t *timetable) part(w *want) error {
	for _, e := range slices.Clone(w.from) {
		same := func(b end) bool { return b.place == e.place }
		switch {
		case !slices.ContainsFunc(w.to, same):
		case len(w.to) > 1:
			w.to = slices.DeleteFunc(w.to, same)
		case len(w.from) > 1:
			w.from = slices.DeleteFunc(w.from, same)
		default:
			code := t.places[e.place].IATA
			return gangway.Errorf(gangway.Invalid, "a flight from %s to %s goes nowhere", code, code)
		}
	}
	return nil
}

var (
	errDate = gangway.Errorf(gangway.Invalid, "a flight needs a date as in 2027-03-28")
	errTime = gangway.Errorf(gangway.Invalid, "a time is written as in 14:30")
)

// leaveIn enters when a leg may leave each airport.
func (t *timetable) leaveIn(ends []end, leg flight.Leg, now int) error {
	day, ok := dayOf(leg.Date)
	if !ok && leg.Date != "" {
		return errDate
	}
	after, ok := minuteOfDay(leg.LeaveAfter)
	if !ok && leg.LeaveAfter != "" {
		return errTime
	}
	for i := range ends {
		e := &ends[i]
		e.first, e.last = now+saleEnds, (now/minutesADay+horizon+1)*minutesADay-1
		if leg.Date == "" {
			continue
		}
		e.first, e.last = max(e.first, t.midnight(e.place, day)), min(e.last, t.midnight(e.place, day+1)-1)
		if leg.LeaveAfter != "" {
			e.first = max(e.first, t.utc(e.place, day, after)+e.ground)
		}
	}
	return nil
}

// landIn enters when a leg may land at each airport.
func (t *timetable) landIn(ends []end, leg flight.Leg) error {
	day, ok := dayOf(leg.ArriveOn)
	if !ok && leg.ArriveOn != "" {
		return gangway.Errorf(gangway.Invalid, "an arrival needs a date as in 2027-03-28")
	}
	by, ok := minuteOfDay(leg.ArriveBy)
	if !ok && leg.ArriveBy != "" {
		return errTime
	}
	for i := range ends {
		e := &ends[i]
		switch {
		case leg.ArriveOn == "":
			e.first, e.last = math.MinInt, math.MaxInt
		case leg.ArriveBy == "":
			e.first, e.last = t.midnight(e.place, day)-e.ground, t.midnight(e.place, day+1)-1-e.ground
		default:
			e.last = t.utc(e.place, day, by) - e.ground
			e.first = e.last - minutesADay
		}
	}
	return nil
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
