package timetable

import (
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// aircraftTypes lists the aircraft and their seats.
var aircraftTypes = []struct {
	code  string
	seats int
}{{"AT7", 70}, {"E90", 106}, {"320", 180}, {"32Q", 200}, {"333", 290}, {"789", 290}, {"77W", 350}, {"359", 325}}

// Cabin returns the cabin that a passenger gets on a flight: the one asked for, or the next lower one that
// the flight has.
func (t *Timetable) Cabin(l *Line, asked gangway.Cabin) gangway.Cabin {
	full := t.Carriers[l.Carrier].Type == world.Network && aircraftTypes[l.Aircraft].seats > 100
	wide := full && aircraftTypes[l.Aircraft].seats > 250
	switch {
	case asked == gangway.First && wide && aircraftTypes[l.Aircraft].code == "77W":
		return gangway.First
	case (asked == gangway.Business || asked == gangway.First) && full:
		return gangway.Business
	case asked == gangway.PremiumEconomy && wide:
		return gangway.PremiumEconomy
	}
	return gangway.Economy
}

// HasCabin reports whether the longest flight of a trip has the cabin asked for.
func (t *Timetable) HasCabin(p *Trip, asked gangway.Cabin) bool {
	if asked == gangway.Economy {
		return true
	}
	longest := &t.Lines[p.Hops[0].Line]
	for _, h := range p.Flights() {
		if l := &t.Lines[h.Line]; l.Km > longest.Km {
			longest = l
		}
	}
	return t.Cabin(longest, asked) == asked
}

// Capacity returns how many seats a flight has in a cabin.
func (t *Timetable) Capacity(l *Line, c gangway.Cabin) int {
	seats := aircraftTypes[l.Aircraft].seats
	switch c {
	case gangway.First:
		return 8
	case gangway.Business:
		if seats > 250 {
			return seats / 8
		}
		return seats / 12
	case gangway.PremiumEconomy:
		return seats / 12
	}
	economy := seats
	for _, better := range []gangway.Cabin{gangway.PremiumEconomy, gangway.Business, gangway.First} {
		if t.Cabin(l, better) == better {
			economy -= t.Capacity(l, better)
		}
	}
	return economy
}

// Segment returns a flight as a segment, in the cabin that a passenger gets who asked for one.
func (t *Timetable) Segment(leg int, h Hop, asked gangway.Cabin) gangway.Segment {
	l := &t.Lines[h.Line]
	from, to := &t.Places[l.From], &t.Places[l.To]
	return gangway.Segment{
		Leg: leg, Carrier: t.Carriers[l.Carrier].Code, FlightNumber: t.FlightNumber(h.Line),
		Origin: gangway.Airport(from.IATA), Destination: gangway.Airport(to.IATA),
		Departure: TimeOf(h.Dep, from.Loc), Arrival: TimeOf(h.Arr, to.Loc),
		Cabin: t.Cabin(l, asked), Aircraft: aircraftTypes[l.Aircraft].code, DistanceKm: int(l.Km),
	}
}
