package main

import (
	"cmp"
	"math"
	"slices"

	"gangway/internal/world"
)

// longHaul is the distance in kilometres from which people fly where they need to go, and distance matters less.
const longHaul = 4300

// A candidate is an airport that a hub might be connected with.
type candidate struct {
	to    *place
	score float64
}

// chooseDomestic, in a typed list, asks for domestic destinations to be chosen.
const chooseDomestic = "HOME"

// serveTyped connects a hub with the destinations of its real list.
func (n *network) serveTyped(h hub) {
	for _, code := range h.typed {
		if to := n.byCode[code]; code != chooseDomestic && open(h.at, to) {
			n.add(h.carrier.Code, h.at, to)
			n.proven[pairOf(h.at.IATA, code)] = true
		}
	}
}

// serveSomehow adds the pairs that some airline is known to fly, if none does yet.
func (n *network) serveSomehow() {
	for _, h := range n.someone {
		for _, code := range h.typed {
			if to := n.byCode[code]; open(h.at, to) && !n.flown[pairOf(h.at.IATA, code)] {
				n.add(n.someAirline(h.at, to), h.at, to)
			}
		}
	}
}

// serve connects a hub with the airports that attract most.
func (n *network) serve(h hub) {
	if len(h.typed) > 0 && !slices.Contains(h.typed, chooseDomestic) {
		return
	}
	var short, long []candidate
	for _, to := range n.places {
		km := world.DistanceKm(h.at.Airport, to.Airport)
		if to == h.at || km < 90 || km > reach(h.carrier) || !open(h.at, to) || !n.may(h.carrier.Code, h.at, to) {
			continue
		}
		if h.carrier.Type == world.LowCost && slices.Contains(slotBound, to.IATA) {
			continue
		}
		if n.known[key{h.carrier.Code, pairOf(h.at.IATA, to.IATA)}] || len(h.typed) > 0 && !domestic(h.at, to) {
			continue
		}
		if km <= longHaul || domestic(h.at, to) {
			short = append(short, candidate{to, n.shortScore(h, to, km)})
		} else if h.carrier.Type != world.Regional && !slices.Contains(cityAirports, to.IATA) &&
			!slices.Contains(cityAirports, h.at.IATA) {
			long = append(long, candidate{to, n.longScore(h, to, km)})
		}
	}
	size := max(h.size-n.chosenBy(h), 0) // without those that its other hubs have chosen
	if len(h.typed) > 0 {
		size = max(size, h.size/16) // for gaps in the list
	}
	longs := min(int(float64(size)*longShare(h)+0.5), len(long))
	for _, c := range top(long, longs) {
		n.add(h.carrier.Code, h.at, c.to)
	}
	for _, c := range top(short, size-longs) {
		n.add(h.carrier.Code, h.at, c.to)
	}
}

// chosenBy returns how many destinations of the airline the hub has so far.
func (n *network) chosenBy(h hub) int {
	count := 0
	for _, r := range n.routes {
		if r.carrier == h.carrier.Code && (r.hub == h.at || r.other == h.at) {
			count++
		}
	}
	return count
}

// top returns the count best candidates.
func top(all []candidate, count int) []candidate {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.to.IATA, b.to.IATA))
	})
	return all[:max(0, min(count, len(all)))]
}

func (n *network) shortScore(h hub, to *place, km float64) float64 {
	s := math.Pow(to.millions+0.01, 0.4)
	switch {
	case km < 350:
		s *= 0.35 + 0.65*km/350
	case km > 900 && h.carrier.Type == world.LowCost:
		s *= math.Pow(km/900, -1)
	case km > 900:
		s *= math.Pow(km/900, -0.7)
	}
	if domestic(h.at, to) {
		s *= 5
		switch {
		case h.carrier.Type == world.LowCost && slices.Contains(trains, to.Country):
			s *= 0.2
		case h.carrier.Type == world.LowCost:
			s *= 0.8
		}
	}
	switch {
	case n.at[h.carrier.Code][to.IATA]:
		s *= 2.1
	case n.partnerHub(h.carrier, to):
		s *= 1.3
	}
	if n.proven[pairOf(h.at.IATA, to.IATA)] {
		s *= 1.6
	}
	return s
}

func (n *network) longScore(h hub, to *place, km float64) float64 {
	s := math.Pow(to.millions+0.01, 0.75) * math.Pow(km/5000, -0.35)
	if to.millions >= 30 {
		s *= 1.8 // a gateway of its country
	}
	if tied(h.at, to) {
		s *= 2.5
	}
	switch {
	case n.at[h.carrier.Code][to.IATA]:
		s *= 2
	case n.partnerHub(h.carrier, to):
		s *= 1.4
	}
	if n.proven[pairOf(h.at.IATA, to.IATA)] {
		s *= 2
	}
	return s
}

// partnerHub reports whether an airline of the same alliance has a big hub there.
func (n *network) partnerHub(a world.Airline, at *place) bool {
	return a.Alliance != "" && n.allied[at][a.Alliance]
}

// longShare returns the share of long flights among a hub's destinations.
func longShare(h hub) float64 {
	switch {
	case h.carrier.Type == world.Regional:
		return 0
	case h.carrier.Type == world.LowCost && reach(h.carrier) > 6000:
		return 0.25
	case h.carrier.Type == world.LowCost:
		return 0.04
	}
	switch h.carrier.Country {
	case "AE", "QA", "SG", "ET", "HK":
		return 0.6
	case "GB", "FR", "NL", "TW", "KE", "ZA", "MU", "NZ", "PF":
		return 0.42
	case "US":
		if h.at.millions > 40 && h.size >= 80 {
			return 0.16
		}
		return 0.06
	case "CN", "IN", "BR", "MX", "NO", "RU", "ID":
		if h.at.millions > 40 {
			return 0.2
		}
		return 0.05
	}
	if h.at.millions > 20 {
		return 0.3
	}
	return 0.15
}
