package book

import "testing"

func TestSurnameAsked(t *testing.T) {
	for typed, want := range map[string]string{
		"san": "san", "Santos Maria": "Santos", "DELA CRUZ, JO": "DELA CRUZ", "SANTOS/MARIA MRS": "SANTOS",
		" sa ": "sa", "s": "", "王": "王", "C-1001": "", "": "", " , ": "", "O'Brien": "O'Brien",
	} {
		if got := SurnameAsked(typed); got != want {
			t.Errorf("SurnameAsked(%q) = %q; want %q", typed, got, want)
		}
	}
}
