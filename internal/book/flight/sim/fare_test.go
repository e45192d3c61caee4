package sim

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway"
	"gangway/internal/book/flight"
)

// TestFareModel holds the model's sample fares, in dollars, before demand,
// airline, season and surcharge.
func TestFareModel(t *testing.T) {
	tests := []struct {
		km, stops                                  int
		light45, flex45, classic10, light2, marine int
	}{
		{341, 0, 61, 109, 104, 116, 87},
		{2182, 0, 184, 327, 312, 348, 261},
		{6906, 0, 341, 606, 577, 643, 482},
		{9479, 1, 370, 659, 627, 699, 524},
		{10413, 1, 397, 706, 673, 750, 563},
		{14414, 1, 512, 911, 868, 968, 726},
	}
	for _, tt := range tests {
		for _, c := range []struct {
			brand      *brand
			days, want int
		}{{light, 45, tt.light45}, {flex, 45, tt.flex45}, {classic, 10, tt.classic10}, {light, 2, tt.light2}, {marine, 2, tt.marine}, {marine, 90, tt.marine}} {
			cents := base(tt.km) * stopsMille[tt.stops] / 1000 * c.brand.mille(advance(c.days), 1000) / 1000
			if got := float64(cents) / 100; math.Abs(got-float64(c.want)) > 1 {
				t.Errorf("%s, %d km, %d days ahead: %.2f; want %d", c.brand.name, tt.km, c.days, got, c.want)
			}
		}
	}
}

// TestFareInvariants holds what is always true of the brands' fares.
func TestFareInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.IntRange(0, 355).Draw(t, "days")
		d := rapid.SampledFrom(demands[:]).Draw(t, "demand").mille
		km := rapid.IntRange(90, 16_000).Draw(t, "km")
		of := func(b *brand, days int) int { return base(km) * b.mille(advance(days), d) / 1000 }
		if l, m, f := of(light, 45), of(marine, days), of(flex, days); l >= m || m >= f {
			t.Fatalf("Light at 45 days %d, Marine %d, Flex %d; want them in this order", l, m, f)
		}
		if m, f := of(marine, days), of(flex, days); m*100 > f*80 || m*100 < f*55 {
			t.Fatalf("Marine %d, Flex %d, %d days ahead; want Marine 20 to 45 %% below", m, f, days)
		}
		if days <= 6 && of(marine, days) >= of(light, days) {
			t.Fatalf("Marine %d, Light %d, %d days ahead; want Marine below", of(marine, days), of(light, days), days)
		}
		if of(marine, days) != of(marine, 0) {
			t.Fatal("a marine fare depends on the days ahead")
		}
	})
}

// TestFaresOfOffers holds the same of offers, over many pairs of airports and
// every day before departure, and that nothing else moves a price.
func TestFaresOfOffers(t *testing.T) {
	n := network(t)
	pairs := 0
	for i, from := range busy {
		to := busy[(i+11)%len(busy)]
		date := gangway.DateOf(today).AddDays(120 + i)
		for _, o := range find(t, n, crew(gangway.Leg{Origin: gangway.Place(from), Destination: gangway.Place(to), Date: date})) {
			q, err := n.quoteOf(o.ID)
			if err != nil {
				t.Fatal(err)
			}
			if q.brand != marine {
				continue
			}
			pairs++
			of := func(b *brand, days int) int64 {
				q := q
				q.brand, q.at = b, o.Itinerary.Departure().AddDate(0, 0, -days)
				return n.offer(q).Price.Fare.Minor
			}
			before := map[*brand]map[int]int64{light: {}, classic: {}, marine: {}, flex: {}}
			for days := range 121 {
				l45, l, m, f := of(light, 45), of(light, days), of(marine, days), of(flex, days)
				if l45 >= m || m >= f || m*100 > f*80 || m*100 < f*55 || days <= 6 && m >= l {
					t.Fatalf("%s, %d days ahead: Light %d (%d at 45 days), Marine %d, Flex %d", o.ID, days, l, l45, m, f)
				}
				for b, prices := range before {
					p, a := of(b, days), advance(days)
					if was, ok := prices[a]; ok && was != p {
						t.Fatalf("%s: %s costs %d and then %d, the same time ahead", o.ID, b.name, was, p)
					}
					prices[a] = p
				}
			}
			break
		}
	}
	if pairs < len(busy)/2 {
		t.Fatalf("only %d pairs have marine fares", pairs)
	}
}

// TestOwnBookingsMovePrices holds that a flight gets dearer, bucket by bucket,
// as an account books it full.
func TestOwnBookingsMovePrices(t *testing.T) {
	n := network(t)
	for _, o := range find(t, n, crew(gangway.Leg{Origin: "LHR", Destination: "JFK", Date: "2026-12-20"})) {
		q, err := n.quoteOf(o.ID)
		if err != nil {
			t.Fatal(err)
		}
		h, last := q.journey[0].hops[0], int64(0)
		levels := map[int64]bool{}
		for own := range n.free(h, q.cabin) + 1 {
			q.own = []int{own, 0, 0, 0}[:q.journey[0].n]
			p := n.offer(q)
			if p.Price.Total.Minor < last || p.SeatsLeft > n.free(h, q.cabin)-own {
				t.Fatalf("%s: %s and %d seats left with %d own of %d", p.ID, p.Price.Total, p.SeatsLeft, own, n.free(h, q.cabin))
			}
			last = p.Price.Total.Minor
			levels[last] = true
		}
		if q.journey[0].n == 1 && n.demand(h, q.cabin, 0) < 3 && len(levels) < 3 {
			t.Errorf("%s: %d prices from half empty to full; want several", o.ID, len(levels))
		}
	}
}

// TestBrands holds what the brands allow, on real offers.
func TestBrands(t *testing.T) {
	n := network(t)
	offers := find(t, n, crew(gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-20"}))
	byBrand := map[string][]flight.Offer{}
	for _, o := range offers {
		byBrand[o.Terms.Brand] = append(byBrand[o.Terms.Brand], o)
		if o.Price.Fare.Minor%100 != 0 || o.Price.Total != o.Price.Fare.Add(o.Price.Taxes) || o.SeatsLeft < 1 || o.SeatsLeft > 9 {
			t.Errorf("%s: price %+v, %d seats", o.ID, o.Price, o.SeatsLeft)
		}
		kg, kgRF := 0.0, 0.0
		for _, seg := range o.Itinerary.Segments {
			kg, kgRF = kg+seg.CO2eKg, kgRF+seg.CO2eRFKg
		}
		if math.Abs(kg-o.Emissions.CO2eKg) > 0.5 || math.Abs(kgRF-o.Emissions.CO2eRFKg) > 0.5 || o.Emissions.Method != "desnz" {
			t.Errorf("%s: segments of %.1f and %.1f kg make %+v", o.ID, kg, kgRF, o.Emissions)
		}
		if o.Emissions.CO2eKg < 400 || o.Emissions.CO2eRFKg < o.Emissions.CO2eKg || o.Emissions.FactorSet != "desnz-2025" {
			t.Errorf("%s: emissions %+v", o.ID, o.Emissions)
		}
	}
	tests := []struct {
		brand   string
		fare    gangway.FareType
		cancel  gangway.CancelRule
		change  gangway.ChangeRule
		pieces  int
		holds   time.Duration
		byFee   bool // some airlines ask a fee instead
		perKilo bool // some airlines count kilograms instead
	}{
		{brand: "Light", fare: gangway.Public, cancel: gangway.NonRefundable, change: gangway.NoChange},
		{brand: "Classic", fare: gangway.Public, cancel: gangway.NonRefundable, change: gangway.PaidChange, pieces: 1, holds: 24 * time.Hour},
		{brand: "Flex", fare: gangway.Public, cancel: gangway.Refundable, change: gangway.FreeChange, pieces: 2, holds: 72 * time.Hour},
		{brand: "Marine", fare: gangway.Marine, cancel: gangway.Refundable, change: gangway.FreeChange, pieces: 2, holds: 72 * time.Hour, byFee: true, perKilo: true},
	}
	for _, tt := range tests {
		if len(byBrand[tt.brand]) == 0 {
			t.Errorf("no %s offers", tt.brand)
		}
		for _, o := range byBrand[tt.brand] {
			terms, bag := o.Terms, o.Baggage[0]
			if terms.FareType != tt.fare || terms.NoShow == "" {
				t.Errorf("%s: terms %+v", tt.brand, terms)
			}
			if terms.Cancellations != tt.cancel && !(tt.byFee && terms.Cancellations == gangway.PaidCancel && terms.CancelFee.Minor >= 2500) {
				t.Errorf("%s on %s: %s, fee %s; want %s", tt.brand, o.Plating, terms.Cancellations, terms.CancelFee, tt.cancel)
			}
			if terms.Changes != tt.change && !(tt.byFee && terms.Changes == gangway.PaidChange && terms.ChangeFee.Minor >= 2500) {
				t.Errorf("%s on %s: %s, fee %s; want %s", tt.brand, o.Plating, terms.Changes, terms.ChangeFee, tt.change)
			}
			if bag.Pieces != tt.pieces && !(tt.perKilo && bag.Pieces == 1 && bag.WeightKg == 40 && bag.ByWeight) {
				t.Errorf("%s on %s: %d bags; want %d", tt.brand, o.Plating, bag.Pieces, tt.pieces)
			}
			if want := today.Add(tt.holds); tt.holds > 0 && !o.TicketBy.Equal(want) || tt.holds == 0 && !o.TicketBy.IsZero() {
				t.Errorf("%s: ticket by %s; want %s after %s", tt.brand, o.TicketBy, tt.holds, today)
			}
		}
	}
	t.Run("where kilograms are counted they are for all bags, and never to or from America", func(t *testing.T) {
		seen := map[bool]int{}
		for _, leg := range []gangway.Leg{{Origin: "MNL", Destination: "DXB", Date: "2026-12-20"}, {Origin: "DXB", Destination: "IAH", Date: "2026-12-20"}, {Origin: "GRU", Destination: "DXB", Date: "2026-12-20"}} {
			for _, o := range find(t, n, crew(leg)) {
				if o.Plating != "EK" || o.Terms.FareType != gangway.Marine {
					continue
				}
				kilograms := leg.Origin == "MNL"
				seen[kilograms]++
				want := gangway.Allowance{Origin: gangway.Airport(leg.Origin), Destination: gangway.Airport(leg.Destination), Pieces: 2, WeightKg: 23}
				if kilograms {
					want.Pieces, want.WeightKg, want.ByWeight = 1, 40, true
				}
				if o.Baggage[0] != want {
					t.Errorf("%s-%s: %+v; want %+v", leg.Origin, leg.Destination, o.Baggage[0], want)
				}
			}
		}
		if seen[true] == 0 || seen[false] == 0 {
			t.Errorf("offers of Emirates' marine fare by whether they count kilograms: %v", seen)
		}
	})
	t.Run("low-cost airlines have no marine fares", func(t *testing.T) {
		for _, o := range find(t, n, crew(gangway.Leg{Origin: "STN", Destination: "DUB", Date: "2026-12-20"})) {
			if o.Terms.FareType == gangway.Marine && o.Plating == "FR" {
				t.Errorf("%s is marine", o.ID)
			}
		}
	})
}

func TestTicketBy(t *testing.T) {
	tests := []struct {
		brand *brand
		ahead time.Duration // of departure
		want  time.Duration // from now
	}{
		{light, 30 * 24 * time.Hour, 30 * time.Minute}, {light, 2 * time.Hour, 30 * time.Minute},
		{classic, 30 * 24 * time.Hour, 24 * time.Hour}, {classic, 40 * time.Hour, 16 * time.Hour},
		{marine, 30 * 24 * time.Hour, 72 * time.Hour}, {marine, 80 * time.Hour, 56 * time.Hour},
		{marine, 20 * time.Hour, 2 * time.Hour}, {flex, 25 * time.Hour, 2 * time.Hour}, {flex, 2 * time.Hour, time.Hour},
	}
	for _, tt := range tests {
		if got := tt.brand.ticketBy(today, today.Add(tt.ahead)).Sub(today); got != tt.want {
			t.Errorf("%s, %s before departure: held for %s; want %s", tt.brand.name, tt.ahead, got, tt.want)
		}
	}
}

// TestOfferIdentifiers holds that an identifier is either an offer as it was
// made, or refused: never a crash, and never flights that do not connect.
func TestOfferIdentifiers(t *testing.T) {
	n := network(t)
	offers := find(t, n, crew(gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-20"}, gangway.Leg{Origin: "AMS", Destination: "BGO", Date: "2026-12-21"}))
	if len(offers) == 0 {
		t.Fatal("nothing found")
	}
	rapid.Check(t, func(t *rapid.T) {
		id := []byte(rapid.SampledFrom(offers).Draw(t, "offer").ID)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			id[rapid.IntRange(0, len(id)-1).Draw(t, "at")] = byte(rapid.IntRange(32, 126).Draw(t, "by"))
		}
		q, err := n.quoteOf(string(id))
		if err != nil {
			if gangway.KindOf(err) != gangway.NotFound {
				t.Fatalf("quoteOf(%q) = %v; want NotFound", id, err)
			}
			return
		}
		wantSound(t, n, n.offer(q))
	})
	for _, id := range []string{"", "-", "sm-y-1", "sm-y-0-", "sq-y-1-KL1.20000", "sm-y-zzzzzzzzzzzzzzzzz-KL1.20000", "sm-y-1-KL1", "sm-y-1-KLX.1"} {
		if _, err := n.quoteOf(id); gangway.KindOf(err) != gangway.NotFound || err == nil {
			t.Errorf("quoteOf(%q) = %v; want NotFound", id, err)
		}
	}
}
