package orders

import (
	"cmp"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

// A record is an order in the ledger. What time alone brings about (a hold that lapses, a price
// that moves, a refund that arrives, a flight that does not fly) is not saved, but worked out
// when the record is read.
type record struct {
	flight.Order
	Offer  string          `json:"offer"`           // its flights, brand and cabin, and what its price depends on
	Bill   tariff.Bill     `json:"bill,omitempty"`  // the price, part by part
	Rules  string          `json:"rules,omitzero"`  // the airline whose rules apply; empty: the plating one
	Vessel string          `json:"vessel,omitzero"` // of marine fares
	Flag   gangway.Country `json:"flag,omitzero"`
	Papers int             `json:"papers,omitzero"`  // ticket numbers used so far
	Known  []string        `json:"known,omitempty"`  // flights whose disruption was accepted, as in "EK333.20801"
	Magic  *spell          `json:"magic,omitempty"`  // how airlines treat a magic traveller
	Struck []strike        `json:"struck,omitempty"` // what airlines were told to do to flights
	Never  bool            `json:"never,omitzero"`   // nothing was held under this reference, and nothing will be

	version int
}

const (
	orderPrefix  = "sim_"    // followed by the locator, so that no locator is given twice
	neverPrefix  = "never_"  // references that were looked for before they were held
	ticketPrefix = "ticket_" // ticket numbers that are taken
)

// brand returns the brand that the order was booked in.
func (r record) brand() *tariff.Brand { return tariff.BrandNamed(r.Terms.Brand) }

// cabin returns the cabin that the order was booked in.
func (r record) cabin() gangway.Cabin { return tariff.CabinOf(r.Offer) }

// rules returns the airline whose rules apply to an order.
func (r record) rules() string { return cmp.Or(r.Rules, r.Plating) }

// seats returns the seats of an order, one for each of its flights; none if its offer does not
// say.
func (r record) seats() []tariff.Seat {
	all := tariff.FlightsOf(r.Offer)
	if len(all) != len(r.Itinerary.Segments) {
		return nil
	}
	for i := range all {
		all[i].Cabin = r.Itinerary.Segments[i].Cabin
	}
	return all
}

// errLapsed says that an order's hold has ended.
func errLapsed(r record) error {
	const why = "the seats were held until %s and have been released"
	return gangway.Errorf(gangway.Conflict, why, r.HoldUntil.Format("2 January 15:04 MST"))
}
