package gangway

import (
	"slices"
	"strings"
)

// A FareRule is what crew need of a fare. The zero FareRule lets them use any.
type FareRule struct {
	Bag    bool // a checked bag on every flight
	Change bool // it can be changed, perhaps for a fee
}

// ParseFareRule reads "any", "bag", "changeable" or "bag,changeable".
func ParseFareRule(s string) (r FareRule, err error) {
	if s == "any" {
		return r, nil
	}
	for need := range strings.SplitSeq(s, ",") {
		switch strings.TrimSpace(need) {
		case "bag":
			r.Bag = true
		case "changeable":
			r.Change = true
		default:
			return FareRule{}, Errorf(Invalid, "fares for crew are %q, %q, %q or %q", "any", "bag", "changeable",
				"bag,changeable")
		}
	}
	return r, nil
}

// String returns r as ParseFareRule reads it.
func (r FareRule) String() string {
	var needs []string
	if r.Bag {
		needs = append(needs, "bag")
	}
	if r.Change {
		needs = append(needs, "changeable")
	}
	if needs == nil {
		return "any"
	}
	return strings.Join(needs, ",")
}

// MarshalText is part of encoding.TextMarshaler.
func (r FareRule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText is part of encoding.TextUnmarshaler.
func (r *FareRule) UnmarshalText(text []byte) (err error) {
	*r, err = ParseFareRule(string(text))
	return err
}

// Unmet returns the needs of r that a fare does not meet. None: crew may use it.
func (r FareRule) Unmet(t Terms, bags []Allowance) FareRule {
	none := len(bags) == 0 || slices.ContainsFunc(bags, func(a Allowance) bool { return a.Bags() == 0 })
	return FareRule{Bag: r.Bag && none, Change: r.Change && t.Changes == NoChange}
}

// Airlines are IATA codes in alphabetical order, as in "QR,SU".
type Airlines string

// ParseAirlines reads "none" or codes as in "QR,SU".
func ParseAirlines(s string) (Airlines, error) {
	if s == "none" {
		return "", nil
	}
	codes := strings.FieldsFunc(strings.ToUpper(s), func(r rune) bool { return r == ',' || r == ' ' })
	for _, code := range codes {
		if len(code) != 2 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
			return "", Errorf(Invalid, "%q is no airline: write codes of two letters (IATA), as in %q", code, "QR,SU")
		}
	}
	if len(codes) == 0 {
		return "", Errorf(Invalid, "airlines are %q or, for instance, %q", "none", "QR,SU")
	}
	slices.Sort(codes)
	return Airlines(strings.Join(slices.Compact(codes), ",")), nil
}

// String returns a as ParseAirlines reads it.
func (a Airlines) String() string {
	if a == "" {
		return "none"
	}
	return string(a)
}

// Codes lists the airlines.
func (a Airlines) Codes() []string {
	if a == "" {
		return nil
	}
	return strings.Split(string(a), ",")
}

// On returns the first of the airlines that sells or operates a flight of it; empty: none does.
func (a Airlines) On(it Itinerary) string {
	codes := a.Codes()
	for _, s := range it.Segments {
		for _, code := range []string{s.Carrier, s.Operator} {
			if slices.Contains(codes, code) {
				return code
			}
		}
	}
	return ""
}

// A Bar is why crew of an account do not use an offer. The zero Bar: they may.
type Bar struct {
	Unmet   FareRule // what the fare lacks; a person may hold it nevertheless
	Avoided string   // an airline that is not to be used: nobody may hold it
	Transit Airport  // where crew may not change planes: nobody may hold it
}

// Never reports whether nobody may hold the offer.
func (b Bar) Never() bool { return b.Avoided != "" || b.Transit != "" }

// Bars says whether crew may use flights at a fare. country returns the country of an airport.
func (s Settings) Bars(p PricedItinerary, country func(Airport) Country) Bar {
	return Bar{Unmet: s.Fares.Unmet(p.Terms, p.Baggage), Avoided: s.Avoid.On(p.Itinerary),
		Transit: s.Transits.On(p.Itinerary, country)}
}

// Transits are airports and countries where crew may not change planes, in alphabetical order, as in "DXB,US".
type Transits string

// mostTransits is how many there can be.
const mostTransits = 50

// ParseTransits reads codes of airports and countries as in "DXB, US", or nothing.
func ParseTransits(s string) (Transits, error) {
	lines := strings.NewReplacer(",", "\n", " ", "\n").Replace(strings.ToUpper(s))
	codes, err := readLines(lines, mostTransits, func(code string) (key, kept string, err error) {
		if len(code) != 3 && !Country(code).Assigned() || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			err = Errorf(Invalid, "write codes of airports or countries, as in %q", "DXB, US")
		}
		return code, code, err
	})
	return Transits(strings.ReplaceAll(codes, "\n", ",")), err
}

// Codes lists the airports and countries.
func (t Transits) Codes() []string { return Airlines(t).Codes() }

// On returns the first airport at which planes are changed and may not be; empty: there is none. A country in which the
// leg begins or ends is entered anyway.
func (t Transits) On(it Itinerary, country func(Airport) Country) Airport {
	codes := t.Codes()
	if codes == nil {
		return ""
	}
	for _, leg := range it.Legs() {
		entered := []Country{country(leg[0].Origin), country(leg[len(leg)-1].Destination)}
		for i := range leg[1:] {
			for _, at := range []Airport{leg[i].Destination, leg[i+1].Origin} {
				in := country(at)
				if slices.Contains(codes, string(at)) ||
					slices.Contains(codes, string(in)) && !slices.Contains(entered, in) {
					return at
				}
			}
		}
	}
	return ""
}
