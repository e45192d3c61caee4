package timetable

import "slices"

// Tickets divides flights into those that are sold together.
func (t *Timetable) Tickets(hops []Hop) [][]Hop {
	var parts [][]Hop
	first := 0
	for i := 1; i <= len(hops); i++ {
		if i == len(hops) || !t.Together(t.Lines[hops[i-1].Line].Carrier, t.Lines[hops[i].Line].Carrier) {
			parts = append(parts, hops[first:i])
			first = i
		}
	}
	return parts
}

// Split reports whether the flights of a trip need more than one ticket.
func (t *Timetable) Split(p *Trip) bool {
	for i := 1; i < p.N; i++ {
		if !t.Together(t.Lines[p.Hops[i-1].Line].Carrier, t.Lines[p.Hops[i].Line].Carrier) {
			return true
		}
	}
	return false
}

// Splits reports whether a journey needs more than one reservation. One airline's flights on several legs do
// not, even with a low-cost airline.
func (t *Timetable) Splits(j Journey) bool { return len(t.Reservations(j)) > 1 }

// Reservations divides the flights of a journey by who sells them together.
func (t *Timetable) Reservations(j Journey) [][]Hop {
	var parts [][]Hop
	for leg := range j {
		for _, hops := range t.Tickets(j[leg].Flights()) {
			if len(parts) > 0 && leg > 0 {
				last := parts[len(parts)-1]
				a, b := t.Lines[last[len(last)-1].Line].Carrier, t.Lines[hops[0].Line].Carrier
				if a == b || t.Together(a, b) {
					parts[len(parts)-1] = append(slices.Clone(last), hops...)
					continue
				}
			}
			parts = append(parts, hops)
		}
	}
	return parts
}
