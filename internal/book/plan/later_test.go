package plan

import (
	"slices"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
)

// TestLaterFlights holds what a traveller takes who misses a connection, as far as the search knows, and in what
// flights stand out.
func TestLaterFlights(t *testing.T) {
	fly := func(number, from, to, leaves, lands string) gangway.Segment {
		return gangway.Segment{Carrier: number[:2], FlightNumber: number, Origin: gangway.Airport(from),
			Destination: gangway.Airport(to), Departure: itinerarytest.At(t, "2026-12-01 "+leaves, 0),
			Arrival: itinerarytest.At(t, "2026-12-01 "+lands, 0)}
	}
	offer := func(price int64, flown ...gangway.Segment) flight.Offer {
		o := flight.Offer{PricedItinerary: gangway.PricedItinerary{Itinerary: gangway.Itinerary{Segments: flown},
			Baggage: []gangway.Allowance{{Pieces: 1}}}}
		o.Price.Total = gangway.Money{Minor: price, Currency: "USD"}
		return o
	}
	toDoha := fly("QR932", "MNL", "DOH", "01:00", "05:00")
	list := Weigh([]flight.Offer{
		offer(500, toDoha, fly("QR271", "DOH", "AMS", "06:00", "12:00")),
		offer(600, toDoha, fly("QR273", "DOH", "AMS", "07:00", "15:00")), // slower than the next
		offer(700, fly("PR100", "MNL", "DOH", "02:00", "06:00"), fly("KL400", "DOH", "AMS", "08:00", "14:00")),
		offer(900, toDoha, fly("SU1", "DOH", "AMS", "06:30", "12:30")), // is not used
		offer(800, fly("KL800", "MNL", "AMS", "03:00", "11:00")),
	}, gangway.SearchMember{}, gangway.Plan{}, gangway.Settings{Avoid: "SU"})
	var got []string
	for _, c := range list {
		for _, later := range c.Later {
			name := "none"
			if later != nil {
				name = later[0].FlightNumber
			}
			got = append(got, name)
		}
	}
	if want := []string{"KL400", "KL400", "none", "KL400"}; !slices.Equal(got, want) {
		t.Errorf("missed connections are made up for by %q; want %q", got, want)
	}
	var flights []*Choice
	for i := range list {
		flights = append(flights, &list[i])
	}
	marks := MarksOf(ByFlight(flights), list, func(*Choice) bool { return true })
	if !slices.Equal(marks[&list[0]], []Mark{Best, Cheapest}) || !slices.Equal(marks[&list[4]], []Mark{Earliest}) ||
		len(marks) != 2 {
		t.Errorf("marks = %v; want the first best and cheapest, the last earliest", marks)
	}
}
