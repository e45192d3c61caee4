package timetable

// A hop is a line on a day.
type Hop struct {
	Line     uint32
	Day      int // local day of departure
	Dep, Arr int // UTC minutes
}

// MostHops bounds the flights of one leg.
const MostHops = 4

// A trip is the flights of one leg.
type Trip struct {
	Hops          [MostHops]Hop
	N             int
	Before, After int // minutes by road to the first airport, and from the last
}

func (p *Trip) Flights() []Hop { return p.Hops[:p.N] }

func (p *Trip) Stops() int { return p.N - 1 }

func (p *Trip) Dep() int { return p.Hops[0].Dep }

func (p *Trip) Arr() int { return p.Hops[p.N-1].Arr }

// Leaves, reaches and minutes count from door to door.
func (p *Trip) Leaves() int { return p.Dep() - p.Before }

func (p *Trip) Reaches() int { return p.Arr() + p.After }

func (p *Trip) Minutes() int { return p.Reaches() - p.Leaves() }

func (p Trip) With(h Hop) Trip {
	p.Hops[p.N] = h
	p.N++
	return p
}

// A journey is a trip for each leg asked for.
type Journey []Trip
