package book

import (
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A FareError says that nothing was booked because the fare lacks something that the account's crew need, and the
// booker was not asked whether it is meant.
//
// Decided: docs/choices.md, "Fares that crew may use".
type FareError struct{ Unmet gangway.FareRule }

func (e *FareError) Error() string {
	return "company policy: crew need " + FareNeeds(e.Unmet) + "; confirm that this fare is meant"
}

// Unwrap makes it a Conflict.
func (e *FareError) Unwrap() error { return gangway.Errorf(gangway.Conflict, "%s", e.Error()) }

// FareNeeds says what a rule asks for: "a checked bag and a changeable fare".
func FareNeeds(r gangway.FareRule) string {
	switch {
	case r.Bag && r.Change:
		return "a checked bag and a changeable fare"
	case r.Bag:
		return "a checked bag"
	}
	return "a changeable fare"
}

// fareMeant returns a FareError if crew may not use a fare and the booker was not told in what. If they were, why is
// what the history says.
func (ask BookAsk) fareMeant(s gangway.Settings, o flight.Offer) (why string, err error) {
	unmet := s.Fares.Unmet(o.Terms, o.Baggage)
	switch {
	case ask.Supplier == flight.Elsewhere || unmet == (gangway.FareRule{}):
		return "", nil
	case unmet != ask.Unmet:
		return "", &FareError{unmet}
	}
	return "held against the fare setting: crew need " + FareNeeds(unmet), nil
}

// mayUse returns why an account does not use the airlines or the transits of flights.
func mayUse(s gangway.Settings, it gangway.Itinerary) error {
	if at := s.Transits.On(it, flight.CountryOf); at != "" {
		return gangway.Errorf(gangway.Conflict, "crew of this account do not change planes in %s (%s)",
			world.PlaceIn(string(at)), at)
	}
	code := s.Avoid.On(it)
	if code == "" {
		return nil
	}
	name := code
	if a, known := world.AirlineOf(code); known {
		name = a.Name + " (" + code + ")"
	}
	return gangway.Errorf(gangway.Conflict, "%s is an airline that this account does not use", name)
}
