package plan

import (
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// Time to spare before somebody is wanted: with less than six hours one late flight
// costs the ship, from twelve a delay can be made up for, and from thirty-six another
// night in a hotel has to be paid.
const (
	critical  = 6 * time.Hour
	short     = 12 * time.Hour
	overnight = 36 * time.Hour
)

// A Grade rates time to spare.
type Grade int

const (
	NotWanted Grade = iota // nobody waits for this arrival
	Ample                  // a delay on the way can be made up for
	Overnight              // one more night than planned
	Short                  // to be watched
	Critical               // one late flight costs the ship
	Late
	Misfit // it does not fit the plan at all: there is no time to spare
)

// Urgency ranks grades by how serious it is that there is little time to spare: too
// much of it costs a night, but not the ship.
func (g Grade) Urgency() int {
	switch g {
	case Short:
		return 1
	case Critical, Late, Misfit:
		return 2
	}
	return 0
}

// Urgent reports whether somebody has to act.
func (g Grade) Urgent() bool { return g.Urgency() == 2 }

// A Spare is the time between an arrival and when the traveller is wanted.
type Spare struct {
	Grade  Grade
	Left   time.Duration // below zero: late
	Until  time.Time     // when the traveller is wanted; zero if only the date of departure is known
	Ground time.Duration // the transfer from the airport to the port, already deducted
	Port   gangway.Place // where the transfer ends
}

// Known reports whether it is known when the traveller is wanted.
func (s Spare) Known() bool { return s.Grade != NotWanted }

// SpareOf returns the time to spare of an itinerary on the last leg that is requested
// by its arrival, including the transfer by road from the airport to a port. Without a
// time of day, the traveller is wanted by the end of the day.
func SpareOf(it gangway.Itinerary, asked []gangway.Leg) Spare {
	legs := it.Legs()
	for i := min(len(legs), len(asked)) - 1; i >= 0; i-- {
		if asked[i].ArriveOn == "" {
			continue
		}
		last := legs[i][len(legs[i])-1]
		ground := flight.GroundTo(asked[i].Destination, last.Destination)
		s := SpareUntil(last.Arrival.Add(ground), wantedAt(asked[i], last.Arrival.Location()))
		s.Ground, s.Port = ground, asked[i].Destination
		return s
	}
	return Spare{}
}

// SpareUntil returns the time to spare between an arrival and when the traveller is wanted.
func SpareUntil(arrival, wanted time.Time) Spare {
	if wanted.IsZero() {
		return Spare{}
	}
	left := wanted.Sub(arrival)
	return Spare{Grade: gradeOf(left), Left: left, Until: wanted}
}

func gradeOf(left time.Duration) Grade {
	switch {
	case left < 0:
		return Late
	case left < critical:
		return Critical
	case left < short:
		return Short
	case left > overnight:
		return Overnight
	}
	return Ample
}

// wantedAt returns the instant at which an arrival is wanted, where the airport's clock runs as in loc.
func wantedAt(l gangway.Leg, loc *time.Location) time.Time {
	day := l.ArriveOn.In(loc)
	minute, ok := gangway.MinuteOfDay(l.ArriveBy)
	if !ok {
		return l.ArriveOn.AddDays(1).In(loc)
	}
	return time.Date(day.Year(), day.Month(), day.Day(), 0, minute, 0, 0, loc)
}

// After returns the time that is left after another landing, at an airport of the place that s is for.
func (s Spare) After(landing time.Time, at gangway.Airport) time.Duration {
	return s.Until.Sub(landing.Add(flight.GroundTo(s.Port, at)))
}

// Against compares s with the plan: a flight that does not fit has no time to spare.
func (s Spare) Against(f gangway.Fit) Spare {
	if !f.OK() {
		s.Grade = Misfit
	}
	return s
}
