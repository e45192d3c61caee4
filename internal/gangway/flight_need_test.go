package gangway

import (
	"strings"
	"testing"
)

func TestLegsFollowTheReadingOfTheDates(t *testing.T) {
	tests := []struct {
		name, date, stops string // one date for each stop, "-" for none
		want              string // the dates of the legs
		starts            Date
	}{
		{"no stop", "2026-12-01", "", "2026-12-01", "2026-12-01"},
		{"no stop and no date", "-", "", "-", ""},
		{"departures from each airport", "2026-12-01", "2026-12-02 2026-12-04", "2026-12-01 2026-12-02 2026-12-04",
			"2026-12-01"},
		{"the last flight's, and those of the flights to each airport", "2026-12-04", "2026-12-01 2026-12-02",
			"2026-12-01 2026-12-02 2026-12-04", "2026-12-01"},
		{"one stop, left later", "2026-12-01", "2026-12-02", "2026-12-01 2026-12-02", "2026-12-01"},
		{"one stop, reached earlier", "2026-12-02", "2026-12-01", "2026-12-01 2026-12-02", "2026-12-01"},
		{"all on one day", "2026-12-01", "2026-12-01 2026-12-01", "2026-12-01 2026-12-01 2026-12-01", "2026-12-01"},
		{"the first two on one day", "2026-12-01", "2026-12-01 2026-12-03", "2026-12-01 2026-12-01 2026-12-03",
			"2026-12-01"},
		{"the last two on one day", "2026-12-03", "2026-12-01 2026-12-03", "2026-12-01 2026-12-03 2026-12-03",
			"2026-12-01"},
		{"in between", "2026-12-02", "2026-12-01 2026-12-04", "- - -", "2026-12-01"},
		{"stops that run backwards", "2026-12-01", "2026-12-04 2026-12-02", "- - -", "2026-12-01"},
		{"stops that run backwards before the last flight", "2026-12-09", "2026-12-04 2026-12-02", "- - -",
			"2026-12-02"},
		{"a stop without a date", "2026-12-01", "-", "2026-12-01 -", "2026-12-01"},
		{"a stop without a date before one that is earlier", "2026-12-04", "- 2026-12-02", "- 2026-12-02 2026-12-04",
			""},
		{"stops alone", "-", "2026-12-02 2026-12-04", "- 2026-12-02 2026-12-04", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := FlightNeed{Origin: "MNL", Destination: "RTM"}
			if tt.date != "-" {
				f.Date = Date(tt.date)
			}
			for _, d := range strings.Fields(tt.stops) {
				stop := Stop{Airport: "DXB"}
				if d != "-" {
					stop.Date = Date(d)
				}
				f.Via = append(f.Via, stop)
			}
			var got []string
			for _, leg := range f.Legs() {
				if leg.Date == "" {
					leg.Date = "-"
				}
				got = append(got, string(leg.Date))
			}
			if strings.Join(got, " ") != tt.want || f.Starts() != tt.starts {
				t.Errorf("legs on %v, starting on %q; want %s and %q", got, f.Starts(), tt.want, tt.starts)
			}
		})
	}
}
