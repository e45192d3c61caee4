package tariff

import (
	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// demands says how much dearer a flight is, per mille, in how many of a hundred cases, and from which load
// on, in seats per thousand.
var demands = []struct{ mille, cases, load int }{
	{850, 15, 300}, {920, 20, 550}, {1000, 25, 670}, {1080, 18, 780}, {1180, 12, 860}, {1300, 7, 920}, {1450, 3, 955},
}

// fullest is how many seats in a thousand other people book at most.
const fullest = 980

// load returns how full other people have booked a flight: its index in demands, and per mille of its
// seats.
func (t *Tariff) load(h timetable.Hop) (bucket, mille int) {
	l := &t.Lines[h.Line]
	n := chance.Mix(chance.Code(t.Carriers[l.Carrier].Code), uint64(l.Number), uint64(h.Day))
	p := int(n % 100)
	for i, d := range demands {
		if p -= d.cases; p < 0 {
			end := fullest
			if i+1 < len(demands) {
				end = demands[i+1].load
			}
			return i, d.load + int(n>>32%uint64(end-d.load))
		}
	}
	return 0, 0
}

// Free returns how many seats other people leave to an account on a flight, in the cabin that a passenger
// gets who asked for one: at least one.
func (t *Tariff) Free(h timetable.Hop, asked gangway.Cabin) int {
	_, mille := t.load(h)
	l := &t.Lines[h.Line]
	return (t.Capacity(l, t.Cabin(l, asked))*(1000-mille) + 999) / 1000
}

// FreeOn does the same for a seat; false if the timetable does not have its flight.
func (t *Tariff) FreeOn(p Seat) (seats int, known bool) {
	i, ok := t.LineOf(p.Flight)
	if !ok {
		return 0, false
	}
	return t.Free(timetable.Hop{Line: i, Day: p.Day}, p.Cabin), true
}

// demand returns how full a flight is, as an index into demands, if an account has own seats on it beside
// those of other people.
func (t *Tariff) demand(h timetable.Hop, asked gangway.Cabin, own int) int {
	bucket, mille := t.load(h)
	if own == 0 {
		return bucket
	}
	l := &t.Lines[h.Line]
	mille += 1000 * own / t.Capacity(l, t.Cabin(l, asked))
	for bucket+1 < len(demands) && mille >= demands[bucket+1].load {
		bucket++
	}
	return bucket
}

// SeatsLeft returns how many seats the fullest flight of a journey still sells to an account that has own
// seats: at most nine, as airlines show it.
func (t *Tariff) SeatsLeft(j timetable.Journey, cabin gangway.Cabin, own []int) int {
	least, n := 9, 0
	for i := range j {
		for _, h := range j[i].Flights() {
			least = min(least, t.Free(h, cabin)-numberAt(own, n))
			n++
		}
	}
	return max(0, least)
}

// Seats returns the seats that a journey takes.
func (t *Tariff) Seats(j timetable.Journey, asked gangway.Cabin) []Seat {
	var all []Seat
	for i := range j {
		for _, h := range j[i].Flights() {
			all = append(all, Seat{t.FlightNumber(h.Line), h.Day, t.Cabin(&t.Lines[h.Line], asked)})
		}
	}
	return all
}

// numberAt returns the n-th number; zero if numbers is nil.
func numberAt(numbers []int, n int) int {
	if n < len(numbers) {
		return numbers[n]
	}
	return 0
}
