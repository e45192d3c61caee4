package flights

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
	"gangway/internal/web/app/shell"
)

func TestOfferRow(t *testing.T) {
	o := flight.Offer{
		ID: "o1",
		PricedItinerary: gangway.PricedItinerary{
			Itinerary: itinerarytest.ViaDubai(t),
			Price:     gangway.Price{Total: gangway.Money{Minor: 48200, Currency: "USD"}},
			Terms: gangway.Terms{FareType: gangway.Marine, Cancellations: gangway.Refundable,
				Changes: gangway.PaidChange, ChangeFee: gangway.Money{Minor: 5000, Currency: "USD"}},
		},
	}
	row := NewOfferRow(o, gangway.SearchMember{})
	if row.Stops != 1 || row.Duration != 19*time.Hour || !slices.Equal(row.Airlines, []string{"EK", "KL"}) {
		t.Errorf("row has %d stops, %s, %v; want 1, 19h, EK and KL", row.Stops, row.Duration, row.Airlines)
	}
	if got := row.Segments[1]; got.Wait != 105*time.Minute || got.Flight != "KL 428" || got.First {
		t.Errorf("second flight is %q after %s; want KL 428 after 1h45", got.Flight, got.Wait)
	}
	same, other := o, o
	same.ID, same.Price.Total.Minor = "another identifier", 50000
	other.Terms.Brand = "Flex"
	if plan.KeyOf(same) != row.Key || plan.KeyOf(other) == row.Key {
		t.Errorf("keys %s, %s and %s; want one for the same flights and fare, another for another fare", row.Key,
			plan.KeyOf(same), plan.KeyOf(other))
	}
	if n := len(plan.Weigh([]flight.Offer{o, same, other}, gangway.SearchMember{}, gangway.Plan{},
		gangway.Settings{})); n != 2 {
		t.Errorf("the same flights and fare twice make %d rows; want them shown once", n-1)
	}
}

func TestConnections(t *testing.T) {
	choice := func(changes ...gangway.Connection) plan.Choice {
		it := itinerarytest.ViaDubai(t)
		it.Connections = changes
		o := flight.Offer{PricedItinerary: gangway.PricedItinerary{Itinerary: it}}
		return plan.WeighOne(&o, gangway.SearchMember{})
	}
	tests := []struct {
		name    string
		choice  plan.Choice
		tight   bool
		risk    string
		filters string
	}{
		{"the supplier does not say", choice(), false, "", "safe"},
		{"time enough: 1 h 45 where 1 h 15 is the least", choice(gangway.Connection{Least: 75}), false, "", "safe"},
		{"less than half an hour more than the least", choice(gangway.Connection{Least: 76}), true,
			"tight (min. 1 h 16)", "tight"},
		{"no later flight", choice(gangway.Connection{Least: 60, Last: true}), false, "no later flight",
			"safe"},
		{"no later flight, and no time", choice(gangway.Connection{Least: 80, Last: true}), true,
			"tight (min. 1 h 20) · no later flight", "tight"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, row := &tt.choice, layOut(&tt.choice, gangway.SearchMember{})
			stop := row.Strip[0].Stops[0]
			if c.Tight != tt.tight || stop.Risk.Long != tt.risk || row.Segments[1].Risk.Long != tt.risk {
				t.Fatalf("tight %v, %q, %q; want %v, %q", c.Tight, stop.Risk, row.Segments[1].Risk, tt.tight, tt.risk)
			}
			var filter plan.Filter
			filter.Want(plan.Connections, tt.filters)
			filter.Want(plan.LongestLayover, "3")
			if c.Layover != 105*time.Minute || !filter.Keeps(c) {
				t.Errorf("longest layover %s, kept by %s and 3 h: %v", c.Layover, tt.filters, filter.Keeps(c))
			}
		})
	}
}

func TestWayByRoad(t *testing.T) {
	m := gangway.SearchMember{Legs: []gangway.Leg{{Origin: "MNL", Destination: "NLRTM", ArriveOn: "2026-12-02",
		ArriveBy: "12:00"}}}
	row := NewOfferRow(flight.Offer{PricedItinerary: gangway.PricedItinerary{Itinerary: itinerarytest.ViaDubai(t)}}, m)
	road := row.Strip[0].ToRoad
	if row.Strip[0].Day != "Tue 1" {
		t.Errorf("it leaves on %q; want Tue 1, where the arrival was asked for", row.Strip[0].Day)
	}
	if road.Words != shell.Duration(road.Takes)+" by road from AMS to the port of Rotterdam" ||
		road.Takes < time.Hour || road.Takes > 3*time.Hour {
		t.Errorf("road = %+v; want the way from AMS to the port of Rotterdam", road)
	}
	if row.Segments[1].ToRoad != road.Words || row.Segments[0].Road != "" {
		t.Errorf("segments = %q, %q; want it behind the last flight only", row.Segments[0].Road, row.Segments[1].ToRoad)
	}
	if want := 5*time.Hour + 50*time.Minute - road.Takes; row.Spare.Left != want {
		t.Errorf("time to spare = %s; want %s, the road counted", row.Spare.Left, want)
	}
}

func TestTwoClocks(t *testing.T) {
	price, seats := itinerarytest.At(t, "2026-11-20 23:59", 0), itinerarytest.At(t, "2026-11-25 12:00", 0)
	if list := holdTerms(seats, price); len(list) != 2 || list[0].Until != price || list[1].Until != seats {
		t.Errorf("terms = %+v; want the price until %s and the seats until %s", list, price, seats)
	}
	for _, one := range []time.Time{{}, seats} {
		if list := holdTerms(seats, one); len(list) != 1 || list[0].Until != seats {
			t.Errorf("terms = %+v; want both until %s", list, seats)
		}
	}
}

func TestBaggage(t *testing.T) {
	tests := []struct {
		name  string
		list  []gangway.Allowance
		short string
		words string
		least int
	}{
		{"not said", nil, "no bag", "No checked baggage is included.", 0},
		{"none", []gangway.Allowance{{Origin: "MNL", Destination: "AMS"}}, "no bag", "No checked baggage is included.",
			0},
		{"two pieces", []gangway.Allowance{{Pieces: 2, WeightKg: 23}}, "2 × 23 kg", "2 checked bags of 23 kg included.",
			2},
		{"weight not said", []gangway.Allowance{{Pieces: 1}}, "1 bag", "1 checked bag is included.", 1},
		{"by weight", []gangway.Allowance{{Pieces: 1, WeightKg: 40, ByWeight: true}}, "40 kg",
			"Checked baggage of 40 kg in all is included, at most 32 kg in each bag.", 2},
		{"by weight, no more than one bag", []gangway.Allowance{{Pieces: 1, WeightKg: 30, ByWeight: true}},
			"30 kg", "Checked baggage of 30 kg in all is included.", 1},
		{"the flight with the least counts", []gangway.Allowance{{Origin: "MNL", Destination: "AMS", Pieces: 2,
			WeightKg: 23}, {Origin: "AMS", Destination: "ABZ", Pieces: 1, WeightKg: 23}},
			"1 × 23 kg", "1 checked bag of 23 kg included on AMS to ABZ; more on other flights.", 1},
	}
	for _, tt := range tests {
		got := Baggage(tt.list)
		if got != (Bags{tt.short, tt.words, tt.least}) {
			t.Errorf("%s: baggage = %+v; want %q, %q, %d", tt.name, got, tt.short, tt.words, tt.least)
		}
	}
}

func TestFootprint(t *testing.T) {
	tests := []struct {
		name       string
		kg, median float64
		than       string
		class      string
	}{
		{"less", 500, 600, "−17 %", "good"},
		{"more", 660, 600, "+10 %", ""},
		{"much more", 720, 600, "+20 %", "watch"},
		{"a difference that the method cannot carry", 620, 600, "±0 %", ""},
		{"nothing to compare with", 600, 0, "", ""},
		{"not known", 0, 600, "", ""},
	}
	for _, tt := range tests {
		if got := Footprint(plan.Carbon{Kg: tt.kg, Median: tt.median}); got.Than != tt.than ||
			got.Class != tt.class {
			t.Errorf("%s: footprint(%v, %v) = %q %q; want %q %q", tt.name, tt.kg, tt.median, got.Than, got.Class,
				tt.than, tt.class)
		}
	}
}

// TestNearestWish holds that where no flight leaves exactly when it was wished, the
// nearest is marked and comes first, if it is near at all, until somebody chooses an order.
func TestNearestWish(t *testing.T) {
	at := func(hour, minute int) flight.Offer {
		it := itinerarytest.ViaDubai(t)
		d := it.Segments[0].Departure
		it.Segments = slices.Clone(it.Segments[:1])
		it.Segments[0].Departure = time.Date(d.Year(), d.Month(), d.Day(), hour, minute, 0, 0, d.Location())
		return flight.Offer{ID: it.Segments[0].Departure.Format("15:04"), PricedItinerary: gangway.PricedItinerary{
			Itinerary: it, Price: gangway.Price{Total: gangway.Money{Minor: int64(hour) * 1000, Currency: "USD"}},
		}}
	}
	offers := []flight.Offer{at(8, 0), at(13, 40), at(16, 30)}
	for wish, want := range map[string]string{"13:00": "13:40", "16:40": "16:30", "08:00": "", "10:50": "", "": ""} {
		m := gangway.SearchMember{Wishes: map[string]string{"MNL-DXB_departure_time": wish}}
		rows := readFilter(url.Values{"sort": {"price"}}).apply(plan.Weigh(offers, m, gangway.Plan{},
			gangway.Settings{}))
		if first := rows[0].Best().Offer.ID; first != "08:00" {
			t.Errorf("wished at %q: %s stands first by price; want the cheapest", wish, first)
		}
		unsorted := readFilter(nil).apply(plan.Weigh(offers, m, gangway.Plan{}, gangway.Settings{}))
		if first := unsorted[0].Best().Offer.ID; first != cmp.Or(want, "08:00") {
			t.Errorf("wished at %q: %s stands first; want %q", wish, first, want)
		}
		for _, f := range rows {
			near := strings.HasSuffix(layOut(f.Best(), m).Near, " from the time that was wished")
			if id := f.Best().Offer.ID; near != (id == want) {
				t.Errorf("wished at %q: %s is marked as nearest: %v; want %q marked", wish, id, near, want)
			}
		}
	}
}

// TestSpareWords holds how each grade is shown.
func TestSpareWords(t *testing.T) {
	for _, tt := range []struct {
		grade              plan.Grade
		left               time.Duration
		class, sign, words string
	}{
		{plan.Late, -10 * time.Minute, "act", "✕", "10 min late"},
		{plan.Critical, 5 * time.Hour, "act", "!", "5 h 00 buffer"},
		{plan.Short, 7 * time.Hour, "watch", "△", "7 h 00 buffer"},
		{plan.Ample, 14 * time.Hour, "good", "✓", "14 h 00 buffer"},
	} {
		got := SpareOf(plan.Spare{Grade: tt.grade, Left: tt.left}, gangway.Fit{})
		if got.Class != tt.class || got.Sign != tt.sign || got.Words != tt.words {
			t.Errorf("%s to spare is shown as %s %s %q; want %s %s %q", tt.left, got.Class, got.Sign, got.Words,
				tt.class, tt.sign, tt.words)
		}
	}
	if got := SpareOf(plan.Spare{Grade: plan.Misfit}, gangway.Fit{Unneeded: gangway.LeftOut}); got.Class != "act" ||
		got.Words != "removed from this crew change" || !got.Known() {
		t.Errorf("what does not fit is shown as %+v; want in what", got)
	}
}

func TestTerms(t *testing.T) {
	fee := gangway.Money{Minor: 7500, Currency: "USD"}
	tests := []struct {
		name  string
		terms gangway.Terms
		want  []string
	}{
		{"free", gangway.Terms{Cancellations: gangway.Refundable, Changes: gangway.FreeChange},
			[]string{"Fully refundable", "Free changes"}},
		{"for a fee", gangway.Terms{Cancellations: gangway.PaidCancel, CancelFee: fee, Changes: gangway.PaidChange,
			ChangeFee: fee, NoShow: "No-show fee USD 150.00."},
			[]string{"Cancellation fee USD 75.00", "Change fee USD 75.00", "No-show fee USD 150.00"}},
		{"a fee on a refundable fare is said", gangway.Terms{Cancellations: gangway.Refundable, CancelFee: fee},
			[]string{"Cancellation fee USD 75.00"}},
		{"neither", gangway.Terms{Cancellations: gangway.NonRefundable, Changes: gangway.NoChange},
			[]string{"Non-refundable", "No changes"}},
		{"two tickets", gangway.Terms{Splitting: true}, []string{"Two separate tickets"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			said := ""
			for _, s := range Terms(tt.terms, itinerarytest.ViaDubai(t)) {
				said += s.Words + "\n"
				if strings.HasSuffix(s.Words, ".") {
					t.Errorf("%q ends with a full stop, which the page writes", s.Words)
				}
			}
			for _, want := range tt.want {
				if !strings.Contains(said, want) {
					t.Errorf("the terms do not say %q:\n%s", want, said)
				}
			}
		})
	}
}

// TestFareRule holds in which few words a fare's row says what it allows.
func TestFareRule(t *testing.T) {
	usd, eur := gangway.Money{Minor: 2500, Currency: "USD"}, gangway.Money{Minor: 4050, Currency: "EUR"}
	for want, terms := range map[string]gangway.Terms{
		"refund":        {Cancellations: gangway.Refundable, Changes: gangway.NoChange},
		"refund −25":    {Cancellations: gangway.PaidCancel, CancelFee: usd},
		"fee EUR 40.50": {Cancellations: gangway.NonRefundable, Changes: gangway.PaidChange, ChangeFee: eur},
		"change free":   {Cancellations: gangway.NonRefundable, Changes: gangway.FreeChange},
		"fixed":         {Cancellations: gangway.NonRefundable, Changes: gangway.NoChange},
	} {
		if got := fareRule(terms, "USD"); got != want {
			t.Errorf("%+v is said to be %q; want %q", terms, got, want)
		}
	}
}

// sample is three offers that differ in everything that filters can select.
func sample(t *testing.T) []plan.Choice {
	usd := func(n int64) gangway.Price { return gangway.Price{Total: gangway.Money{Minor: n, Currency: "USD"}} }
	direct := gangway.Itinerary{Segments: []gangway.Segment{{Carrier: "KL", FlightNumber: "KL808", Origin: "MNL",
		Destination: "AMS", Departure: itinerarytest.At(t, "2026-12-01 09:00", 8), Arrival: itinerarytest.At(t,
			"2026-12-01 16:00", 1)}}}
	offers := []flight.Offer{
		{ID: "light", PricedItinerary: gangway.PricedItinerary{
			Itinerary: itinerarytest.ViaDubai(t), Price: usd(40000), Emissions: gangway.Emissions{CO2eKg: 700},
			Terms: gangway.Terms{FareType: gangway.Public, Brand: "Light", Cancellations: gangway.NonRefundable,
				Changes: gangway.NoChange},
		}},
		{ID: "marine", PricedItinerary: gangway.PricedItinerary{
			Itinerary: itinerarytest.ViaDubai(t), Price: usd(48200), Emissions: gangway.Emissions{CO2eKg: 700},
			Baggage: []gangway.Allowance{{Pieces: 2, WeightKg: 23}}, Terms: gangway.Terms{FareType: gangway.Marine},
		}},
		{ID: "direct", PricedItinerary: gangway.PricedItinerary{
			Itinerary: direct, Price: usd(90000), Emissions: gangway.Emissions{CO2eKg: 500},
			Baggage: []gangway.Allowance{{Pieces: 1, WeightKg: 23}},
			Terms:   gangway.Terms{FareType: gangway.Public, Brand: "Flex", Cancellations: gangway.PaidCancel},
		}},
	}
	return plan.Weigh(offers, gangway.SearchMember{Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS",
		ArriveOn: "2026-12-02", ArriveBy: "12:00"}}}, gangway.Plan{},
		gangway.Settings{Fares: gangway.FareRule{Bag: true}})
}

// TestOrderIsForAll holds that the flight that was asked for comes first until somebody chooses an order.
func TestOrderIsForAll(t *testing.T) {
	rows := sample(t)
	rows[2].Wished = true
	for order, first := range map[string]string{"": "direct", "price": "marine", "arrival": "direct"} {
		if got := readFilter(url.Values{"sort": {order}}).apply(rows); got[0].Best().Offer.ID != first {
			t.Errorf("by %s %s comes first; want %s", order, got[0].Best().Offer.ID, first)
		}
	}
}

func TestFilter(t *testing.T) {
	tests := []struct {
		name  string
		query string
		want  string // identifiers in order
	}{
		{"nothing asked", "", "marine light direct"},
		{"direct", "stops=0", "direct"},
		{"several of one kind are either", "stops=0&stops=1", "marine light direct"},
		{"several kinds are both", "stops=1&fare=public", "light"},
		{"refundable", "rule=refund", "marine direct"},
		{"price at most", "max=482", "marine light"},
		{"price at most, with cents", "max=481.99", "light"},
		{"a price that is none is not asked", "max=cheap", "marine light direct"},
		{"two bags", "bags=2", "marine"},
		{"leaves in the morning", "leave=06", "direct"},
		{"lands at night", "land=06&land=00", "marine light"},
		{"an airline of a connection", "airline=EK", "marine light"},
		{"less than the median", "co2=less", "marine light direct"},
		{"by arrival", "sort=arrival", "direct marine light"},
		{"by duration", "sort=duration", "direct marine light"},
		{"by time to spare", "sort=spare", "direct marine light"},
		{"an order that is none is by price", "sort=luck", "marine light direct"},
		{"a value that nobody has", "airline=XX", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := calltest.Must(url.ParseQuery(tt.query))(t)
			var got []string
			for _, f := range readFilter(q).apply(sample(t)) {
				for _, c := range f.Fares {
					got = append(got, c.Offer.ID)
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Fatalf("%s leaves %q; want %q", tt.query, got, tt.want)
			}
		})
	}
}

func TestFacets(t *testing.T) {
	count := func(query, name, value string) (n int, there bool) {
		q := calltest.Must(url.ParseQuery(query))(t)
		for _, f := range readFilter(q).facets(sample(t)) {
			for _, c := range f.Choices {
				if f.Name == name && c.Value == value {
					return c.Count, true
				}
			}
		}
		return 0, false
	}
	tests := []struct {
		name, query, facet, value string
		want                      int
		there                     bool
	}{
		{"each choice has its count: of flights, not of fares", "", "stops", "1", 1, true},
		{"a choice does not count against its own kind", "stops=0", "stops", "1", 1, true},
		{"other filters do", "fare=public", "stops", "1", 1, true},
		{"what others leave nothing of stays, at none", "fare=marine", "stops", "0", 0, true},
		{"a flight with two airlines counts for both", "", "airline", "EK", 1, true},
		{"a choice that was ticked stays to be unticked", "airline=XX", "airline", "XX", 0, true},
		{"where all are alike there is nothing to choose", "", "co2", "less", 0, false},
	}
	for _, tt := range tests {
		if n, there := count(tt.query, tt.facet, tt.value); n != tt.want || there != tt.there {
			t.Errorf("%s: %s=%s counts %d, shown %v; want %d, %v", tt.name, tt.facet, tt.value, n, there, tt.want,
				tt.there)
		}
	}
}
