package gangway

import (
	"testing"
	"time"
)

func TestTodayIsNotTheSameEverywhere(t *testing.T) {
	// midnight has not come yet to Baker Island, and is past in Kiribati
	noon := TodayAt(time.Date(2026, 11, 2, 11, 0, 0, 0, time.UTC))
	if want := (Today{"2026-11-01", "2026-11-03"}); noon != want {
		t.Fatalf("TodayAt = %v; want %v", noon, want)
	}
	for d, want := range map[Date][2]bool{"": {}, "2026-10-31": {true, false}, "2026-11-01": {}, "2026-11-03": {},
		"2026-11-04": {false, true}} {
		if got := [2]bool{noon.Over(d), noon.ToCome(d)}; got != want {
			t.Errorf("%q is over, to come: %v; want %v", d, got, want)
		}
	}
}

func TestBirth(t *testing.T) {
	today := Today{"2026-11-01", "2026-11-03"}
	for d, want := range map[Date]string{
		"1990-04-30": "", "1900-01-01": "", "2026-11-03": "",
		"1899-12-31": "must not be before 1900", "2026-11-04": "must not be in the future",
		"30.4.1990":   "must be a calendar date written YYYY-MM-DD",
		" 1990-04-30": "must be a calendar date written YYYY-MM-DD", "": "must be a calendar date written YYYY-MM-DD",
	} {
		if got := today.Birth(d); got != want {
			t.Errorf("Birth(%q) = %q; want %q", d, got, want)
		}
	}
	if got := (Today{}).Birth("2990-01-01"); got != "" {
		t.Errorf("Birth without a current date = %q; want nothing", got)
	}
}

func TestVisible(t *testing.T) {
	for s, want := range map[string]bool{
		"Reyes": true, "李": true, " é": true, "\u200bA": true, "-": true, "สม": true,
		"": false, " \t\u00a0": false, "\u200b\u200c\u200d\ufeff": false, "\u00ad": false, "\u3164\uffa0\u115f": false,
		"\u2800": false, "\u0301": false, "\u202e\u2060": false,
	} {
		if got := hasVisibleText(s); got != want {
			t.Errorf("visible(%q) = %t; want %t", s, got, want)
		}
	}
}

func TestEmailAddress(t *testing.T) {
	for s, want := range map[string]bool{
		"maria@example.com": true, "m.santos+crew@mail.example.co.uk": true, "o'brien@example.ie": true,
		"maría@correo.example": true,
		"maria":                false, "maria@": false, "@example.com": false, "maria@example": false,
		"maria@@example.com": false,
		"a b@example.com":    false,
		"maria@.com":         false, "maria@example.com.": false, "maria@exa..mple.com": false,
		"maria@example.com; jo@example.com": false, "<maria@example.com>": false,
	} {
		if got := EmailAddress(s); got != want {
			t.Errorf("EmailAddress(%q) = %t; want %t", s, got, want)
		}
	}
}
