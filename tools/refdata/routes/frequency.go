package main

import (
	"math"
	"slices"

	"gangway/internal/world"
)

// passengersPerMovement is typed for airports of wide-bodies, and for Oslo with
// its many short flights.
var passengersPerMovement = map[string]float64{"OSL": 112, "LHR": 165, "DXB": 200, "SIN": 175, "HKG": 170, "ICN": 160,
	"DOH": 165, "BKK": 160, "HND": 165, "NRT": 150, "TPE": 160, "PEK": 150, "PVG": 150}

// departuresPerWeek returns how many departures the airport's traffic needs:
// the smaller the airport, the smaller its aircraft.
func (p *place) departuresPerWeek() float64 {
	per := min(142*math.Pow(p.millions/15, 0.2), 142)
	if typed, ok := passengersPerMovement[p.IATA]; ok {
		per = typed
	}
	return p.millions * 1e6 / max(per, 45) / 2 / 52
}

// setFrequencies starts from size and distance and fits the departures of every airport to its
// traffic, in turns. The numbers are those that came closest to a hundred known frequencies.
func (n *network) setFrequencies() {
	weekly := make([]float64, len(n.routes))
	for i, r := range n.routes {
		weekly[i] = math.Pow(r.hub.millions*r.other.millions+0.01, 0.8) * math.Pow((r.km+200)/1000, -0.5)
		if domestic(r.hub, r.other) {
			weekly[i] *= 5
			if r.hub.state == "NO" {
				weekly[i] *= 2.5 // fjords and mountains: there is no fast train
			}
		}
		if n.at[r.carrier][r.other.IATA] {
			weekly[i] *= 4 // connecting passengers of both hubs fill the aircraft too
		}
		if r.km > longHaul {
			weekly[i] *= 1.8 // nobody goes by train
		}
	}
	main := n.mainRoutes(weekly)
	for range 8 {
		sum := map[*place]float64{}
		for i, r := range n.routes {
			sum[r.hub] += weekly[i]
			sum[r.other] += weekly[i]
		}
		for i, r := range n.routes {
			weekly[i] *= math.Sqrt(r.hub.departuresPerWeek() / sum[r.hub] * r.other.departuresPerWeek() / sum[r.other])
			weekly[i] = min(max(weekly[i], n.fewest(r, main[r.pair()] == i)), 84)
		}
	}
	for i := range n.routes {
		n.routes[i].weekly = int(weekly[i] + 0.5)
	}
}

// mainRoutes returns the busiest route of each pair.
func (n *network) mainRoutes(weekly []float64) map[pair]int {
	main := map[pair]int{}
	for i, r := range n.routes {
		if j, ok := main[r.pair()]; !ok || weekly[i] > weekly[j] {
			main[r.pair()] = i
		}
	}
	return main
}

// fewest returns the least number of flights on a route. A pair that is known to be flown, or that
// connects two towns of some size, has a flight every day by its busiest airline; others have a few
// a week.
func (n *network) fewest(r route, main bool) float64 {
	switch {
	case n.typed[key{r.carrier, r.pair()}]:
		return 7
	case main && (n.proven[r.pair()] || min(r.hub.millions, r.other.millions) >= 0.5):
		return 7
	case n.feeds(r):
		return 7
	case r.km > longHaul:
		return 3
	}
	return 2
}

// feeds reports whether the route brings passengers to a big hub, where they
// expect a connection every day.
func (n *network) feeds(r route) bool {
	return r.other.millions >= 1 && slices.ContainsFunc(n.hubs, func(h hub) bool {
		return h.at == r.hub && h.carrier.Code == r.carrier && h.carrier.Type == world.Network && h.size >= 100
	})
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
