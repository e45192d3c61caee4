package main

import (
	"cmp"
	"log"
	"math"
	"slices"

	"gangway/internal/world"
)

// override adds the pairs that are known to be flown, with their airlines.
func (n *network) override() {
	for _, m := range n.must {
		a, b := n.byCode[m.a], n.byCode[m.b]
		if a == nil || b == nil {
			log.Fatalf("must.txt: %s-%s: an airport has no scheduled flights", m.a, m.b)
		}
		if !open(a, b) {
			log.Fatalf("must.txt: %s-%s: nobody flies between these countries", m.a, m.b)
		}
		for _, code := range m.carriers {
			if code == "X" {
				if n.flown[pairOf(m.a, m.b)] {
					continue
				}
				code = n.someAirline(a, b)
			}
			n.add(code, a, b)
			n.typed[key{code, pairOf(m.a, m.b)}] = true
		}
	}
}

// attach gives every airport that has too few routes one to three to the best gateways, those of
// its own country first.
func (n *network) attach() {
	degree := map[string]map[string]bool{}
	link := func(a, b string) {
		if degree[a] == nil {
			degree[a] = map[string]bool{}
		}
		degree[a][b] = true
	}
	for _, r := range n.routes {
		link(r.hub.IATA, r.other.IATA)
		link(r.other.IATA, r.hub.IATA)
	}
	for _, p := range n.places {
		want := 3
		switch {
		case p.millions < 0.1:
			want = 1
		case p.millions < 0.6:
			want = 2
		}
		if len(degree[p.IATA]) >= want {
			continue
		}
		for _, g := range n.gateways(p) {
			if len(degree[p.IATA]) >= want {
				break
			}
			if !degree[p.IATA][g.IATA] {
				n.add(n.someAirline(p, g), g, p)
				link(p.IATA, g.IATA)
				link(g.IATA, p.IATA)
			}
		}
	}
}

// gateways returns the airports from which p is best reached, best first.
func (n *network) gateways(p *place) []*place {
	var all []candidate
	for _, g := range n.places {
		if g == p || g.millions < p.millions {
			continue
		}
		km := world.DistanceKm(p.Airport, g.Airport)
		if g.millions < 0.2 && km > 400 || km > 6000 || !open(p, g) {
			continue
		}
		s := math.Pow(g.millions+0.01, 0.6) / (km + 150)
		if p.millions < 0.1 { // an islet or a village: to the next town
			s = math.Pow(g.millions+0.01, 0.4) / math.Pow(km+60, 1.8)
		}
		if domestic(p, g) {
			s *= 30
		}
		if km > 1600 {
			s /= 20
		}
		all = append(all, candidate{g, s})
	}
	var gateways []*place
	for _, c := range top(all, 4) {
		gateways = append(gateways, c.to)
	}
	return gateways
}

// someAirline chooses the airline for a pair that has to be flown: one with a hub at one end, of
// the country of either, and preferably one that sells connections; in countries without a listed
// airline, one from nearby.
func (n *network) someAirline(a, b *place) string {
	type rated struct {
		code  string
		score float64
	}
	var all []rated
	for _, h := range n.hubs {
		score, home := 0.0, n.home[h.carrier.Code]
		for _, end := range []*place{a, b} {
			if h.at == end {
				score += 8
			}
			if home[end.state] {
				score += 4
			}
			if h.carrier.Country == end.state {
				score += 2
			}
		}
		if h.carrier.Type != world.LowCost {
			score += 3
		}
		if !n.may(h.carrier.Code, a, b) {
			score -= 20
		}
		if world.DistanceKm(a.Airport, b.Airport) > reach(h.carrier) {
			score -= 20
		}
		away := min(world.DistanceKm(h.at.Airport, a.Airport), world.DistanceKm(h.at.Airport, b.Airport))
		all = append(all, rated{h.carrier.Code, score - away/20_000})
	}
	return slices.MaxFunc(all, func(x, y rated) int {
		return cmp.Or(cmp.Compare(x.score, y.score), cmp.Compare(y.code, x.code))
	}).code
}

// forbid removes the pairs that nobody flies.
func (n *network) forbid() {
	n.routes = slices.DeleteFunc(n.routes, func(r route) bool { return slices.Contains(n.mustNot, r.pair()) })
}
