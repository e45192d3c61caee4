package timetable

import "gangway/internal/gangway"

// SelfTransfer is the minimum connecting time, in minutes, of travellers who collect their bags and check in
// again.
const SelfTransfer = 180

// Quickest is the shortest minimum connecting time anywhere, in minutes.
const Quickest = 25

// LongestWait is the longest wait between flights, in minutes, that any rules allow.
const LongestWait = 24 * 60

// MinConnection returns the minimum connecting time, in minutes, at an airport on the way from one to
// another.
func (t *Timetable) MinConnection(from, via, to int) int {
	a, v, b := &t.hubs[from], &t.hubs[via], &t.hubs[to]
	switch {
	case v.entry && a.country != v.country:
		return 90
	case a.country == v.country && v.country == b.country, a.europe && v.europe && b.europe:
		return int(v.home)
	}
	return int(v.abroad)
}

// MinConnectionBetween returns the same from one flight of an itinerary to the next.
func (t *Timetable) MinConnectionBetween(a, b gangway.Segment) int {
	return t.MinConnection(t.byCode[string(a.Origin)], t.byCode[string(b.Origin)], t.byCode[string(b.Destination)])
}

// Together reports whether two airlines sell a journey on one ticket. Low-cost airlines sell only single
// flights, even for two of their own.
func (t *Timetable) Together(a, b uint16) bool {
	return !t.alone[a] && !t.alone[b]
}

// Connects reports whether one flight can be reached from another.
func (t *Timetable) Connects(a, b Hop) bool {
	from, to := &t.Lines[a.Line], &t.Lines[b.Line]
	least := t.MinConnection(int(from.From), int(from.To), int(to.To))
	if !t.Together(from.Carrier, to.Carrier) {
		least = max(least, SelfTransfer)
	}
	wait := b.Dep - a.Arr
	return from.To == to.From && wait >= least && wait <= LongestWait
}

// Follows reports whether a trip's first flight can be reached from another trip's last.
func (t *Timetable) Follows(a, b *Trip) bool {
	from, to := &t.Lines[a.Hops[a.N-1].Line], &t.Lines[b.Hops[0].Line]
	if from.To != to.From {
		return b.Dep() >= a.Arr()+SelfTransfer // by road to another airport
	}
	return b.Dep() >= a.Arr()+t.MinConnection(int(from.From), int(from.To), int(to.To))
}

// Returns reports whether a trip comes back to an airport.
func (t *Timetable) Returns(p *Trip) bool {
	for i, a := range p.Flights() {
		for _, b := range p.Hops[i:p.N] {
			if t.Lines[b.Line].To == t.Lines[a.Line].From {
				return true
			}
		}
	}
	return false
}

// Connections describes each change of flights within the legs of a journey.
func (t *Timetable) Connections(j Journey) []gangway.Connection {
	var all []gangway.Connection
	for i := range j {
		hops := j[i].Flights()
		for k := 1; k < len(hops); k++ {
			came, goes := &t.Lines[hops[k-1].Line], &t.Lines[hops[k].Line]
			least := t.MinConnection(int(came.From), int(goes.From), int(goes.To))
			if !t.Together(came.Carrier, goes.Carrier) {
				least = max(least, SelfTransfer)
			}
			all = append(all, gangway.Connection{Least: int(least), Last: t.lastOfDay(came, goes, hops[k])})
		}
	}
	return all
}

// lastOfDay reports whether a flight is the last of its local day to its airport that could carry a traveller
// who missed it: by the airlines that sell together with the one flown before, or by any airline if the
// tickets are separate.
func (t *Timetable) lastOfDay(came, goes *Line, h Hop) bool {
	e, ok := t.Between(int(goes.From), int(goes.To))
	if !ok {
		return true
	}
	apart := !t.Together(came.Carrier, goes.Carrier)
	for i := h.Line + 1; i < e.After; i++ {
		if l := &t.Lines[i]; l.On(h.Day) && l.Dep > goes.Dep && (apart || t.Together(came.Carrier, l.Carrier)) {
			return false
		}
	}
	return true
}
