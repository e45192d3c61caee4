package mapping

import (
	"encoding/json"
	"testing"

	"gangway/internal/gangway"

	"github.com/google/go-cmp/cmp"
)

// helped by program: input → what a program with helpers makes of it.
func evaluated(t *testing.T, program string, value any) any {
	t.Helper()
	p, err := parseProgram(program)
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	code, err := p.compile(p.whole, helpers(today, func(string, string) {}))
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	made, _ := code.Run(value, nil, nil, nil, nil).Next()
	return made
}

// TestHelpers tries what the examples of the guide do not show.
func TestHelpers(t *testing.T) {
	for _, tt := range []struct {
		program string
		given   any
		want    any
	}{
		{`date("DMY")`, "1.2.1985", "1985-02-01"},
		{`date("DMY")`, "1-2-1985", "1985-02-01"},
		{`date("DMY")`, "1 2 1985", "1985-02-01"},
		{`date("DMY")`, "01021985", "1985-02-01"},
		{`date("MDY")`, "1 Feb 1985", "1985-02-01"},
		{`date("DMY")`, "Feb 1, 1985", "1985-02-01"},
		{`date("DMY")`, "01-FEB-85", "1985-02-01"},
		{`date("DMY")`, "01FEB1985", "1985-02-01"},
		{`date("DMY")`, "1st February 1985", "1985-02-01"},
		{`date("MDY")`, "02/01/1985", "1985-02-01"},
		{`date("YMD")`, "1985/2/1", "1985-02-01"},
		{`date("YMD")`, "85-02-01", "1985-02-01"},
		{`date("MDY")`, json.Number("19850201"), "1985-02-01"},
		{`date("MDY")`, "1985-02-01", "1985-02-01"},
		{`date("MDY")`, "1985-02-01T08:00:00", "1985-02-01"},
		{`date("MDY")`, "1985-02-01T08:00:00.000+02:00", "1985-02-01"},
		{`date("DMY")`, "01.02.1985 00:00:00", "1985-02-01"},
		{`date("DMY")`, "31079", "1985-02-01"},
		{`date("DMY")`, 31079.5, "1985-02-01"},
		{`date("DMY")`, "/Date(476064000000)/", "1985-02-01"},
		{`date("DMY")`, "01/02/46", "2046-02-01"},
		{`date("DMY")`, "01/02/47", "1947-02-01"},
		{`date("DMY")`, "31/02/1985", "31/02/1985"},
		{`date("DMY")`, "02/13/1985", "02/13/1985"},
		{`date("DMY")`, "1985", "1985"},
		{`date("DMY")`, "", nil},
		{`date("DMY")`, nil, nil},
		{`country`, "ph", "PH"},
		{`country`, "608", "PH"},
		{`country`, json.Number("4"), "AF"},
		{`country`, "the Netherlands", "NL"},
		{`country`, "Republic of Korea", "KR"},
		{`country`, "Côte d’Ivoire", "CI"},
		{`country`, "Atlantis", "Atlantis"},
		{`country`, nil, nil},
		{`country`, "t. c.", "TR"},
		{`country`, "U.K.", "GB"},
		{`country`, "U.S.A.", "US"},
		{`country`, "P.R.C.", "CN"},
		{`country`, "R.O.K.", "KR"},
		{`country`, "D.P.R.K.", "KP"},
		{`country`, "U.S. Virgin Islands", "VI"},
		{`country`, "S.A.", "S.A."},
		{`country`, "N.A.", "N.A."},
		{`country`, "C.I.", "C.I."},
		{`gender`, "mrs.", "F"},
		{`gender`, "Mr", "M"},
		{`gender`, "Ms", "F"},
		{`gender`, "2", "F"},
		{`gender`, "F", "F"},
		{`gender`, "x", "x"},
		{`name`, "O'Neill-Smith, Jr.", "ONeill Smith Jr"},
		{`name`, "Müller", "Müller"},
		{`name`, "  Dela   Cruz ", "Dela Cruz"},
		{`family_name`, "DELA CRUZ, Juan Miguel", "DELA CRUZ"},
		{`given_names`, "DELA CRUZ, Juan Miguel", "Juan Miguel"},
		{`family_name`, "Juan Miguel DELA CRUZ", "DELA CRUZ"},
		{`given_names`, "Juan Miguel DELA CRUZ", "Juan Miguel"},
		{`family_name`, "Juan Cruz", "Cruz"},
		{`given_names`, "JUAN CRUZ", "JUAN"},
		{`family_name`, "CRUZ/JUAN MR", "CRUZ"},
		{`given_names`, "CRUZ/JUAN MR", "JUAN"},
		{`given_names`, "Madonna", nil},
		{`given_names`, "Pieter van der Berg", "Pieter"},
		{`family_name`, "Pieter van der BERG", "van der BERG"},
		{`family_name`, "van der BERG Pieter", "van der BERG"},
		{`family_name`, "Maria de los Santos", "de los Santos"},
		{`family_name`, "Mohammed bin Salman", "bin Salman"},
		{`family_name`, "Van Nguyen", "Nguyen"},
		{`family_name`, "Thi Van NGUYEN", "NGUYEN"},
		{`given_names`, "TAN Eng Kiat", "Eng Kiat"},
		{`family_name`, "Juan Dela Cruz Jr.", "Dela Cruz Jr."},
		{`family_name`, "McDONALD John", "McDONALD"},
		{`given_names`, "McDONALD John", "John"},
		{`family_name`, "John Mc Donald", "Mc Donald"},
		{`family_name`, "MR CRUZ, ANA", "CRUZ"},
		{`given_names`, "Capt. Ana CRUZ", "Ana"},
		{`family_name`, "C/O John SMITH", "SMITH"},
		{`given_names`, "3/O Maria SANTOS", "Maria"},
		{`family_name`, "2/E CRUZ/JUAN MR", "CRUZ"},
		{`family_name`, "C/E Santos, Maria", "Santos"},
		{`family_name`, "LI/W MR", "LI"},
		{`family_name`, "Dr John Smith", "Smith"},
		{`given_names`, "Dr John Smith", "John"},
		{`airport`, "mnl", "MNL"},
		{`airport`, "Hamburg", "HAM"},
		{`airport`, "Manila, Philippines", "MNL"},
		{`airport`, "Manila (MNL)", "MNL"},
		{`airport`, "Piraeus", "ATH"},
		{`airport`, "Nowhere", "Nowhere"},
		{`airport`, "Sydney", "SYD"},
		{`airport`, "Georgetown", "Georgetown"},
		{`airport`, "Kingston", "Kingston"},
		{`airport`, "Kingston, Jamaica", "KIN"},
		{`airport`, "Saint Johns, Antigua", "ANU"},
		{`airport`, "Los Angeles, CA", "LAX"},
		{`airport(.city; .country)`, map[string]any{"city": "St. John's", "country": "Canada"}, "YYT"},
		{`airport(.city; .country)`, map[string]any{"city": "George Town", "country": "Guyana"}, "GEO"},
		{`airport(.city; .country)`, map[string]any{"city": "Georgetown", "country": "KY"}, "GCM"},
		{`airport(.city; .country)`, map[string]any{"city": "Kingston", "country": ""}, "Kingston"},
		{`airport(.city; .country)`, map[string]any{"city": "Manila"}, "MNL"},
		{`airport(.city; .country)`, map[string]any{"city": "Manila", "country": "NO"}, "Manila"},
		{`airport(.city; .country)`, map[string]any{"city": "MNL", "country": "NO"}, "MNL"},
		{`airport(.city; .country)`, map[string]any{"country": "NO"}, nil},
		{`phone`, "+63 917 123-4567", "+639171234567"},
		{`phone`, "0917 123 4567", "0917 123 4567"},
		{`fromxml`, "<a><b>1</b><b>2</b></a>", map[string]any{"a": map[string]any{"b": []any{"1", "2"}}}},
		{`fromcsv`, "a,b\n1,2\n", []any{map[string]any{"a": "1", "b": "2"}}},
		{`fromxml`, nil, nil},
		{`"01/02/85" | date("dmy")`, nil, "1985-02-01"},
	} {
		if got := evaluated(t, tt.program, tt.given); !cmp.Equal(got, tt.want) {
			t.Errorf("%v | %s = %#v; want %#v", tt.given, tt.program, got, tt.want)
		}
	}
}

func TestEveryCountryIsFoundByItsCodes(t *testing.T) {
	for _, c := range gangway.Countries() {
		if got := countryOf(c.Name()); got != string(c) {
			t.Errorf("%s is found as %s", c.Name(), got)
		}
	}
	for three, two := range map[string]string{"DEU": "DE", "SRB": "RS", "MNE": "ME", "TLS": "TL", "BES": "BQ",
		"SSD": "SS"} {
		if got := countryOf(three); got != two {
			t.Errorf("%s is found as %s", three, got)
		}
	}
}
