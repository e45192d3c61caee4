package plan

import (
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// Time to spare before somebody is wanted: below six hours one late flight
// costs the ship, from twelve it can be made up for, and from thirty-six on
// another night in a hotel is to be paid.
const (
	critical  = 6 * time.Hour
	short     = 12 * time.Hour
	overnight = 36 * time.Hour
)

// A Grade says how time to spare is to be taken.
type Grade int

const (
	NotWanted Grade = iota // nobody waits for this arrival
	Ample                  // what goes wrong on the way can be made up for
	Overnight              // a night more than planned
	Short                  // to be watched
	Critical               // one late flight costs the ship
	Late
	Misfit // it does not fit the plan at all: there is no time to spare
)

// Urgency sorts grades by how much it matters that there is little time to
// spare: too much of it costs a night, and no ship.
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

// A Spare is the time between an arrival and when it is wanted.
type Spare struct {
	Grade  Grade
	Left   time.Duration // below zero: late
	Until  time.Time     // when the traveller is wanted; zero when only the day of leaving is
	Ground time.Duration // the way from the airport to the port, which is counted
	Port   gangway.Place // where that way ends
}

// Known reports whether it is known when the arrival is wanted.
func (s Spare) Known() bool { return s.Grade != NotWanted }

// SpareOf returns the time to spare of an itinerary on the last leg that is
// asked for by its arrival, the way by road from the airport to a port
// included. Without a time of day, the day itself has to be kept: wanted is its end.
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

// SpareUntil returns the time to spare between an arrival and when it is wanted.
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

// Against holds s against the plan: what does not fit has no time to spare.
func (s Spare) Against(f gangway.Fit) Spare {
	if !f.OK() {
		s.Grade = Misfit
	}
	return s
}
