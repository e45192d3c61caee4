package app

import (
	"time"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/book/flight"
)

// Time to spare before somebody is wanted: below six hours one late flight
// costs the ship, from twelve it can be mended.
const (
	slackGood  = 12 * time.Hour
	slackWatch = 6 * time.Hour
)

// slackLong is from when on there is so much time to spare that another night
// in a hotel is to be paid.
const slackLong = 36 * time.Hour

// A slack is the time between an arrival and when it is wanted.
type slack struct {
	Known bool
	Left  time.Duration
	Class string // "good", "watch" or "act"
	Sign  string
	Words string // "14 h to spare"
	Note  string // what else there is to say of it
	Title string

	Misfit bool      // it does not fit the plan at all: Words say in what
	Until  time.Time // when the traveller is wanted; zero when only the day of leaving is
}

// slackOf returns the slack of an itinerary on the last leg that is asked for
// by its arrival, the way by road from the airport to a port included. Without
// a time of day, the day itself has to be kept: wanted is its end.
func slackOf(it gangway.Itinerary, asked []gangway.Leg) slack {
	legs := it.Legs()
	for i := min(len(legs), len(asked)) - 1; i >= 0; i-- {
		if asked[i].ArriveOn == "" {
			continue
		}
		last := legs[i][len(legs[i])-1]
		ground := flight.GroundTo(asked[i].Destination, last.Destination)
		s := slackUntil(last.Arrival.Add(ground), wantedAt(asked[i], last.Arrival.Location()))
		if s.Known && ground > 0 {
			s.Title += ", " + duration(ground) + by(asked[i].Destination) + " included"
		}
		return s
	}
	return slack{}
}

// wantedAt returns the instant at which an arrival is wanted, where the airport's clock runs as in loc.
func wantedAt(l gangway.Leg, loc *time.Location) time.Time {
	day := l.ArriveOn.In(loc)
	if l.ArriveBy == "" {
		return l.ArriveOn.AddDays(1).In(loc)
	}
	at, err := time.Parse("15:04", l.ArriveBy)
	if err != nil {
		return l.ArriveOn.AddDays(1).In(loc)
	}
	return time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, loc)
}

func slackUntil(arrival, wanted time.Time) slack {
	if wanted.IsZero() {
		return slack{}
	}
	s := slack{Known: true, Left: wanted.Sub(arrival), Until: wanted, Title: "wanted by " + wanted.Format("Mon 2 Jan 15:04") + " local time"}
	switch {
	case s.Left < 0:
		s.Class, s.Sign, s.Words = "act", "✕", duration(-s.Left)+" late"
	case s.Left < slackWatch:
		s.Class, s.Sign, s.Words = "act", "!", duration(s.Left)+" to spare"
	case s.Left < slackGood:
		s.Class, s.Sign, s.Words = "watch", "△", duration(s.Left)+" to spare"
	case s.Left > slackLong:
		s.Class, s.Sign, s.Words, s.Note = "watch", "△", duration(s.Left)+" to spare", "a night more than planned"
	default:
		s.Class, s.Sign, s.Words = "good", "✓", duration(s.Left)+" to spare"
	}
	return s
}

// urgency sorts by how much it matters that there is little time to spare: too
// much of it costs a night, and no ship.
func (s slack) urgency() int {
	if s.Left > slackLong {
		return urgency["good"]
	}
	return urgency[s.Class]
}

// against holds s against the plan: what does not fit has no time to spare,
// and says why.
func (s *slack) against(f gangway.Fit) {
	if words := book.Misfit(f, book.AShip); words != "" {
		s.Known, s.Misfit, s.Class, s.Sign, s.Words, s.Note = true, true, "act", "!", words, ""
	}
}
