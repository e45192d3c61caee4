package flight

import (
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// MaySell returns nil if flights may be sold at a fare. Otherwise the error says that an
// airline that sells, operates or tickets them is under sanctions. admitted says that the
// account takes such airlines; their marine fares are never sold.
//
// Decided: docs/choices.md, "Airlines that sanctions name".
func MaySell(it gangway.Itinerary, fare gangway.FareType, plating string, admitted bool) error {
	s, named := sanctionOn(it, plating)
	if !named || admitted && fare != gangway.Marine {
		return nil
	}
	why := "this account does not book such airlines"
	if admitted {
		why = "marine fares of such airlines are not sold"
	}
	by := strings.Join(s.By, ", ")
	return gangway.Errorf(gangway.Conflict, "%s (%s) is under sanctions of %s: %s", s.Name, s.Airline, by, why)
}

func sanctionOn(it gangway.Itinerary, plating string) (s world.Sanction, sanctioned bool) {
	if s, ok := world.SanctionOn(plating); ok {
		return s, true
	}
	for _, segment := range it.Segments {
		for _, airline := range []string{segment.Carrier, segment.Operator} {
			if s, ok := world.SanctionOn(airline); ok {
				return s, true
			}
		}
	}
	return world.Sanction{}, false
}
