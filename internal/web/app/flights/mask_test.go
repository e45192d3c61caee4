package flights

import "testing"

func TestMaskDocument(t *testing.T) {
	for number, want := range map[string]string{
		"": "", "P1": "••••", "P123": "••••", "P1234": "••••34", "P123456": "••••56", "P1234567": "••••567",
		"P1234567A": "••••67A",
	} {
		if got := MaskDocument(number); got != want || number != "" && !masked(got) {
			t.Errorf("MaskDocument(%q) = %q; want %q", number, got, want)
		}
	}
	if masked("P1234567A") {
		t.Error("a number without hidden characters counts as masked")
	}
}
