package gangway

import "testing"

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
