package gangway_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// TestReadDate holds that dates are read day first, that one without a year is the next or the
// nearest such day, and that one with slashes is refused with each way it can be read.
func TestReadDate(t *testing.T) {
	const today = gangway.Date("2026-11-24") // a Tuesday
	tests := []struct {
		typed         string
		next, nearest gangway.Date
		wrong         string // words of the refusal
	}{
		{"", "", "", ""},
		{"2026-11-28", "2026-11-28", "2026-11-28", ""},
		{"28 nov", "2026-11-28", "2026-11-28", ""},
		{"28nov", "2026-11-28", "2026-11-28", ""},
		{"28 November", "2026-11-28", "2026-11-28", ""},
		{"  28  NOV 2027 ", "2027-11-28", "2027-11-28", ""},
		{"Sat 28 Nov 2026", "2026-11-28", "2026-11-28", ""},
		{"Sat 28 Nov", "2026-11-28", "2026-11-28", ""},
		{"28.11.", "2026-11-28", "2026-11-28", ""},
		{"28.11", "2026-11-28", "2026-11-28", ""},
		{"28.11.2026", "2026-11-28", "2026-11-28", ""},
		{"28.11.26", "2026-11-28", "2026-11-28", ""},
		{"1 sept", "2027-09-01", "2026-09-01", ""},
		{"24 nov", "2026-11-24", "2026-11-24", ""},
		{"23 nov", "2027-11-23", "2026-11-23", ""},
		{"1 mar", "2027-03-01", "2027-03-01", ""},
		{"29 feb", "2028-02-29", "2028-02-29", ""},
		{"31 feb", "", "", "no 31 February"},
		{"29 feb 2027", "", "", "no 29 February 2027"},
		{"2026-02-30", "", "", "28 nov"},
		{"28.13.", "", "", "no such month"},
		{"28", "", "", "28 nov"},
		{"nov 28", "", "", "28 nov"},
		{"soon", "", "", "28 nov"},
		{"3/4", "", "", "3/4 could be 3 Apr 20"},
		{"3/4/2027", "", "", "3/4/2027 could be 3 Apr 2027 or 4 Mar 2027"},
		{"3-4-2027", "", "", "3 Apr 2027 or 4 Mar 2027"},
		{"28/11", "", "", "write 28 Nov 2026 or 2026-11-28"},
		{"11/28/2026", "", "", "write 28 Nov 2026 or 2026-11-28"},
		{"4/4", "", "", "write 4 Apr 20"},
		{"31/31", "", "", "31/31 is not read"},
	}
	for _, tt := range tests {
		t.Run(tt.typed, func(t *testing.T) {
			for near, want := range map[gangway.Near]gangway.Date{gangway.Next: tt.next, gangway.Nearest: tt.nearest} {
				got, err := gangway.ReadDate(tt.typed, today, near)
				refused := gangway.KindOf(err) == gangway.Invalid && err != nil && strings.Contains(err.Error(),
					tt.wrong)
				if got != want || (tt.wrong != "") != (err != nil) || tt.wrong != "" && !refused {
					t.Errorf("ReadDate(%q, %s) = %q, %v; want %q, refused %q", tt.typed, near, got, err, want, tt.wrong)
				}
			}
		})
	}
	for typed, want := range map[string]gangway.Date{"12 mar 1985": "1985-03-12", "12.3.1985": "1985-03-12",
		"12 mar": "", "12.3.85": "", "3/4/85": ""} {
		if got, err := gangway.ReadDate(typed, today, gangway.Dated); got != want || (err == nil) != (want != "") {
			t.Errorf("ReadDate(%q) of a birthday = %q, %v; want %q", typed, got, err, want)
		}
	}
}

// TestReadMoment holds that a time of day follows the date, and is never taken out of a year.
func TestReadMoment(t *testing.T) {
	for typed, want := range map[string]string{
		"28 nov 08:45": "2026-11-28T08:45:00+08:00", "Sat 28 Nov 2026 8:45": "2026-11-28T08:45:00+08:00",
		"2026-11-28T08:45": "2026-11-28T08:45:00+08:00", "28.11. 08.45": "2026-11-28T08:45:00+08:00",
		"2026-11-28 08:45:07": "2026-11-28T08:45:07+08:00",
		"28 nov":              "", "28 nov 2026": "", "28.11.2026": "", "08:45": "", "28 nov 24:10": "",
		"3/4 08:45": "",
	} {
		got, err := gangway.ReadMoment(typed, "2026-11-24", gangway.Next, time.FixedZone("", 8*60*60))
		if (err == nil) != (want != "") || err == nil && got.Format(time.RFC3339) != want {
			t.Errorf("ReadMoment(%q) = %v, %v; want %q", typed, got, err, want)
		}
	}
	for typed, want := range map[string]string{"18": "18:00", "18:00": "18:00", "1830": "18:30", "6.05": "06:05",
		"24:00": "", "6 pm": "", "": ""} {
		if got, ok := gangway.ReadClock(typed); ok != (want != "") || ok && got != want {
			t.Errorf("ReadClock(%q) = %q, %v; want %q", typed, got, ok, want)
		}
	}
}
