package main

import (
	"math"
	"slices"

	"gangway/internal/world"
)

// passengersPerMovement is typed for hubs of wide-bodies; others have 130, and
// small airports 80.
var passengersPerMovement = map[string]float64{"LHR": 165, "DXB": 200, "SIN": 175, "HKG": 170, "ICN": 160, "DOH": 165, "BKK": 160, "HND": 165, "NRT": 150, "TPE": 160, "PEK": 150, "PVG": 150}

// departuresPerWeek returns how many departures the airport's traffic needs.
func (p *place) departuresPerWeek() float64 {
	per := 130.0
	if p.millions < 2 {
		per = 80
	}
	if typed, ok := passengersPerMovement[p.IATA]; ok {
		per = typed
	}
	return p.millions * 1e6 / per / 2 / 52
}

// setFrequencies starts from size and distance and fits the departures of
// every airport to its traffic, in turns.
func (n *network) setFrequencies() {
	weekly := make([]float64, len(n.routes))
	for i, r := range n.routes {
		weekly[i] = math.Pow(r.hub.millions*r.other.millions+0.01, 0.5) * math.Pow((r.km+200)/1000, -0.3)
		if domestic(r.hub, r.other) {
			weekly[i] *= 3 * math.Pow((r.km+200)/1000, -0.7)
		}
		if n.bigHub(r) {
			weekly[i] *= 4 // connecting passengers fill the aircraft too
		}
	}
	for range 8 {
		sum := map[*place]float64{}
		for i, r := range n.routes {
			sum[r.hub] += weekly[i]
			sum[r.other] += weekly[i]
		}
		for i, r := range n.routes {
			weekly[i] *= math.Sqrt(r.hub.departuresPerWeek() / sum[r.hub] * r.other.departuresPerWeek() / sum[r.other])
			weekly[i] = min(max(weekly[i], n.fewest(r)), 84)
		}
	}
	for i := range n.routes {
		n.routes[i].weekly = int(weekly[i] + 0.5)
	}
}

// bigHub reports whether a network airline connects many flights at the route's hub.
func (n *network) bigHub(r route) bool {
	return slices.ContainsFunc(n.hubs, func(h hub) bool {
		return h.at == r.hub && h.carrier.Code == r.carrier && h.carrier.Type == world.Network && h.size >= 60
	})
}

// fewest returns how often a route is flown at least: pairs that are known to
// be flown every day, others a few times a week.
func (n *network) fewest(r route) float64 {
	switch {
	case n.typed[key{r.carrier, r.pair()}]:
		return 7
	case r.km > longHaul:
		return 3
	}
	return 2
}

// aircraft returns the type that fits a route's length and traffic.
func (r route) aircraft() string {
	a, _ := world.AirlineOf(r.carrier)
	thin := min(r.hub.millions, r.other.millions) < 1.5
	switch {
	case a.Type == world.Regional && r.km < 800, r.km < 600 && min(r.hub.millions, r.other.millions) < 0.4:
		return "AT7"
	case a.Type == world.Regional, r.km < 2200 && thin && a.Type != world.LowCost:
		return "E90"
	case r.km < 2500:
		return "320"
	case r.km < 5500, r.km < 6500 && a.Type == world.LowCost:
		return "32Q"
	case a.Type == world.LowCost:
		return "333"
	case r.km < 8500 && thin:
		return "333"
	case r.km > 12500:
		return "359"
	case min(r.hub.millions, r.other.millions) > 25:
		return "77W"
	}
	return "789"
}

// block returns the minutes from gate to gate, to the five minutes of a timetable.
func block(from, to *place, km float64, aircraft string) int {
	minutes := 38 + km/13.8
	switch aircraft {
	case "AT7":
		minutes = 25 + km/8.0
	case "333", "789", "77W", "359":
		minutes = 38 + km/14.2
	}
	if mean := math.Abs(from.Lat+to.Lat) / 2; km > 1500 && mean > 20 && mean < 65 && northernmost(from, to) < 70 {
		if east := math.Mod(to.Lon-from.Lon+540, 360) - 180; east > 0 {
			minutes *= 0.95 // with the jet stream
		} else {
			minutes *= 1.07
		}
	}
	return max(int(minutes/5+0.5)*5, 20)
}

// northernmost returns the highest latitude of the great circle between two airports.
func northernmost(a, b *place) float64 {
	const rad, steps = math.Pi / 180, 32
	vector := func(p *place) [3]float64 {
		return [3]float64{math.Cos(p.Lat*rad) * math.Cos(p.Lon*rad), math.Cos(p.Lat*rad) * math.Sin(p.Lon*rad), math.Sin(p.Lat * rad)}
	}
	va, vb := vector(a), vector(b)
	highest := max(a.Lat, b.Lat)
	for i := 1; i < steps; i++ {
		// The chord's points, pushed out to the surface, lie on the great circle.
		f := float64(i) / steps
		x, y, z := va[0]+f*(vb[0]-va[0]), va[1]+f*(vb[1]-va[1]), va[2]+f*(vb[2]-va[2])
		highest = max(highest, math.Atan2(z, math.Hypot(x, y))/rad)
	}
	return highest
}
