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
}

// Bars says whether crew may use flights at a fare.
func (s Settings) Bars(p PricedItinerary) Bar {
	return Bar{Unmet: s.Fares.Unmet(p.Terms, p.Baggage), Avoided: s.Avoid.On(p.Itinerary)}
}
