package search

import (
	"math"
	"slices"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// horizon is how many days ahead flights are sold.
const horizon = 355

// wanted returns what a leg asks for; nil if it is in the past or not on sale yet.
func (f *Finder) wanted(leg flight.Leg, now int) (*want, error) {
	w := &want{arriving: leg.Date == "", wish: -1}
	var err error
	if w.from, err = f.ends(leg.From, func(place int) bool { return len(f.From(place)) > 0 }); err != nil {
		return nil, err
	}
	if w.to, err = f.ends(leg.To, func(place int) bool { return len(f.Into(place)) > 0 }); err != nil {
		return nil, err
	}
	if err := f.part(w); err != nil {
		return nil, err
	}
	if leg.Date == "" && leg.ArriveOn == "" {
		return nil, errDate
	}
	if err := f.leaveIn(w.from, leg, now); err != nil {
		return nil, err
	}
	if err := f.landIn(w.to, leg); err != nil {
		return nil, err
	}
	if minute, ok := gangway.MinuteOfDay(leg.Wish); ok {
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

// ends returns the airports that have flights. Invalid: none has any.
func (f *Finder) ends(of []flight.End, flown func(place int) bool) ([]end, error) {
	var ends []end
	for _, e := range of {
		place, ok := f.PlaceOf(e.Airport)
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

// part removes an airport that is on both sides from the side that has others. Invalid: neither has
// others.
func (f *Finder) part(w *want) error {
	for _, e := range slices.Clone(w.from) {
		same := func(b end) bool { return b.place == e.place }
		switch {
		case !slices.ContainsFunc(w.to, same):
		case len(w.to) > 1:
			w.to = slices.DeleteFunc(w.to, same)
		case len(w.from) > 1:
			w.from = slices.DeleteFunc(w.from, same)
		default:
			code := f.Places[e.place].IATA
			return gangway.Errorf(gangway.Invalid, "a flight needs two airports, not %s twice", code)
		}
	}
	return nil
}

var (
	errDate = gangway.Errorf(gangway.Invalid, "a flight needs a date as in 2027-03-28")
	errTime = gangway.Errorf(gangway.Invalid, "a time is written as in 14:30")
)

// leaveIn sets when a leg may leave each airport.
func (f *Finder) leaveIn(ends []end, leg flight.Leg, now int) error {
	day, ok := timetable.DayOf(leg.Date)
	if !ok && leg.Date != "" {
		return errDate
	}
	after, ok := gangway.MinuteOfDay(leg.LeaveAfter)
	if !ok && leg.LeaveAfter != "" {
		return errTime
	}
	for i := range ends {
		e := &ends[i]
		e.first, e.last = now+tariff.SaleEnds, (now/timetable.MinutesADay+horizon+1)*timetable.MinutesADay-1
		if leg.Date == "" {
			continue
		}
		e.first, e.last = max(e.first, f.Midnight(e.place, day)), min(e.last, f.Midnight(e.place, day+1)-1)
		if leg.LeaveAfter != "" {
			e.first = max(e.first, f.UTC(e.place, day, after)+e.ground)
		}
	}
	return nil
}

// landIn sets when a leg may land at each airport.
func (f *Finder) landIn(ends []end, leg flight.Leg) error {
	day, ok := timetable.DayOf(leg.ArriveOn)
	if !ok && leg.ArriveOn != "" {
		return gangway.Errorf(gangway.Invalid, "an arrival needs a date as in 2027-03-28")
	}
	by, ok := gangway.MinuteOfDay(leg.ArriveBy)
	if !ok && leg.ArriveBy != "" {
		return errTime
	}
	for i := range ends {
		e := &ends[i]
		switch {
		case leg.ArriveOn == "":
			e.first, e.last = math.MinInt, math.MaxInt
		case leg.ArriveBy == "":
			e.first, e.last = f.Midnight(e.place, day)-e.ground, f.Midnight(e.place, day+1)-1-e.ground
		default:
			e.last = f.UTC(e.place, day, by) - e.ground
			e.first = e.last - timetable.MinutesADay
		}
	}
	return nil
}

// isolated reports whether no flight on one side is sold together with other flights, so that without
// checking in again there are only non-stop flights.
func (f *Finder) isolated(w *want) bool {
	return !slices.ContainsFunc(w.from, func(e end) bool { return f.Onward(e.place) }) ||
		!slices.ContainsFunc(w.to, func(e end) bool { return f.Feeding(e.place) })
}
