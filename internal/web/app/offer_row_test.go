package app

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// at is an instant with the offset of the airport, in hours.
func at(t *testing.T, local string, hours int) time.Time {
	t.Helper()
	got, err := time.ParseInLocation("2006-01-02 15:04", local, time.FixedZone("", hours*3600))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// viaDubai is a flight from Manila to Amsterdam with a change in Dubai.
func viaDubai(t *testing.T) gangway.Itinerary {
	return gangway.Itinerary{Segments: []gangway.Segment{
		{Carrier: "EK", FlightNumber: "EK333", Origin: "MNL", Destination: "DXB", Departure: at(t, "2026-12-01 18:10", 8), Arrival: at(t, "2026-12-01 23:45", 4), Cabin: gangway.Economy},
		{Carrier: "KL", FlightNumber: "KL428", Origin: "DXB", Destination: "AMS", Departure: at(t, "2026-12-02 01:30", 4), Arrival: at(t, "2026-12-02 06:10", 1), Cabin: gangway.Economy},
	}}
}

func TestOfferRow(t *testing.T) {
	o := flight.Offer{
		ID: "o1", Itinerary: viaDubai(t), Price: gangway.Price{Total: gangway.Money{Minor: 48200, Currency: "USD"}},
		Terms: gangway.Terms{FareType: gangway.Marine, Cancellations: gangway.Refundable, Changes: gangway.PaidChange, ChangeFee: gangway.Money{Minor: 5000, Currency: "USD"}},
	}
	row := newOfferRow(o, gangway.SearchMember{})
	if row.Stops != 1 || row.Duration != 19*time.Hour || !slices.Equal(row.Airlines, []string{"EK", "KL"}) {
		t.Errorf("row has %d stops, %s, %v; want 1, 19h, EK and KL", row.Stops, row.Duration, row.Airlines)
	}
	if got := row.Segments[1]; got.Wait != 105*time.Minute || got.Flight != "KL 428" || got.First {
		t.Errorf("second flight is %q after %s; want KL 428 after 1h45", got.Flight, got.Wait)
	}
	same, other := o, o
	same.ID, same.Price.Total.Minor = "another identifier", 50000
	other.Terms.Brand = "Flex"
	if offerKey(same) != row.Key || offerKey(other) == row.Key {
		t.Errorf("keys %s, %s and %s; want one for the same flights and fare, another for another fare", row.Key, offerKey(same), offerKey(other))
	}
	if n := len(offerRows([]flight.Offer{o, same, other}, gangway.SearchMember{}, false)); n != 2 {
		t.Errorf("the same flights and fare twice make %d rows; want them shown once", n-1)
	}
}

func TestConnections(t *testing.T) {
	row := func(changes ...gangway.Connection) offerRow {
		it := viaDubai(t)
		it.Connections = changes
		return newOfferRow(flight.Offer{Itinerary: it}, gangway.SearchMember{})
	}
	tests := []struct {
		name    string
		row     offerRow
		tight   bool
		risk    string
		filters string
	}{
		{"the supplier does not say", row(), false, "", "safe"},
		{"time enough: 1 h 45 where 1 h 15 is the least", row(gangway.Connection{Least: 75}), false, "", "safe"},
		{"less than half an hour more than the least", row(gangway.Connection{Least: 76}), true, "tight: changing takes at least 1 h 16", "tight"},
		{"no later flight", row(gangway.Connection{Least: 60, Last: true}), false, "the last flight of the day", "safe"},
		{"no later flight, and no time", row(gangway.Connection{Least: 80, Last: true}), true, "tight: changing takes at least 1 h 20; the last flight of the day", "tight"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stop := tt.row.Strip[0].Stops[0]
			if tt.row.Tight != tt.tight || stop.Risk != tt.risk || tt.row.Segments[1].Risk != tt.risk || connection(tt.row) != tt.filters {
				t.Fatalf("tight %v, %q, %q, filter %s; want %v, %q", tt.row.Tight, stop.Risk, tt.row.Segments[1].Risk, connection(tt.row), tt.tight, tt.risk)
			}
			if tt.row.Layover != 105*time.Minute || layover(tt.row) != "3" {
				t.Errorf("longest layover %s, filter %s; want 1h45, up to 3 h", tt.row.Layover, layover(tt.row))
			}
		})
	}
}

// TestConnectionsOfBookings holds that a crew change's row and a change that
// waits say of flights what the list of offers said of them.
func TestConnectionsOfBookings(t *testing.T) {
	const risk = "tight: changing takes at least 1 h 20"
	it := viaDubai(t)
	it.Connections = []gangway.Connection{{Least: 80}}
	var row crewRow
	row.fly(it, nil)
	if got := row.Strip[0].Stops[0].Risk; got != risk {
		t.Errorf("the row of a crew change says %q; want %q", got, risk)
	}
	q := newChangeQuote(gangway.Booking{}, gangway.PendingChange{Itinerary: it})
	if q.Strip[0].Stops[0].Risk != risk || q.Segments[1].Risk != risk {
		t.Errorf("a change that waits says %q and %q; want %q", q.Strip[0].Stops[0].Risk, q.Segments[1].Risk, risk)
	}
}

func TestWayByRoad(t *testing.T) {
	m := gangway.SearchMember{Legs: []gangway.Leg{{Origin: "MNL", Destination: "NLRTM", ArriveOn: "2026-12-02", ArriveBy: "12:00"}}}
	row := newOfferRow(flight.Offer{Itinerary: viaDubai(t)}, m)
	road := row.Strip[0].ToRoad
	if row.Strip[0].Day != "Tue 1" {
		t.Errorf("it leaves on %q; want Tue 1, where the arrival was asked for", row.Strip[0].Day)
	}
	if road.Words != duration(road.Takes)+" by road from AMS to the port of Rotterdam" || road.Takes < time.Hour || road.Takes > 3*time.Hour {
		t.Errorf("road = %+v; want the way from AMS to the port of Rotterdam", road)
	}
	if row.Segments[1].ToRoad != road.Words || row.Segments[0].Road != "" {
		t.Errorf("segments = %q, %q; want it behind the last flight only", row.Segments[0].Road, row.Segments[1].ToRoad)
	}
	if want := 5*time.Hour + 50*time.Minute - road.Takes; row.Slack.Left != want {
		t.Errorf("slack = %s; want %s, the road counted", row.Slack.Left, want)
	}
}

func TestTwoClocks(t *testing.T) {
	price, seats := at(t, "2026-11-20 23:59", 0), at(t, "2026-11-25 12:00", 0)
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
		{"none", []gangway.Allowance{{Origin: "MNL", Destination: "AMS"}}, "no bag", "No checked baggage is included.", 0},
		{"two pieces", []gangway.Allowance{{Pieces: 2, WeightKg: 23}}, "2 × 23 kg", "2 checked bags of 23 kg included.", 2},
		{"weight not said", []gangway.Allowance{{Pieces: 1}}, "1 bag", "1 checked bag is included.", 1},
		{"by weight", []gangway.Allowance{{Pieces: 1, WeightKg: 40, ByWeight: true}}, "40 kg in all, at most 32 each", "Checked baggage of 40 kg in all is included, at most 32 kg in each bag.", 2},
		{"by weight, no more than one bag", []gangway.Allowance{{Pieces: 1, WeightKg: 30, ByWeight: true}}, "30 kg in all", "Checked baggage of 30 kg in all is included.", 1},
		{"the flight with the least counts", []gangway.Allowance{{Origin: "MNL", Destination: "AMS", Pieces: 2, WeightKg: 23}, {Origin: "AMS", Destination: "ABZ", Pieces: 1, WeightKg: 23}},
			"1 × 23 kg", "1 checked bag of 23 kg included on AMS to ABZ; more on other flights.", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := baggage(tt.list)
			if got != (bags{tt.short, tt.words, tt.least}) {
				t.Fatalf("baggage = %+v; want %q, %q, %d", got, tt.short, tt.words, tt.least)
			}
		})
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
		t.Run(tt.name, func(t *testing.T) {
			if got := footprint(tt.kg, tt.median); got.Than != tt.than || got.Class != tt.class {
				t.Fatalf("footprint(%v, %v) = %q %q; want %q %q", tt.kg, tt.median, got.Than, got.Class, tt.than, tt.class)
			}
		})
	}
	kg := func(values ...float64) (offers []flight.Offer) {
		for _, v := range values {
			offers = append(offers, flight.Offer{Emissions: gangway.Emissions{CO2eKg: v}})
		}
		return offers
	}
	if got := medianKg(kg(300, 100, 0, 200, 400), false); got != 250 {
		t.Errorf("median of 100 to 400, one not known = %v; want 250", got)
	}
	warm := []flight.Offer{{Emissions: gangway.Emissions{CO2eKg: 300, CO2eRFKg: 510}}, {Emissions: gangway.Emissions{CO2eKg: 300}}}
	if rows := offerRows(warm[:1], gangway.SearchMember{}, true); rows[0].CO2.Kg != 510 || medianKg(warm, true) != 405 {
		t.Errorf("with radiative forcing %d kg, median %v; want 510, and 300 where the method does not say", rows[0].CO2.Kg, medianKg(warm, true))
	}
	if got := medianKg(nil, false); got != 0 {
		t.Errorf("median of nothing = %v; want 0", got)
	}
}

func TestWished(t *testing.T) {
	tests := []struct {
		name   string
		wishes map[string]string
		want   bool
	}{
		{"nothing wished", nil, false},
		{"departure of the whole leg", map[string]string{"MNL-AMS_departure_time": "18:10"}, true},
		{"another departure", map[string]string{"MNL-AMS_departure_time": "18:15"}, false},
		{"departure of one flight of it", map[string]string{"DXB-AMS_departure_time": "01:30"}, true},
		{"a flight of the leg", map[string]string{"MNL-AMS_flight_id": "kl 0428"}, true},
		{"another flight", map[string]string{"MNL-AMS_flight_id": "SQ917"}, false},
		{"one fits, one contradicts", map[string]string{"MNL-DXB_departure_time": "18:10", "DXB-AMS_flight_id": "EK147"}, false},
		{"the customer's own identifier names no flight", map[string]string{"MNL-AMS_flight_id": "F-000931"}, false},
		{"… and does not contradict", map[string]string{"MNL-AMS_flight_id": "F-000931", "MNL-AMS_departure_time": "18:10"}, true},
		{"another pair of airports", map[string]string{"AMS-MNL_departure_time": "18:10"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := wished(viaDubai(t), tt.wishes); got != tt.want {
				t.Fatalf("wished(%v) = %v; want %v", tt.wishes, got, tt.want)
			}
		})
	}
}

// TestNearestWish holds that where nothing leaves exactly when it was wished,
// what leaves nearest stands first, if it is near at all.
func TestNearestWish(t *testing.T) {
	at := func(hour, minute int) flight.Offer {
		it := viaDubai(t)
		d := it.Segments[0].Departure
		it.Segments = slices.Clone(it.Segments[:1])
		it.Segments[0].Departure = time.Date(d.Year(), d.Month(), d.Day(), hour, minute, 0, 0, d.Location())
		return flight.Offer{ID: it.Segments[0].Departure.Format("15:04"), Itinerary: it, Price: gangway.Price{Total: gangway.Money{Minor: int64(hour) * 1000, Currency: "USD"}}}
	}
	offers := []flight.Offer{at(8, 0), at(13, 40), at(16, 30)}
	for wish, want := range map[string]string{"13:00": "13:40", "16:40": "16:30", "08:00": "08:00", "10:50": "08:00", "": "08:00"} {
		m := gangway.SearchMember{Wishes: map[string]string{"MNL-DXB_departure_time": wish}}
		rows := readFilter(url.Values{"sort": {"price"}}).apply(offerRows(offers, m, false))
		if rows[0].ID != want {
			t.Errorf("wished at %q: %s stands first; want %s", wish, rows[0].ID, want)
		}
		if near := rows[0].Near != ""; near != (wish == "13:00" || wish == "16:40") {
			t.Errorf("wished at %q: marked as nearest: %v", wish, near)
		}
	}
}

func TestSlack(t *testing.T) {
	on := gangway.Leg{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-02"}
	by := func(clock string) gangway.Leg { l := on; l.ArriveBy = clock; return l }
	tests := []struct {
		name  string
		leg   gangway.Leg
		known bool
		left  time.Duration
		class string
	}{
		{"without a time the day has to be kept", on, true, 17*time.Hour + 50*time.Minute, "good"},
		{"twelve hours are good", by("18:10"), true, 12 * time.Hour, "good"},
		{"a minute less is to be watched", by("18:09"), true, 12*time.Hour - time.Minute, "watch"},
		{"six hours are to be watched", by("12:10"), true, 6 * time.Hour, "watch"},
		{"a minute less needs somebody to act", by("12:09"), true, 6*time.Hour - time.Minute, "act"},
		{"late", by("06:00"), true, -10 * time.Minute, "act"},
		{"a time that is none is the day", by("noon"), true, 17*time.Hour + 50*time.Minute, "good"},
		{"nobody waits", gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"}, false, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := slackOf(viaDubai(t), []gangway.Leg{tt.leg})
			if got.Known != tt.known || got.Left != tt.left || got.Class != tt.class {
				t.Fatalf("slack = %v %s %q; want %v %s %q", got.Known, got.Left, got.Class, tt.known, tt.left, tt.class)
			}
		})
	}
	if got := slackOf(viaDubai(t), []gangway.Leg{by("06:00")}).Words; got != "10 min late" {
		t.Errorf("words = %q; want that it is late", got)
	}
}

func TestTerms(t *testing.T) {
	fee := gangway.Money{Minor: 7500, Currency: "USD"}
	tests := []struct {
		name  string
		terms gangway.Terms
		want  []string
	}{
		{"free", gangway.Terms{Cancellations: gangway.Refundable, Changes: gangway.FreeChange}, []string{"cancelling costs nothing", "Changing is free"}},
		{"for a fee", gangway.Terms{Cancellations: gangway.PaidCancel, CancelFee: fee, Changes: gangway.PaidChange, ChangeFee: fee, NoShow: "A no-show costs USD 150.00."},
			[]string{"Cancelling costs USD 75.00", "Changing costs USD 75.00", "A no-show costs USD 150.00"}},
		{"a fee on a refundable fare is said", gangway.Terms{Cancellations: gangway.Refundable, CancelFee: fee}, []string{"Cancelling costs USD 75.00"}},
		{"neither", gangway.Terms{Cancellations: gangway.NonRefundable, Changes: gangway.NoChange}, []string{"Non-refundable", "No changes"}},
		{"two reservations", gangway.Terms{Splitting: true}, []string{"Two reservations"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			said := ""
			for _, s := range terms(tt.terms, viaDubai(t)) {
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

// sample is three offers that differ in everything that filters ask for.
func sample(t *testing.T) []offerRow {
	usd := func(n int64) gangway.Price { return gangway.Price{Total: gangway.Money{Minor: n, Currency: "USD"}} }
	direct := gangway.Itinerary{Segments: []gangway.Segment{{Carrier: "KL", FlightNumber: "KL808", Origin: "MNL", Destination: "AMS", Departure: at(t, "2026-12-01 09:00", 8), Arrival: at(t, "2026-12-01 16:00", 1)}}}
	offers := []flight.Offer{
		{ID: "light", Itinerary: viaDubai(t), Price: usd(40000), Emissions: gangway.Emissions{CO2eKg: 700}, Terms: gangway.Terms{FareType: gangway.Public, Brand: "Light", Cancellations: gangway.NonRefundable, Changes: gangway.NoChange}},
		{ID: "marine", Itinerary: viaDubai(t), Price: usd(48200), Emissions: gangway.Emissions{CO2eKg: 700}, Baggage: []gangway.Allowance{{Pieces: 2, WeightKg: 23}}, Terms: gangway.Terms{FareType: gangway.Marine}},
		{ID: "direct", Itinerary: direct, Price: usd(90000), Emissions: gangway.Emissions{CO2eKg: 500}, Baggage: []gangway.Allowance{{Pieces: 1, WeightKg: 23}}, Terms: gangway.Terms{FareType: gangway.Public, Brand: "Flex", Cancellations: gangway.PaidCancel}},
	}
	return offerRows(offers, gangway.SearchMember{Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-02", ArriveBy: "12:00"}}}, false)
}

func TestWishedComesFirst(t *testing.T) {
	rows := sample(t)
	rows[2].Wished = true
	for _, order := range []string{"price", "slack", "duration", "arrival"} {
		if got := readFilter(url.Values{"sort": {order}}).apply(rows); got[0].ID != "direct" {
			t.Errorf("by %s %s comes first; want the flight that was asked for", order, got[0].ID)
		}
	}
}

func TestFilter(t *testing.T) {
	tests := []struct {
		name  string
		query string
		want  string // identifiers in order
	}{
		{"nothing asked", "", "light marine direct"},
		{"direct", "stops=0", "direct"},
		{"several of one kind are either", "stops=0&stops=1", "light marine direct"},
		{"several kinds are both", "stops=1&fare=public", "light"},
		{"refundable", "rule=refund", "marine direct"},
		{"price at most", "max=482", "light marine"},
		{"price at most, with cents", "max=481.99", "light"},
		{"a price that is none is not asked", "max=cheap", "light marine direct"},
		{"two bags", "bags=2", "marine"},
		{"leaves in the morning", "leave=06", "direct"},
		{"lands at night", "land=06&land=00", "light marine"},
		{"an airline of a connection", "airline=EK", "light marine"},
		{"less than the median", "co2=less", "light marine direct"},
		{"by arrival", "sort=arrival", "direct light marine"},
		{"by duration", "sort=duration", "direct light marine"},
		{"by slack", "sort=slack", "direct light marine"},
		{"an order that is none is by price", "sort=luck", "light marine direct"},
		{"a value that nobody has", "airline=XX", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q, err := url.ParseQuery(tt.query)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range readFilter(q).apply(sample(t)) {
				got = append(got, o.ID)
			}
			if strings.Join(got, " ") != tt.want {
				t.Fatalf("%s leaves %q; want %q", tt.query, got, tt.want)
			}
		})
	}
}

func TestFacets(t *testing.T) {
	count := func(query, name, value string) (n int, there bool) {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
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
		{"each choice has its count", "", "stops", "1", 2, true},
		{"a choice does not count against its own kind", "stops=0", "stops", "1", 2, true},
		{"other filters do", "fare=public", "stops", "1", 1, true},
		{"what others leave nothing of stays, at none", "fare=marine", "stops", "0", 0, true},
		{"an offer with two airlines counts for both", "", "airline", "EK", 2, true},
		{"a choice that was ticked stays to be unticked", "airline=XX", "airline", "XX", 0, true},
		{"where all are alike there is nothing to choose", "", "co2", "less", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if n, there := count(tt.query, tt.facet, tt.value); n != tt.want || there != tt.there {
				t.Fatalf("%s=%s counts %d, shown %v; want %d, %v", tt.facet, tt.value, n, there, tt.want, tt.there)
			}
		})
	}
}

func TestProposal(t *testing.T) {
	rows := sample(t)
	late := func(rows []offerRow, ids ...string) []offerRow {
		out := slices.Clone(rows)
		for i := range out {
			if slices.Contains(ids, out[i].ID) {
				out[i].Slack = slackUntil(at(t, "2026-12-02 13:00", 1), at(t, "2026-12-02 12:00", 1))
			}
		}
		return out
	}
	wish := slices.Clone(rows)
	wish[2].Wished = true
	morning := slices.Clone(rows)
	for i := range morning {
		morning[i].Slack, morning[i].early = slack{}, morning[i].ID == "light"
	}
	tests := []struct {
		name   string
		rows   []offerRow
		chosen string
		query  url.Values
		want   string
	}{
		{"time to spare counts for more than money", rows, "", nil, "direct"},
		{"of those as late, one that can be changed where it costs little more", late(rows, "light", "marine", "direct"), "", nil, "marine"},
		{"what was chosen stays", rows, rows[0].Key, nil, "light"},
		{"… whatever the filters say", rows, rows[0].Key, url.Values{"fare": {"marine"}}, "light"},
		{"filters narrow what is proposed", rows, "", url.Values{"fare": {"marine"}}, "marine"},
		{"what the company asked for comes first", late(wish, "direct"), "", nil, "direct"},
		{"who leaves the ship does not leave before it is in", morning, "", nil, "marine"},
		{"nothing is left", rows, "", url.Values{"fare": {"none"}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := proposal(tt.rows, tt.chosen, readFilter(tt.query))
			if got.ID != tt.want || ok != (tt.want != "") {
				t.Fatalf("proposal = %q, %v; want %q", got.ID, ok, tt.want)
			}
		})
	}
}

func TestTooEarly(t *testing.T) {
	off := gangway.SearchMember{Side: gangway.OffSigner, Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"}}}
	on, later := off, off
	on.Side = gangway.OnSigner
	later.Legs = []gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-01", LeaveAfter: "06:00"}}
	it := viaDubai(t)
	it.Segments[0].Departure = it.Segments[0].Departure.Add(-8 * time.Hour) // 10:10
	for _, tt := range []struct {
		name string
		it   gangway.Itinerary
		m    gangway.SearchMember
		want bool
	}{
		{"an off-signer in the morning", it, off, true}, {"in the evening", viaDubai(t), off, false},
		{"an on-signer", it, on, false}, {"when it is known from when on", it, later, false},
	} {
		if got := tooEarly(tt.it, tt.m); got != tt.want {
			t.Errorf("%s: %v; want %v", tt.name, got, tt.want)
		}
	}
}

func TestMoveMember(t *testing.T) {
	s := gangway.Search{Date: "2026-12-01", Airport: "AMS"}
	tests := []struct {
		name string
		m    gangway.SearchMember
		want []gangway.Leg
	}{
		{"an on-signer goes there, as many days later", gangway.SearchMember{Side: gangway.OnSigner, Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-11-30", ArriveBy: "18:00"}}},
			[]gangway.Leg{{Origin: "MNL", Destination: "ANR", ArriveOn: "2026-12-02", ArriveBy: "18:00"}}},
		{"an off-signer leaves from there", gangway.SearchMember{Side: gangway.OffSigner, Legs: []gangway.Leg{{Origin: "AMS", Destination: "GDN", Date: "2026-12-01"}}},
			[]gangway.Leg{{Origin: "ANR", Destination: "GDN", Date: "2026-12-03"}}},
		{"who needed no flight may need one now", gangway.SearchMember{Side: gangway.OnSigner, Traveller: gangway.Traveller{HomeAirport: "AMS"}},
			[]gangway.Leg{{Origin: "AMS", Destination: "ANR", ArriveOn: "2026-12-03"}}},
		{"who lives there needs none", gangway.SearchMember{Side: gangway.OnSigner, Traveller: gangway.Traveller{HomeAirport: "ANR"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.m.Chosen = "something"
			moveMember(&tt.m, s, "ANR", "2026-12-03")
			if !slices.Equal(tt.m.Legs, tt.want) || tt.m.Chosen != "" {
				t.Fatalf("legs = %v, chosen %q; want %v and nothing chosen", tt.m.Legs, tt.m.Chosen, tt.want)
			}
		})
	}
}

func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "SANTOS, MARIA": "SANTOS, MARIA", "=1+1": "'=1+1", "+1": "'+1", "-2": "'-2", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx", "a=b": "a=b",
	} {
		if got := harmless(in); got != want {
			t.Errorf("harmless(%q) = %q; want %q", in, got, want)
		}
	}
}
