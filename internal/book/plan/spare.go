package plan

import (
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// A Grade rates time to spare.
type Grade int

const (
	NotWanted Grade = iota // nobody waits for this arrival
	Ample                  // a delay on the way can be made up for
	Short                  // to be watched
	Critical               // one late flight costs the ship
	Late
	Misfit // it does not fit the plan at all: there is no time to spare
)

// Urgency ranks grades by how serious it is that there is little time to spare.
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

// SpareBy returns the time to spare of flights that meet the ship of a plan as m says or, where the plan says nothing
// of it, as the legs were asked for. What does not fit the plan has no time to spare.
func SpareBy(p gangway.Plan, m gangway.Meeting, it gangway.Itinerary, asked []gangway.Leg) Spare {
	s := spareAt(p, m, it)
	if !s.Known() {
		s = SpareOf(it, asked)
	}
	if !m.Fit.OK() {
		s.Grade = Misfit
	}
	return s
}

// SpareOf returns the time to spare of an itinerary on the last leg that is requested by its arrival, where nothing is
// planned. It is judged as the arrival of an on-signer is.
func SpareOf(it gangway.Itinerary, asked []gangway.Leg) Spare {
	legs := it.Legs()
	for i := min(len(legs), len(asked)) - 1; i >= 0; i-- {
		if asked[i].ArriveOn != "" {
			flown := gangway.Itinerary{Segments: legs[i]}
			p := alone(gangway.OnSigner, asked[i], flown)
			return spareAt(p, p.Meet(flown), flown)
		}
	}
	return Spare{}
}

func spareAt(p gangway.Plan, m gangway.Meeting, it gangway.Itinerary) Spare {
	if p.Side != gangway.OnSigner || m.Due.IsZero() {
		return Spare{}
	}
	s := Spare{Grade: Ample, Left: m.Buffer, Until: m.Due, Port: p.AtShip()}
	s.Ground = p.Roads[s.Port][it.Segments[len(it.Segments)-1].Destination]
	switch {
	case m.Buffer < 0:
		s.Grade = Late
	case m.Critical:
		s.Grade = Critical
	case m.Holds(gangway.JustInTime):
		s.Grade = Short
	}
	return s
}

// alone is the plan of a leg by itself, for the airports that are flown between.
func alone(side gangway.Side, leg gangway.Leg, it gangway.Itinerary) gangway.Plan {
	from, to := it.Segments[0].Origin, it.Segments[len(it.Segments)-1].Destination
	roads := map[gangway.Place]map[gangway.Airport]time.Duration{
		leg.Origin:      {from: flight.GroundTo(leg.Origin, from)},
		leg.Destination: {to: flight.GroundTo(leg.Destination, to)}}
	return gangway.Plan{Side: side, Legs: []gangway.Leg{leg}, Roads: roads}
}

// After returns the time that is left after another landing, at an airport of the place that s is for.
func (s Spare) After(landing time.Time, at gangway.Airport) time.Duration {
	return s.Until.Sub(landing.Add(flight.GroundTo(s.Port, at)))
}
