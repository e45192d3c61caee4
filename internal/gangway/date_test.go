package gangway

import (
	"testing"
	"time"
	_ "time/tzdata"

	"gangway/internal/calltest"
)

// TestDateIn checks that a date begins on that date, even where clocks skip its midnight.
func TestDateIn(t *testing.T) {
	for _, tt := range []struct {
		date Date
		zone string
		want string
	}{
		{"2027-03-13", "America/Havana", "2027-03-13T00:00:00-05:00"},
		{"2027-03-14", "America/Havana", "2027-03-14T01:00:00-04:00"},
		{"2027-03-28", "Asia/Beirut", "2027-03-28T01:00:00+03:00"},
		{"2027-09-05", "America/Santiago", "2027-09-05T01:00:00-03:00"},
		{"2027-11-07", "America/Havana", "2027-11-07T00:00:00-04:00"}, // midnight comes twice: the first
		{"2027-03-28", "Europe/Oslo", "2027-03-28T00:00:00+01:00"},
		{"2027-02-30", "Europe/Oslo", "0001-01-01T00:00:00Z"},
	} {
		loc := calltest.Must(time.LoadLocation(tt.zone))(t)
		if got := tt.date.In(loc).Format(time.RFC3339); got != tt.want {
			t.Errorf("%s in %s begins %s; want %s", tt.date, tt.zone, got, tt.want)
		}
	}
}

// TestEveryDateBegins checks on every day of a year, in every zone where clocks change at
// midnight, that a date begins on that date and the moment before does not.
func TestEveryDateBegins(t *testing.T) {
	for _, zone := range []string{"America/Havana", "Asia/Beirut", "America/Santiago", "America/Asuncion",
		"Africa/Cairo", "America/Scoresbysund", "Atlantic/Azores"} {
		loc := calltest.Must(time.LoadLocation(zone))(t)
		for d := Date("2024-01-01"); d < "2028-12-31"; d = d.AddDays(1) {
			begins := d.In(loc)
			if DateOf(begins) != d || DateOf(begins.Add(-time.Second)) >= d {
				t.Errorf("%s in %s begins %s", d, zone, begins)
			}
		}
	}
}
