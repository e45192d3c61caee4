package plan

import (
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

func TestCheapestAlike(t *testing.T) {
	usd := func(n int64) gangway.Money { return gangway.Money{Minor: n * 100, Currency: "USD"} }
	land := time.Date(2026, 12, 1, 6, 0, 0, 0, time.UTC)
	m := gangway.SearchMember{Side: gangway.OnSigner, Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS",
		ArriveOn: "2026-12-01", ArriveBy: "20:00"}}}
	// offer is the chosen one with the changes that edit makes.
	offer := func(edit func(*flight.Offer)) flight.Offer {
		o := flight.Offer{
			ID: "other",
			PricedItinerary: gangway.PricedItinerary{
				Price: gangway.Price{Total: usd(400)},
				Itinerary: gangway.Itinerary{Segments: []gangway.Segment{{Origin: "MNL", Destination: "AMS",
					Departure: land.Add(-14 * time.Hour), Arrival: land}}},
				Baggage: []gangway.Allowance{{Pieces: 2, WeightKg: 23}},
				Terms: gangway.Terms{FareType: gangway.Marine, Cancellations: gangway.PaidCancel, CancelFee: usd(50),
					Changes: gangway.FreeChange},
			},
		}
		edit(&o)
		return o
	}
	mine := offer(func(o *flight.Offer) { o.ID, o.Price.Total = "mine", usd(600) })
	for _, tt := range []struct {
		name string
		edit func(*flight.Offer)
		want gangway.Money
	}{
		{"the same, but cheaper", func(*flight.Offer) {}, usd(400)},
		{"better rules", func(o *flight.Offer) {
			o.Terms.Cancellations, o.Terms.CancelFee = gangway.Refundable, gangway.Money{}
		}, usd(400)},
		{"non-refundable is not alike", func(o *flight.Offer) {
			o.Terms.Cancellations = gangway.NonRefundable
		}, usd(600)},
		{"nor what costs more to cancel", func(o *flight.Offer) { o.Terms.CancelFee = usd(51) }, usd(600)},
		{"nor what costs something to change", func(o *flight.Offer) {
			o.Terms.Changes, o.Terms.ChangeFee = gangway.PaidChange, usd(1)
		}, usd(600)},
		{"nor what takes less baggage", func(o *flight.Offer) { o.Baggage[0].Pieces = 1 }, usd(600)},
		{"nor lighter baggage", func(o *flight.Offer) { o.Baggage[0].WeightKg = 20 }, usd(600)},
		{"nor none on one of the flights", func(o *flight.Offer) {
			o.Baggage = append(o.Baggage, gangway.Allowance{})
		}, usd(600)},
		{"nor a public fare beside a marine one", func(o *flight.Offer) {
			o.Terms.FareType = gangway.Public
		}, usd(600)},
		{"nor what leaves less to spare", func(o *flight.Offer) {
			o.Itinerary.Segments[0].Arrival = land.Add(5 * time.Hour)
		}, usd(600)},
		{"nor what is late", func(o *flight.Offer) {
			o.Itinerary.Segments[0].Arrival = land.Add(20 * time.Hour)
		}, usd(600)},
		{"a few minutes do not matter", func(o *flight.Offer) {
			o.Itinerary.Segments[0].Arrival = land.Add(30 * time.Minute)
		}, usd(400)},
		{"another currency cannot be compared", func(o *flight.Offer) { o.Price.Total.Currency = "EUR" }, usd(600)},
		{"nor an airline that is not used", func(o *flight.Offer) {
			o.Itinerary.Segments[0].Operator = "QR"
		}, usd(600)},
		{"a higher price", func(o *flight.Offer) { o.Price.Total = usd(601) }, usd(600)},
	} {
		got := cheapestAlike([]flight.Offer{offer(tt.edit), mine}, gangway.Settings{Avoid: "QR"}, "mine", usd(600), m)
		if got != tt.want {
			t.Errorf("%s: cheapestAlike = %s; want %s", tt.name, got, tt.want)
		}
	}
	if got := cheapestAlike([]flight.Offer{mine}, gangway.Settings{}, "gone", usd(600), m); got != (gangway.Money{}) {
		t.Errorf("cheapestAlike of an unknown offer = %s; want nothing", got)
	}
	t.Run("an off-signer's flight is not compared with flights before the ship is in", func(t *testing.T) {
		m := gangway.SearchMember{Side: gangway.OffSigner, Legs: []gangway.Leg{{Origin: "AMS", Destination: "MNL",
			Date: "2026-12-01"}}}
		at := func(id string, price int64, hour int) flight.Offer {
			return offer(func(o *flight.Offer) {
				o.ID, o.Price.Total = id, usd(price)
				o.Itinerary.Segments[0].Departure = time.Date(2026, 12, 1, hour, 0, 0, 0, time.UTC)
			})
		}
		if got := cheapestAlike([]flight.Offer{at("early", 300, 7), at("mine", 500, 15)}, gangway.Settings{}, "mine",
			usd(500), m); got != usd(500) {
			t.Errorf("cheapestAlike = %s; want %s", got, usd(500))
		}
	})
}
