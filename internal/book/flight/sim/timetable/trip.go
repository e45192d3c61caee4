package timetable

// A Hop is one flight: a line on a day.
type Hop struct {
	Line     uint32
	Day      int // local day of departure
	Dep, Arr int // UTC minutes
}

// MostHops bounds the flights of one leg.
const MostHops = 4

// A Trip is the flights of one leg.
type Trip struct {
	Hops          [MostHops]Hop
	N             int
	Before, After int // minutes by road to the first airport, and from the last
}

// Flights returns the flights of a trip in their order.
func (p *Trip) Flights() []Hop { return p.Hops[:p.N] }

// Stops returns how often a trip changes flights.
func (p *Trip) Stops() int { return p.N - 1 }

// Dep returns when the first flight leaves, in UTC minutes.
func (p *Trip) Dep() int { return p.Hops[0].Dep }

// Arr returns when the last flight lands, in UTC minutes.
func (p *Trip) Arr() int { return p.Hops[p.N-1].Arr }

// Leaves returns when the traveller sets out for the first airport.
func (p *Trip) Leaves() int { return p.Dep() - p.Before }

// Reaches returns when the traveller arrives, including the way by road.
func (p *Trip) Reaches() int { return p.Arr() + p.After }

// Minutes returns how long a trip takes from door to door.
func (p *Trip) Minutes() int { return p.Reaches() - p.Leaves() }

// With returns a trip with one more flight at its end.
func (p Trip) With(h Hop) Trip {
	p.Hops[p.N] = h
	p.N++
	return p
}

// A Journey has a trip for each leg asked for.
type Journey []Trip
