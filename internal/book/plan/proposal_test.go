package plan

import (
	"slices"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
)

// sample is three choices that differ in everything that is graded.
func sample(t *testing.T) []Choice {
	usd := func(n int64) gangway.Price { return gangway.Price{Total: gangway.Money{Minor: n, Currency: "USD"}} }
	direct := gangway.Itinerary{Segments: []gangway.Segment{{Carrier: "KL", FlightNumber: "KL808", Origin: "MNL",
		Destination: "AMS", Departure: itinerarytest.At(t, "2026-12-01 09:00", 8), Arrival: itinerarytest.At(t,
			"2026-12-01 16:00", 1)}}}
	offers := []flight.Offer{
		{ID: "light", PricedItinerary: gangway.PricedItinerary{
			Itinerary: itinerarytest.ViaDubai(t), Price: usd(40000),
			Terms: gangway.Terms{FareType: gangway.Public, Brand: "Light", Cancellations: gangway.NonRefundable,
				Changes: gangway.NoChange},
		}},
		{ID: "marine", PricedItinerary: gangway.PricedItinerary{
			Itinerary: itinerarytest.ViaDubai(t), Price: usd(48200),
			Terms: gangway.Terms{FareType: gangway.Marine},
		}},
		{ID: "direct", PricedItinerary: gangway.PricedItinerary{
			Itinerary: direct, Price: usd(90000),
			Terms: gangway.Terms{FareType: gangway.Public, Brand: "Flex", Cancellations: gangway.PaidCancel},
		}},
	}
	m := gangway.SearchMember{Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-02",
		ArriveBy: "12:00"}}}
	return Weigh(offers, m, gangway.Plan{}, gangway.Settings{})
}

func TestProposal(t *testing.T) {
	rows := sample(t)
	late := func(rows []Choice, ids ...string) []Choice {
		out := slices.Clone(rows)
		for i := range out {
			if slices.Contains(ids, out[i].Offer.ID) {
				out[i].Spare = Spare{Grade: Late, Left: -time.Hour, Until: itinerarytest.At(t, "2026-12-02 12:00", 1)}
			}
		}
		return out
	}
	wish := slices.Clone(rows)
	wish[2].Wished = true
	barred := slices.Clone(rows)
	barred[1].Bar.Unmet.Bag, barred[2].Bar.Avoided = true, "KL"
	tight := func(other int64) []Choice { // the light fare of 400 is, the marine one is not
		out := late(rows, "direct")
		marine := *out[1].Offer
		marine.Price.Total.Minor = other
		out[0].Spare, out[0].Tight = Spare{}, true
		out[1].Spare, out[1].Offer, out[1].Refundable = Spare{}, &marine, false
		return out
	}
	morning := slices.Clone(rows)
	for i := range morning {
		morning[i].Spare, morning[i].Early = Spare{}, morning[i].Offer.ID == "light"
	}
	shorter := func(other int64) []Choice { // the direct flight costs other, and the one of 20 h with a stop 400
		out := slices.Clone(rows)
		direct := *out[2].Offer
		direct.Price.Total.Minor = other
		out[2].Offer, out[2].Refundable, out[0].Takes = &direct, false, 20*time.Hour
		for i := range out {
			out[i].Spare = Spare{}
		}
		return slices.Delete(out, 1, 2)
	}
	far := shorter(45300)
	far[1].Ground = 3 * time.Hour
	near := slices.Clone(rows)
	for i := range near {
		near[i].Road = time.Hour
	}
	tests := []struct {
		name   string
		rows   []Choice
		chosen string
		fare   gangway.FareType // the only one that the filter lets through
		want   string
	}{
		{"time to spare counts for more than money", rows, "", "", "direct"},
		{"of those equally late, a changeable one if it costs little more", late(rows, "light", "marine",
			"direct"), "", "", "marine"},
		{"a chosen flight stays", rows, rows[0].Key, "", "light"},
		{"… whatever the filters say", rows, rows[0].Key, gangway.Marine, "light"},
		{"filters narrow what is proposed", rows, "", gangway.Marine, "marine"},
		{"what the company asked for comes first", late(wish, "direct"), "", "", "direct"},
		{"an off-signer does not leave before the ship is in", morning, "", "", "marine"},
		{"what crew may not use is never proposed", late(barred, "light"), "", "", "light"},
		{"… but a chosen flight stays", barred, rows[1].Key, "", "marine"},
		{"a tight connection does not save a tenth", tight(43900), "", "", "marine"},
		{"… but more than that", tight(44100), "", "", "light"},
		{"a journey of 14 h without a stop may cost a little more", shorter(45300), "", "", "direct"},
		{"… but not more than that", shorter(45400), "", "", "light"},
		{"… with the way by road", far, "", "", "light"},
		{"nobody flies where the road is short", near, "", "", ""},
		{"nothing is left", rows, "", "none", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			i, ok := Proposal(tt.rows, tt.chosen, func(c *Choice) bool {
				return tt.fare == "" || c.Offer.Terms.FareType == tt.fare
			})
			if ok {
				got = tt.rows[i].Offer.ID
			}
			if got != tt.want {
				t.Fatalf("Proposal = %q; want %q", got, tt.want)
			}
		})
	}
}

// TestProposalFits checks that flights which do not fit the plan are not proposed.
func TestProposalFits(t *testing.T) {
	rows := sample(t)
	rows[2].Fit.Place = "SIN"
	if i, ok := Proposal(rows, "", func(*Choice) bool { return true }); !ok || i == 2 {
		t.Errorf("Proposal = %d, %v; want one that fits", i, ok)
	}
	for i := range rows {
		rows[i].Fit.Place = "SIN"
	}
	if i, ok := Proposal(rows, "", func(*Choice) bool { return true }); ok {
		t.Errorf("Proposal = %d; want none where none fits", i)
	}
}

func TestEarly(t *testing.T) {
	off := gangway.SearchMember{Side: gangway.OffSigner, Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS",
		Date: "2026-12-01"}}}
	on, later, hurried := off, off, off
	on.Side = gangway.OnSigner
	later.Legs = []gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-01", LeaveAfter: "06:00"}}
	hurried.Legs = []gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-01", LeaveAfter: "09:00"}}
	it := itinerarytest.ViaDubai(t)
	it.Segments[0].Departure = it.Segments[0].Departure.Add(-8 * time.Hour) // 10:10
	for _, tt := range []struct {
		name string
		it   gangway.Itinerary
		m    gangway.SearchMember
		want bool
	}{
		{"an off-signer in the morning", it, off, true}, {"in the evening", itinerarytest.ViaDubai(t), off, false},
		{"an on-signer", it, on, false}, {"when the earliest time is known", it, later, false},
		{"without the time to check in", it, hurried, true},
	} {
		if got := leavesTooSoon(tt.it, tt.m); got != tt.want {
			t.Errorf("%s: %v; want %v", tt.name, got, tt.want)
		}
	}
}
