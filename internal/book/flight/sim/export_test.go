package sim

import (
	"testing"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// SplitOffers returns offers of journeys on two tickets, the first of a low-cost
// airline, as sold at an instant for a date.
func (n *Network) SplitOffers(t *testing.T, brandName string, at time.Time, on gangway.Date) []flight.Offer {
	day, _ := dayOf(on)
	var offers []flight.Offer
	for _, j := range splitJourneys(t, n, day) {
		for _, b := range brands {
			if b.name == brandName {
				offers = append(offers, n.offer(quote{journey: j, brand: b, cabin: gangway.Economy, at: at, currency: "EUR"}))
			}
		}
	}
	return offers
}

// FreeSeats returns how many seats other people leave on the fullest flight of an offer.
func (n *Network) FreeSeats(offer string) int {
	q, err := n.quoteOf(offer)
	if err != nil {
		return 0
	}
	least := 1000
	for i := range q.journey {
		for _, h := range q.journey[i].flights() {
			least = min(least, n.free(h, q.cabin))
		}
	}
	return least
}
