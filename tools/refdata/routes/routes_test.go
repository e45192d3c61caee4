package main

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"gangway/internal/world"
	"gangway/tools/refdata/pack"
)

func TestRoutes(t *testing.T) {
	n, err := generate("data")
	if err != nil {
		t.Fatal(err)
	}
	flown, degree := map[pair][]string{}, map[string]map[string]bool{}
	for _, r := range n.routes {
		flown[r.pair()] = append(flown[r.pair()], r.carrier)
		for _, way := range []pair{{r.hub.IATA, r.other.IATA}, {r.other.IATA, r.hub.IATA}} {
			if degree[way[0]] == nil {
				degree[way[0]] = map[string]bool{}
			}
			degree[way[0]][way[1]] = true
		}
	}
	t.Run("the committed file is what the facts make", func(t *testing.T) {
		if want, err := os.ReadFile("../../../internal/book/flight/sim/timetable/data/routes.csv.gz"); err != nil {
			t.Fatal(err)
		} else if got, err := pack.CSV(n.table()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("it differs (%v): run go generate ./internal/book/flight/sim/timetable", err)
		}
	})
	t.Run("pairs that are flown are there, with their airlines", func(t *testing.T) {
		for _, m := range n.must {
			carriers := flown[pairOf(m.a, m.b)]
			if len(carriers) == 0 {
				t.Errorf("%s-%s is not flown", m.a, m.b)
			}
			for _, c := range m.carriers {
				if c != "X" && !slices.Contains(carriers, c) {
					t.Errorf("%s-%s is flown by %v; want %s too", m.a, m.b, carriers, c)
				}
			}
		}
	})
	t.Run("pairs that nobody flies are not there", func(t *testing.T) {
		for _, p := range n.mustNot {
			if flown[p] != nil {
				t.Errorf("%v is flown by %v", p, flown[p])
			}
		}
	})
	t.Run("every airport with scheduled flights has some", func(t *testing.T) {
		for _, p := range n.places {
			if len(degree[p.IATA]) == 0 && !slices.Contains(closed, p.Country) {
				t.Errorf("nobody flies to %s (%s)", p.IATA, p.Name)
			}
		}
	})
	t.Run("no flight is without traffic rights or beyond its aircraft's range", func(t *testing.T) {
		has := map[string]bool{} // countries with an airline of ours
		for _, a := range world.Airlines() {
			has[a.Country] = true
		}
		guests := 0 // within countries that have no airline of ours
		for _, r := range n.routes {
			a, _ := world.AirlineOf(r.carrier)
			if domestic(r.hub, r.other) && !n.may(r.carrier, r.hub, r.other) {
				guests++
			}
			if !open(r.hub, r.other) {
				t.Errorf("%s flies %v, between countries that do not", r.carrier, r.pair())
			}
			switch rights := n.may(r.carrier, r.hub, r.other); {
			case domestic(r.hub, r.other) && has[r.hub.state] && !rights:
				t.Errorf("%s flies %v, within a country that is not its own", r.carrier, r.pair())
			case (has[r.hub.state] || has[r.other.state]) && !rights && !n.typed[key{r.carrier, r.pair()}]:
				t.Errorf("%s flies %v, between countries that are not its own", r.carrier, r.pair())
			}
			if r.km > 15400 || a.Type == world.LowCost && r.km > 7500 || a.Type == world.Regional && r.km > 3000 {
				t.Errorf("%s flies %v, %.0f km", r.carrier, r.pair(), r.km)
			}
			if r.weekly < 2 || r.weekly > 84 {
				t.Errorf("%s flies %v %d times a week", r.carrier, r.pair(), r.weekly)
			}
		}
		if guests > 35 {
			t.Errorf("%d routes within a country are flown by airlines from abroad", guests)
		}
		t.Logf("%d routes within countries without an airline of ours are flown by others", guests)
	})
	t.Run("airlines that have ceased, or left an airport, do not fly there", func(t *testing.T) {
		if len(n.gone.airlines) < 10 || len(n.gone.bases) < 10 {
			t.Fatalf("gone.txt names %d airlines and %d bases; want the whole list", len(n.gone.airlines),
				len(n.gone.bases))
		}
		for _, r := range n.routes {
			if kind := n.gone.airlines[r.carrier]; kind != "" {
				t.Errorf("%s flies %v, and is %s", r.carrier, r.pair(), kind)
			}
			for _, end := range []*place{r.hub, r.other} {
				if !n.gone.serves(r.carrier, end.IATA) {
					t.Errorf("%s flies %v, and has left %s", r.carrier, r.pair(), end.IATA)
				}
				if slices.Contains(closed, end.Country) {
					t.Errorf("%s flies %v, and the sky of %s is closed", r.carrier, r.pair(), end.Country)
				}
			}
		}
		for base := range n.gone.bases {
			if n.at[base[0]][base[1]] {
				t.Errorf("%s has a hub at %s that it has given up", base[0], base[1])
			}
		}
		for code := range n.gone.airlines {
			if a, known := world.AirlineOf(code); known {
				t.Errorf("%s is in the list of airlines, and %s sells nothing", a.Name, code)
			}
		}
	})
	t.Run("hubs have about as many destinations as they should", func(t *testing.T) {
		served := map[[2]string]int{}
		for _, r := range n.routes {
			served[[2]string{r.carrier, r.hub.IATA}]++
			if n.at[r.carrier][r.other.IATA] {
				served[[2]string{r.carrier, r.other.IATA}]++
			}
		}
		off := 0
		for _, h := range n.hubs {
			want := h.size
			if len(h.typed) > 0 && !slices.Contains(h.typed, chooseDomestic) {
				want = len(h.typed)
			}
			want = max(want, len(h.typed))
			if got := served[[2]string{h.carrier.Code, h.at.IATA}]; want >= 50 &&
				(got < want*8/10 || got > want*13/10) {
				off++
				t.Logf("%s at %s: %d destinations; want about %d", h.carrier.Code, h.at.IATA, got, want)
			}
		}
		if off > 8 {
			t.Errorf("%d hubs are far off", off)
		}
	})
	t.Run("between big cities of a country there is a flight every hour or more", func(t *testing.T) {
		weekly := map[pair]int{}
		for _, r := range n.routes {
			weekly[r.pair()] += r.weekly
		}
		for _, trunk := range []struct {
			a, b string
			want int
		}{
			{"OSL", "SVG", 50}, {"OSL", "BGO", 70}, {"OSL", "TRD", 60}, {"CGH", "SDU", 150}, {"GMP", "CJU", 250},
			{"HND", "FUK", 150}, {"HND", "CTS", 150},
			{"MEL", "SYD", 150}, {"DEL", "BOM", 150}, {"JED", "RUH", 100}, {"MAD", "BCN", 100}, {"HAN", "SGN", 150},
			{"CGK", "SUB", 100}, {"MNL", "CEB", 100},
			{"JNB", "CPT", 100}, {"MEX", "MTY", 100}, {"JFK", "LAX", 80}, {"BOG", "MDE", 80}, {"IST", "ADB", 80},
			{"PEK", "SHA", 50},
		} {
			if got := weekly[pairOf(trunk.a, trunk.b)]; got < trunk.want {
				t.Errorf("%s-%s is flown %d times a week; want %d", trunk.a, trunk.b, got, trunk.want)
			}
		}
	})
	t.Run("there are as many departures as in the world", func(t *testing.T) {
		weekly := 0
		for _, r := range n.routes {
			weekly += 2 * r.weekly
		}
		if daily := weekly / 7; daily < 95_000 || daily > 105_000 {
			t.Errorf("%d departures a day; want 95,000 to 105,000", daily)
		}
	})
}
