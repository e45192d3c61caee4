package gangway

import (
	"strings"
	"testing"
)

func TestAssigned(t *testing.T) {
	if len(countries) != 249 {
		t.Errorf("%d codes are assigned; ISO 3166-1 assigns 249", len(countries))
	}
	for _, c := range []Country{"PH", "NO", "GB", "AX", "SS", "CW", "BQ"} {
		if !c.Assigned() {
			t.Errorf("%s is not assigned; it is", c)
		}
	}
	// Lower case, three letters, reserved, withdrawn, for users to define, unknown.
	for _, c := range []Country{"", "ph", "PHL", "UK", "EU", "AN", "SU", "XK", "XX", "ZZ", "P", "P H"} {
		if c.Assigned() {
			t.Errorf("%q is assigned; it is not", c)
		}
	}
}

func TestCountries(t *testing.T) {
	for i, c := range Countries() {
		if c.Name() == "" || c.Name() == string(c) || string(c) != strings.ToUpper(string(c)) ||
			i > 0 && Countries()[i-1] >= c && c[0] == Countries()[i-1][0] {
			t.Errorf("country %s, %q, is malformed or out of order", c, c.Name())
		}
	}
	for code, want := range map[Country]string{"NL": "Netherlands", "ph": "Philippines", "VN": "Viet Nam", "XX": "XX",
		"": ""} {
		if got := code.Name(); got != want {
			t.Errorf("the name of %q is %q; want %q", code, got, want)
		}
	}
}
