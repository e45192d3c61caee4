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
			got := s.Bars(PricedItinerary{Itinerary: qatar, Terms: tt.terms, Baggage: tt.bags})
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
