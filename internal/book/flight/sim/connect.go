package sim

import (
	"slices"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/world"
)

// typedChange lists how many minutes a change of flights takes at least at
// airports that are known for it, whatever the rules say.
var typedChange = map[string]uint8{
	"FRA": 45, "MUC": 35, "ZRH": 40, "AMS": 50, "CDG": 90, "VIE": 25, "LHR": 75, "MAD": 60, "CPH": 45, "HEL": 35, "WAW": 45,
	"IST": 60, "DXB": 75, "DOH": 45, "AUH": 60, "ADD": 60, "SIN": 60, "HKG": 60, "ICN": 70, "NRT": 75, "BKK": 75, "KUL": 60, "TPE": 60,
}

// selfTransfer is how many minutes a change takes at least for who collects
// the bags and checks in again.
const selfTransfer = 180

// quickest is how many minutes the quickest change takes.
const quickest = 25

// singleMarket lists the countries between which changing flights is as quick as at home.
var singleMarket = []string{
	"AT", "BE", "BG", "CH", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IS", "IT", "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK",
}

// A hub is what the time to change flights depends on at an airport, in few bytes.
type hub struct {
	country uint16
	europe  bool  // part of the single market
	entry   bool  // everybody enters the country, even to leave it at once
	home    uint8 // minutes between flights within a country, or the single market
	abroad  uint8 // between others

	onward, feeding bool // some flight from there, or to there, is sold together with others
}

// hubOf returns what the time to change flights depends on at an airport.
func hubOf(a world.Airport) hub {
	h := hub{country: uint16(code(a.Country)), europe: slices.Contains(singleMarket, a.Country), entry: a.Country == "US", home: 45, abroad: 60}
	if a.Passengers > 40_000 {
		h.home, h.abroad = h.home+15, h.abroad+15
	}
	if typed := typedChange[a.IATA]; typed > 0 {
		h.home, h.abroad = typed, typed
	}
	return h
}

// change returns the minutes from landing at via to leaving it, at least.
func (t *timetable) change(from, via, to int) int {
	a, v, b := &t.hubs[from], &t.hubs[via], &t.hubs[to]
	switch {
	case v.entry && a.country != v.country:
		return 90
	case a.country == v.country && v.country == b.country, a.europe && v.europe && b.europe:
		return int(v.home)
	}
	return int(v.abroad)
}

// together reports whether two airlines sell a journey on one ticket. Low-cost
// airlines sell single flights, to themselves too.
func (t *timetable) together(a, b uint16) bool {
	return !t.alone[a] && !t.alone[b]
}

// The rules by which one leg is looked for. They are loosened, step by step,
// only while nothing is found.
type rules struct {
	wait      int // longest time on the ground between two flights, in minutes
	stops     int // most stops
	detour    detour
	transfers bool // the traveller may check in anew on the way, on a second ticket

	sanctioned bool // airlines that sanctions name will do; this is never loosened
}

// A detour says how many kilometres may be flown over stops between two
// airports, by those that they lie apart.
type detour struct{ percent, plus int }

// Usual is what travellers put up with. There are few flights over the southern
// oceans: whoever crosses one may have to go far, by way of another continent.
// And some neighbours have no flights to each other but by way of a distant hub.
var (
	usual    = detour{145, 500}
	far      = detour{230, 1000}
	farthest = detour{230, 5000}
)

func (d detour) limit(km int) int { return km*d.percent/100 + d.plus }

// loosening begins with what travellers put up with. Three stops are looked
// for by a scan: there are too many ways over three airports to join each.
var loosening = []rules{
	{wait: 10 * 60, stops: 2, detour: usual}, {wait: 14 * 60, stops: 2, detour: usual}, {wait: 24 * 60, stops: 2, detour: usual},
	{wait: 14 * 60, stops: 2, detour: far}, {wait: 24 * 60, stops: 3, detour: farthest},
	{wait: 24 * 60, stops: 2, detour: usual, transfers: true}, {wait: 24 * 60, stops: 3, detour: farthest, transfers: true},
}

// stepsFor returns the rules, one after another, for an ask. Who is ready to
// wait longer than usual sees such trips at once.
func stepsFor(ask *flight.Ask) []rules {
	stops, wait := ask.MaxStops, int(ask.MaxLayover.Minutes())
	var steps []rules
	for i, r := range loosening {
		r.sanctioned = ask.Sanctioned
		if stops >= 0 {
			r.stops = min(r.stops, stops)
		}
		if wait > 0 {
			if i == 0 && wait > r.wait {
				continue
			}
			r.wait = min(r.wait, wait)
		}
		if !slices.Contains(steps, r) {
			steps = append(steps, r)
		}
	}
	return steps
}

// longest returns how many minutes a trip may take: all the waits, and forty
// hours in the air, but no more than three days.
func (r rules) longest() int { return min(r.stops*r.wait+40*60, longestTrip) }

const longestTrip = 3 * minutesADay

// longestWait is the longest time on the ground by any rules.
const longestWait = 24 * 60

// A hop is a line on a day.
type hop struct {
	line     uint32
	day      int // local day of departure
	dep, arr int // UTC minutes
}

// mostHops bounds the flights of one leg.
const mostHops = 4

// A trip is the flights of one leg.
type trip struct {
	hops          [mostHops]hop
	n             int
	before, after int // minutes by road to the first airport, and from the last
}

func (p *trip) flights() []hop { return p.hops[:p.n] }
func (p *trip) stops() int     { return p.n - 1 }
func (p *trip) dep() int       { return p.hops[0].dep }
func (p *trip) arr() int       { return p.hops[p.n-1].arr }

// leaves, reaches and minutes count from door to door.
func (p *trip) leaves() int  { return p.dep() - p.before }
func (p *trip) reaches() int { return p.arr() + p.after }
func (p *trip) minutes() int { return p.reaches() - p.leaves() }

func (p trip) with(h hop) trip {
	p.hops[p.n] = h
	p.n++
	return p
}

// passable reports whether what was flown is no great detour.
func (t *timetable) passable(p *trip, r rules) bool {
	km := 0
	for _, h := range p.flights() {
		km += int(t.lines[h.line].km)
	}
	return p.n == 1 || km <= r.detour.limit(t.km(int(t.lines[p.hops[0].line].from), int(t.lines[p.hops[p.n-1].line].to)))
}

// returns reports whether a trip comes to an airport where it was before.
func (t *timetable) returns(p *trip) bool {
	for i, a := range p.flights() {
		for _, b := range p.hops[i:p.n] {
			if t.lines[b.line].to == t.lines[a.line].from {
				return true
			}
		}
	}
	return false
}

// split reports whether the flights of a trip need more than one ticket.
func (t *timetable) split(p *trip) bool {
	for i := 1; i < p.n; i++ {
		if !t.together(t.lines[p.hops[i-1].line].carrier, t.lines[p.hops[i].line].carrier) {
			return true
		}
	}
	return false
}

// splits reports whether a journey needs more than one reservation. One
// airline's flights on several legs do not, even a low-cost airline's.
func (t *timetable) splits(j journey) bool { return len(t.reservations(j)) > 1 }

// reservations parts the flights of a journey by who sells them together.
func (t *timetable) reservations(j journey) [][]hop {
	var parts [][]hop
	for leg := range j {
		for _, hops := range t.tickets(j[leg].flights()) {
			if len(parts) > 0 && leg > 0 {
				last := parts[len(parts)-1]
				a, b := t.lines[last[len(last)-1].line].carrier, t.lines[hops[0].line].carrier
				if a == b || t.together(a, b) {
					parts[len(parts)-1] = append(slices.Clone(last), hops...)
					continue
				}
			}
			parts = append(parts, hops)
		}
	}
	return parts
}

// connections returns what there is to know of each change of flights within
// the legs of a journey.
func (t *timetable) connections(j journey) []gangway.Connection {
	var all []gangway.Connection
	for i := range j {
		hops := j[i].flights()
		for k := 1; k < len(hops); k++ {
			came, goes := &t.lines[hops[k-1].line], &t.lines[hops[k].line]
			least := t.change(int(came.from), int(goes.from), int(goes.to))
			if !t.together(came.carrier, goes.carrier) {
				least = max(least, selfTransfer)
			}
			all = append(all, gangway.Connection{Least: int(least), Last: t.lastOfDay(came, goes, hops[k])})
		}
	}
	return all
}

// lastOfDay reports whether no airline flies to the same airport later on the
// local day of a flight that could take over who came too late for it: one that
// sells with the airline that brought her, or any where the tickets are apart.
func (t *timetable) lastOfDay(came, goes *line, h hop) bool {
	e, ok := t.between(int(goes.from), int(goes.to))
	if !ok {
		return true
	}
	apart := !t.together(came.carrier, goes.carrier)
	for i := h.line + 1; i < e.after; i++ {
		if l := &t.lines[i]; l.on(h.day) && l.dep > goes.dep && (apart || t.together(came.carrier, l.carrier)) {
			return false
		}
	}
	return true
}
