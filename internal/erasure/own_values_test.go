package erasure_test

import (
	"testing"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

func TestOwnValues(t *testing.T) {
	var v erasure.OwnValues
	v.Learn(gangway.Traveller{LastName: "Runztt", FirstName: "Ilja Man", DOB: "1979-10-07", DocNumber: "RU77019",
		Email: "runztt@example.org", Phone: "+7 495 555 0147"})
	for _, tt := range []struct{ text, want string }{
		{"INV Runztt RU77019", "INV erased"},
		{"INV-2026-00417", "INV-2026-00417"},
		{"RUNZTT, INV 417", "erased, INV 417"},
		{"417/MR.RUNZTT-2", "417/MR.erased-2"},
		{"417runztt2026", "erased"},
		{"INVRU77019", "erased"},
		{"ru 77-019 for 417", "erased for 417"},
		{"417 RU-77 019/2", "417 erased/2"},
		{"b. 07/10/1979", "b. erased"},
		{"7.10.1979 417", "erased 417"},
		{"10/07/79", "erased"},
		{"07OCT79/417", "erased/417"},
		{"born 7 October 1979", "born erased"},
		{"19791007", "erased"},
		{"417-1071010", "417-1071010"},
		{"A1071079", "A1071079"}, // has the digits of the birth date, as many numbers do
		{"man 4", "erased 4"},
		{"Harbour Manning", "Harbour Manning"}, // a short name is no part of a word
		{"of runztt@example.org", "of erased"},
		{"00 7 495 5550147", "00 erased"},
		{"Рунзтт", "Рунзтт"},
		{"", ""},
		{"§ 4", "§ 4"},
	} {
		if got := v.Without(tt.text); got != tt.want {
			t.Errorf("Without(%q) = %q; want %q", tt.text, got, tt.want)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"Runztt Star", "Runztt Star"},
		{"Isle of Man", "Isle of Man"},
		{"Nordlys (Runztt, Ilja)", "Nordlys (erased)"},
		{"Nordlys RU77019", "Nordlys erased"},
		{"R-19791007-Runztt", "R-erased"},
	} {
		if got := v.WithoutSure(tt.text); got != tt.want {
			t.Errorf("WithoutSure(%q) = %q; want %q", tt.text, got, tt.want)
		}
	}
	var none erasure.OwnValues
	if got := none.Without("INV 417"); got != "INV 417" {
		t.Errorf("of nobody: %q; want it as it was", got)
	}
	marked := erasure.OwnValues{}
	marked.Learn(gangway.Traveller{LastName: "Żółkiewska-Quux", FirstName: "Bartłomieja"})
	for _, text := range []string{"Quux", "ZOLKIEWSKA", "Żółkiewska", "Z\u0307o\u0301łkiewska", "zolkiewskaquux",
		"BARTLOMIEJA/ZOLKIEWSKA"} {
		if got := marked.Without("INV " + text); got != "INV erased" {
			t.Errorf("Without(INV %s) = %q; want it gone", text, got)
		}
	}
}
