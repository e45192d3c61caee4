package gangway

import "testing"

func TestBars(t *testing.T) {
	bag := []Allowance{{Pieces: 1}, {ByWeight: true, WeightKg: 30}}
	one := []Allowance{{Pieces: 1}, {}}
	fixed, free := Terms{Changes: NoChange}, Terms{Changes: PaidChange}
	qatar := Itinerary{Segments: []Segment{{Carrier: "BA", Operator: "QR"}, {Carrier: "SU"}}}
	for _, tt := range []struct {
		name, fares, avoid string
		terms              Terms
		bags               []Allowance
		want               Bar
	}{
		{"unset: any fare", "any", "none", fixed, nil, Bar{}},
		{"a bag on every flight", "bag", "none", fixed, bag, Bar{}},
		{"a bag on one flight only", "bag", "none", fixed, one, Bar{Unmet: FareRule{Bag: true}}},
		{"the supplier names no baggage", "bag", "none", free, nil, Bar{Unmet: FareRule{Bag: true}}},
		{"changes for a fee are changes", "changeable", "none", free, nil, Bar{}},
		{"both are lacking", "bag,changeable", "none", fixed, nil, Bar{Unmet: FareRule{Bag: true, Change: true}}},
		{"one is lacking", "bag,changeable", "none", fixed, bag, Bar{Unmet: FareRule{Change: true}}},
		{"who operates counts", "bag", "QR", free, bag, Bar{Avoided: "QR"}},
		{"who sells counts", "bag", "LH,SU", free, bag, Bar{Avoided: "SU"}},
		{"others may be used", "any", "AF,KL", free, bag, Bar{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s Settings
			var err, err2 error
			s.Fares, err = ParseFareRule(tt.fares)
			s.Avoid, err2 = ParseAirlines(tt.avoid)
			if err != nil || err2 != nil || s.Fares.String() != tt.fares || s.Avoid.String() != tt.avoid {
				t.Fatalf("read as %q, %v and %q, %v; want %q and %q", s.Fares, err, s.Avoid, err2, tt.fares, tt.avoid)
			}
			got := s.Bars(PricedItinerary{Itinerary: qatar, Terms: tt.terms, Baggage: tt.bags}, nil)
			if got != tt.want {
				t.Errorf("Bars = %+v; want %+v", got, tt.want)
			}
		})
	}
	for _, wrong := range []string{"", "cheap", "bag;changeable", "any,bag"} {
		if r, err := ParseFareRule(wrong); KindOf(err) != Invalid {
			t.Errorf("ParseFareRule(%q) = %q, %v; want Invalid", wrong, r, err)
		}
	}
	for _, wrong := range []string{"", ",", "Qatar", "Q", "Q-", "none,QR"} {
		if a, err := ParseAirlines(wrong); KindOf(err) != Invalid {
			t.Errorf("ParseAirlines(%q) = %q, %v; want Invalid", wrong, a, err)
		}
	}
	if a, err := ParseAirlines("su qr,SU"); a != "QR,SU" || err != nil {
		t.Errorf(`ParseAirlines("su qr,SU") = %q, %v; want QR,SU`, a, err)
	}
}

// TestTransits: airports and countries are refused where planes are changed, and only there.
func TestTransits(t *testing.T) {
	country := func(a Airport) Country {
		return map[Airport]Country{"MNL": "PH", "DXB": "AE", "AUH": "AE", "LAX": "US", "JFK": "US", "AMS": "NL"}[a]
	}
	fly := func(leg int, airports ...Airport) (list []Segment) {
		for i := range airports[1:] {
			list = append(list, Segment{Leg: leg, Origin: airports[i], Destination: airports[i+1]})
		}
		return list
	}
	bused := append(fly(0, "MNL", "DXB"), fly(0, "AUH", "AMS")...)
	for _, tt := range []struct {
		name, refused string
		flown         []Segment
		want          Airport
	}{
		{"nothing is refused", "", fly(0, "MNL", "DXB", "AMS"), ""},
		{"an airport", "dxb", fly(0, "MNL", "DXB", "AMS"), "DXB"},
		{"an airport of a refused country", "AE, us", fly(0, "MNL", "DXB", "AMS"), "DXB"},
		{"where a flight begins and ends nobody changes", "MNL,AMS,PH,NL", fly(0, "MNL", "DXB", "AMS"), ""},
		{"a change of airports counts at both", "AUH", bused, "AUH"},
		{"who goes to a country enters it", "US", fly(0, "MNL", "LAX", "JFK"), ""},
		{"but not at a refused airport", "US LAX", fly(0, "MNL", "LAX", "JFK"), "LAX"},
		{"the end of a leg is no transit", "AMS", append(fly(0, "MNL", "AMS"), fly(1, "AMS", "MNL")...), ""},
	} {
		refused, err := ParseTransits(tt.refused)
		got := Settings{Transits: refused}.Bars(PricedItinerary{Itinerary: Itinerary{Segments: tt.flown}}, country)
		if err != nil || got.Transit != tt.want || got.Never() != (tt.want != "") {
			t.Errorf("%s: %q bars %+v, %v; want %q", tt.name, refused, got, err, tt.want)
		}
	}
	for _, wrong := range []string{"Dubai", "XX", "D1B", "DXB;US", "DXB DXB"} {
		if got, err := ParseTransits(wrong); KindOf(err) != Invalid {
			t.Errorf("ParseTransits(%q) = %q, %v; want Invalid", wrong, got, err)
		}
	}
}
