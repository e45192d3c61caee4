package tariff_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
)

// The same rules hold for offers, over many pairs of airports and every day before departure, and
// nothing else changes a price.
func TestFaresOfOffers(t *testing.T) {
	n := open(t)
	pairs := 0
	for i, from := range simtest.Busy {
		to := simtest.Busy[(i+11)%len(simtest.Busy)]
		date := gangway.DateOf(simtest.Today).AddDays(120 + i)
		for _, o := range find(t, n, simtest.Fly(gangway.Place(from), gangway.Place(to), date)) {
			q := calltest.Must(n.QuoteOf(o.ID))(t)
			if q.Brand != tariff.Marine {
				continue
			}
			pairs++
			of := func(b *tariff.Brand, days int) int64 {
				q := q
				q.Brand, q.At = b, o.Itinerary.Departure().AddDate(0, 0, -days)
				return n.Offer(q).Price.Fare.Minor
			}
			before := map[*tariff.Brand]map[int]int64{tariff.Light: {}, tariff.Classic: {}, tariff.Marine: {},
				tariff.Flex: {}}
			for days := range 121 {
				l45, l, m, f := of(tariff.Light, 45), of(tariff.Light, days), of(tariff.Marine, days),
					of(tariff.Flex, days)
				if l45 >= m || m >= f || m*100 > f*80 || m*100 < f*55 || days <= 6 && m >= l {
					t.Fatalf("%s, %d days ahead: Light %d (%d at 45 days), Marine %d, Flex %d",
						o.ID, days, l, l45, m, f)
				}
				for b, prices := range before {
					p, a := of(b, days), tariff.Advance(days)
					if was, ok := prices[a]; ok && was != p {
						t.Fatalf("%s: %s costs %d and then %d, the same time ahead", o.ID, b.Name, was, p)
					}
					prices[a] = p
				}
			}
			break
		}
	}
	if pairs < len(simtest.Busy)/2 {
		t.Fatalf("only %d pairs have marine fares", pairs)
	}
}

// A flight gets dearer, step by step, as an account books it full.
func TestOwnBookingsMovePrices(t *testing.T) {
	n := open(t)
	for _, o := range find(t, n, simtest.Fly("LHR", "JFK", "2026-12-20")) {
		q := calltest.Must(n.QuoteOf(o.ID))(t)
		h, last := q.Journey[0].Hops[0], int64(0)
		levels := map[int64]bool{}
		for own := range n.Free(h, q.Cabin) + 1 {
			q.Own = []int{own, 0, 0, 0}[:q.Journey[0].N]
			p := n.Offer(q)
			if p.Price.Total.Minor < last || p.SeatsLeft > n.Free(h, q.Cabin)-own {
				t.Fatalf("%s: %s and %d seats left with %d own of %d",
					p.ID, p.Price.Total, p.SeatsLeft, own, n.Free(h, q.Cabin))
			}
			last = p.Price.Total.Minor
			levels[last] = true
		}
		if q.Journey[0].N == 1 && n.Demand(h, q.Cabin, 0) < 3 && len(levels) < 3 {
			t.Errorf("%s: %d prices from half empty to full; want several", o.ID, len(levels))
		}
	}
}

// Real offers have the rules of their brands.
func TestBrands(t *testing.T) {
	n := open(t)
	offers := find(t, n, simtest.Fly("MNL", "AMS", "2026-12-20"))
	byBrand := map[string][]flight.Offer{}
	for _, o := range offers {
		byBrand[o.Terms.Brand] = append(byBrand[o.Terms.Brand], o)
		if o.Price.Fare.Minor%100 != 0 || o.Price.Total != o.Price.Fare.Add(o.Price.Taxes) || o.SeatsLeft < 1 ||
			o.SeatsLeft > 9 {
			t.Errorf("%s: price %+v, %d seats", o.ID, o.Price, o.SeatsLeft)
		}
		kg, kgRF := 0.0, 0.0
		for _, seg := range o.Itinerary.Segments {
			kg, kgRF = kg+seg.CO2eKg, kgRF+seg.CO2eRFKg
		}
		if math.Abs(kg-o.Emissions.CO2eKg) > 0.5 || math.Abs(kgRF-o.Emissions.CO2eRFKg) > 0.5 ||
			o.Emissions.Method != "desnz" {
			t.Errorf("%s: segments of %.1f and %.1f kg make %+v", o.ID, kg, kgRF, o.Emissions)
		}
		if o.Emissions.CO2eKg < 400 || o.Emissions.CO2eRFKg < o.Emissions.CO2eKg ||
			o.Emissions.FactorSet != "desnz-2025" {
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
		byFee   bool // some airlines charge a fee instead
		perKilo bool // some airlines allow kilograms instead
	}{
		{brand: "Light", fare: gangway.Public, cancel: gangway.NonRefundable, change: gangway.NoChange},
		{brand: "Classic", fare: gangway.Public, cancel: gangway.NonRefundable, change: gangway.PaidChange,
			pieces: 1, holds: 24 * time.Hour},
		{brand: "Flex", fare: gangway.Public, cancel: gangway.Refundable, change: gangway.FreeChange, pieces: 2,
			holds: 72 * time.Hour},
		{brand: "Marine", fare: gangway.Marine, cancel: gangway.Refundable, change: gangway.FreeChange, pieces: 2,
			holds: 72 * time.Hour, byFee: true, perKilo: true},
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
			if terms.Cancellations != tt.cancel &&
				!(tt.byFee && terms.Cancellations == gangway.PaidCancel && terms.CancelFee.Minor >= 2500) {
				t.Errorf("%s on %s: %s, fee %s; want %s",
					tt.brand, o.Plating, terms.Cancellations, terms.CancelFee, tt.cancel)
			}
			if terms.Changes != tt.change && !(tt.byFee && terms.Changes == gangway.PaidChange &&
				terms.ChangeFee.Minor >= 2500) {
				t.Errorf("%s on %s: %s, fee %s; want %s",
					tt.brand, o.Plating, terms.Changes, terms.ChangeFee, tt.change)
			}
			if bag.Pieces != tt.pieces && !(tt.perKilo && bag.Pieces == 1 && bag.WeightKg == 40 && bag.ByWeight) {
				t.Errorf("%s on %s: %d bags; want %d", tt.brand, o.Plating, bag.Pieces, tt.pieces)
			}
			if want := simtest.Today.Add(tt.holds); tt.holds > 0 && !o.TicketBy.Equal(want) || tt.holds == 0 &&
				!o.TicketBy.IsZero() {
				t.Errorf("%s: ticket by %s; want %s after %s", tt.brand, o.TicketBy, tt.holds, simtest.Today)
			}
		}
	}
	t.Run("an allowance in kilograms is for all bags, and never to or from America", func(t *testing.T) {
		seen := map[bool]int{}
		for _, leg := range []gangway.Leg{{Origin: "MNL", Destination: "DXB", Date: "2026-12-20"},
			{Origin: "DXB", Destination: "IAH", Date: "2026-12-20"},
			{Origin: "GRU", Destination: "DXB", Date: "2026-12-20"}} {
			for _, o := range find(t, n, simtest.Crew(leg)) {
				if o.Plating != "EK" || o.Terms.FareType != gangway.Marine {
					continue
				}
				kilograms := leg.Origin == "MNL"
				seen[kilograms]++
				want := gangway.Allowance{Origin: gangway.Airport(leg.Origin),
					Destination: gangway.Airport(leg.Destination), Pieces: 2, WeightKg: 23}
				if kilograms {
					want.Pieces, want.WeightKg, want.ByWeight = 1, 40, true
				}
				if o.Baggage[0] != want {
					t.Errorf("%s-%s: %+v; want %+v", leg.Origin, leg.Destination, o.Baggage[0], want)
				}
			}
		}
		if seen[true] == 0 || seen[false] == 0 {
			t.Errorf("offers of Emirates' marine fare by whether they allow kilograms: %v", seen)
		}
	})
	t.Run("low-cost airlines have no marine fares", func(t *testing.T) {
		for _, o := range find(t, n, simtest.Fly("STN", "DUB", "2026-12-20")) {
			if o.Terms.FareType == gangway.Marine && o.Plating == "FR" {
				t.Errorf("%s is marine", o.ID)
			}
		}
	})
}

// An offer's id gives the offer as it was made, or is refused: it never crashes, and never gives flights
// that do not connect.
func TestOfferIdentifiers(t *testing.T) {
	n := open(t)
	offers := find(t, n, simtest.Crew(gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-20"},
		gangway.Leg{Origin: "AMS", Destination: "BGO", Date: "2026-12-21"}))
	if len(offers) == 0 {
		t.Fatal("nothing found")
	}
	rapid.Check(t, func(t *rapid.T) {
		id := []byte(rapid.SampledFrom(offers).Draw(t, "offer").ID)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			id[rapid.IntRange(0, len(id)-1).Draw(t, "at")] = byte(rapid.IntRange(32, 126).Draw(t, "by"))
		}
		q, err := n.QuoteOf(string(id))
		if err != nil {
			if gangway.KindOf(err) != gangway.NotFound {
				t.Fatalf("quoteOf(%q) = %v; want NotFound", id, err)
			}
			return
		}
		wantFlyable(t, n, n.Offer(q))
	})
	for _, id := range []string{"", "-", "sm-y-1", "sm-y-0-", "sq-y-1-KL1.20000",
		"sm-y-zzzzzzzzzzzzzzzzz-KL1.20000", "sm-y-1-KL1", "sm-y-1-KLX.1"} {
		if _, err := n.QuoteOf(id); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("quoteOf(%q) = %v; want NotFound", id, err)
		}
	}
}

// Prices are the same in every currency, and no cent is lost.
func TestCurrency(t *testing.T) {
	n := open(t)
	ask := simtest.Fly("MNL", "AMS", "2026-12-20")
	dollars := find(t, n, ask)
	if len(dollars) == 0 {
		t.Fatal("nothing found")
	}
	for currency := range tariff.Rates {
		ask.Currency = currency
		offers := find(t, n, ask)
		if len(offers) != len(dollars) {
			t.Fatalf("%d offers in %s; want %d", len(offers), currency, len(dollars))
		}
		for i, o := range offers {
			want := tariff.InCurrency(int(dollars[i].Price.Total.Minor), currency)
			if p := o.Price; p.Total != want || p.Fare.Add(p.Taxes) != p.Total || p.Fare.Currency != currency ||
				p.Taxes.Currency != currency {
				t.Fatalf("%s costs %+v; want %s in total", o.ID, p, want)
			}
			if fee := dollars[i].Terms.ChangeFee; !fee.IsZero() &&
				o.Terms.ChangeFee != tariff.InCurrency(int(fee.Minor), currency) {
				t.Fatalf("%s: change fee %s; want %s in %s", o.ID, o.Terms.ChangeFee, fee, currency)
			}
			q, err := n.QuoteOf(o.ID)
			if err != nil || n.Offer(q).Price != o.Price {
				t.Fatalf("%s read again: %v", o.ID, err)
			}
		}
	}
	for _, unknown := range []string{"XYZ", "eur", "-"} {
		ask.Currency = unknown
		if o := find(t, n, ask)[0]; o.Price.Total.Currency != "USD" {
			t.Errorf("asked for %s: %s; want dollars", unknown, o.Price.Total)
		}
	}
}
