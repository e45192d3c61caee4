package plan

import (
	"slices"
	"strings"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// TestFaresOfAFlight holds that each flight comes once, with the fares that crew may use first, and that a flight
// without such a fare comes after all others, however cheap.
func TestFaresOfAFlight(t *testing.T) {
	fare := func(flown uint64, id string, price int64, bags int) *Choice {
		o := &flight.Offer{ID: id}
		o.Price.Total = gangway.Money{Minor: price, Currency: "USD"}
		return &Choice{Offer: o, Key: id, flown: flown, Bar: gangway.Bar{Unmet: gangway.FareRule{Bag: bags == 0}}}
	}
	list := ByFlight([]*Choice{fare(1, "light", 500, 0), fare(2, "only light", 400, 0), fare(1, "flex", 900, 1),
		fare(1, "marine", 600, 2), fare(3, "dear", 800, 1)})
	slices.SortFunc(list, func(a, b Flight) int { return CrewByPrice(a.Best(), b.Best()) })
	var got []string
	for _, f := range list {
		for _, c := range f.Fares {
			got = append(got, c.Key)
		}
		got = append(got, "|")
	}
	if want := "marine flex light | dear | only light |"; strings.Join(got, " ") != want {
		t.Errorf("the flights are %q; want %q", got, want)
	}
}
