package plan

import (
	"cmp"
	"slices"

	"gangway/internal/gangway"
)

// A Flight is one way to fly, on each of its fares: first those that crew may use, each group by price.
type Flight struct{ Fares []*Choice }

// Best is the fare by which a flight is compared with others.
func (f Flight) Best() *Choice { return f.Fares[0] }

// ForCrew reports whether crew may use it, by the settings of the account.
func (c *Choice) ForCrew() bool { return c.Bar == gangway.Bar{} }

// ByFlight puts the fares of each flight together.
func ByFlight(choices []*Choice) []Flight {
	var list []Flight
	at := map[uint64]int{}
	for _, c := range choices {
		n, known := at[c.flown]
		if !known {
			n = len(list)
			at[c.flown], list = n, append(list, Flight{})
		}
		list[n].Fares = append(list[n].Fares, c)
	}
	for _, f := range list {
		slices.SortStableFunc(f.Fares, func(a, b *Choice) int { return cmp.Or(crewFirst(a, b), ByPrice(a, b)) })
	}
	return list
}

// CountFlights counts the flights, each once however many fares it has.
func CountFlights(choices []Choice) int {
	seen := make(map[uint64]bool, len(choices))
	for i := range choices {
		seen[choices[i].flown] = true
	}
	return len(seen)
}

// CrewByPrice orders flights by the price of their best fare. A flight that does not fit the plan comes after all
// others, and one without a fare that crew may use after those.
func CrewByPrice(a, b *Choice) int {
	return cmp.Or(crewFirst(a, b), CompareBool(b.Fit.OK(), a.Fit.OK()), ByPrice(a, b))
}

func crewFirst(a, b *Choice) int { return CompareBool(b.ForCrew(), a.ForCrew()) }
