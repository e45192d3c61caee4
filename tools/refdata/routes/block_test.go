package main

import (
	"testing"
)

// TestBlocks compares with scheduled minutes from gate to gate, typed from
// timetables of about 2024.
func TestBlocks(t *testing.T) {
	n, err := load("data")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		carrier, from, to string
		want              int
	}{
		{"SQ", "SIN", "LHR", 845}, {"BA", "LHR", "SIN", 785}, {"A3", "AMS", "ATH", 200}, {"EK", "MNL", "DXB", 550},
		{"BA", "LHR", "JFK", 485},
		{"BA", "JFK", "LHR", 415}, {"UA", "IAH", "AMS", 575}, {"QF", "PER", "LHR", 1050}, {"QF", "LHR", "PER", 1005},
		{"SQ", "SIN", "JFK", 1125},
		{"SQ", "JFK", "SIN", 1125}, {"LH", "FRA", "SIN", 735}, {"LH", "SIN", "FRA", 795}, {"AF", "CDG", "JFK", 500},
		{"AF", "JFK", "CDG", 435},
		{"EK", "DXB", "GRU", 880}, {"EK", "GRU", "DXB", 850}, {"EK", "DXB", "IAH", 975}, {"EK", "IAH", "DXB", 880},
		{"QR", "DOH", "AKL", 975},
		{"QR", "AKL", "DOH", 1055}, {"QF", "LAX", "SYD", 900}, {"QF", "SYD", "LAX", 810}, {"JL", "HND", "JFK", 775},
		{"JL", "JFK", "HND", 855},
		{"KE", "ICN", "JFK", 860}, {"KE", "JFK", "ICN", 910}, {"UA", "DEL", "EWR", 960}, {"BA", "CPT", "LHR", 700},
		{"BA", "LHR", "CPT", 695},
		{"SK", "OSL", "SVG", 55}, {"BA", "ABZ", "LHR", 95}, {"G3", "CGH", "SDU", 60}, {"QF", "PER", "KTA", 125},
		{"SQ", "SIN", "SYD", 475},
		{"CX", "MNL", "HKG", 145}, {"KL", "AMS", "DXB", 395}, {"EK", "DXB", "AMS", 430}, {"SQ", "SYD", "SIN", 495},
		{"AY", "HEL", "NRT", 780},
		{"BA", "LHR", "HND", 835}, {"JL", "HND", "LHR", 880}, {"LH", "FRA", "ICN", 720}, {"KE", "ICN", "FRA", 805},
		{"AF", "CDG", "PVG", 730},
		{"MU", "PVG", "CDG", 745}, {"CX", "HKG", "LHR", 860}, {"TK", "IST", "JFK", 665}, {"DL", "ATL", "JNB", 910},
		{"DL", "JNB", "ATL", 985}, {"LA", "SCL", "SYD", 885}, {"LA", "SYD", "SCL", 745}, {"UA", "SFO", "SIN", 1010},
		{"SQ", "SIN", "SFO", 920},
		{"QR", "DOH", "LHR", 435}, {"QR", "LHR", "DOH", 395}, {"BA", "LHR", "GRU", 715}, {"KL", "AMS", "CPT", 680},
		{"KL", "AMS", "EZE", 835},
		{"WF", "ABZ", "SVG", 70}, {"IB", "MAD", "LPA", 170}, {"AA", "JFK", "LAX", 375}, {"AA", "LAX", "JFK", 330},
		{"NH", "HND", "FUK", 115},
		{"4Z", "JNB", "WVB", 135}, {"AY", "HEL", "SIN", 730}, {"LM", "ABZ", "KOI", 55},
	}
	for _, tt := range tests {
		from, to := n.byCode[tt.from], n.byCode[tt.to]
		r := route{carrier: tt.carrier, hub: from, other: to, km: kmBetween(from, to)}
		if got := block(tt.carrier, from, to, r.km, r.aircraft()); got < tt.want-35 || got > tt.want+35 {
			t.Errorf("%s %s-%s by %s, %.0f km, takes %d minutes; want %d, give or take 35", tt.carrier, tt.from, tt.to,
				r.aircraft(), r.km, got, tt.want)
		}
	}
}
