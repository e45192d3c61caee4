package orders

import (
	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
)

// A record is an order as the ledger keeps it. What time alone brings about, a
// hold that lapses, a price that moves, a refund that arrives or a flight that
// does not fly, is not written but seen when it is read.
type record struct {
	flight.Order
	Offer  string          `json:"offer"`           // its flights, brand and cabin, and what its price depends on
	Bill   tariff.Bill     `json:"bill,omitempty"`  // the price, part by part
	Rules  string          `json:"rules,omitzero"`  // the airline whose rules hold; empty: the plating one
	Vessel string          `json:"vessel,omitzero"` // of marine fares
	Flag   gangway.Country `json:"flag,omitzero"`
	Papers int             `json:"papers,omitzero"` // ticket numbers used so far
	Known  []string        `json:"known,omitempty"` // flights whose disruption was accepted, as in "EK333.20801"
	Never  bool            `json:"never,omitzero"`  // nothing was held under this reference, and nothing will be

	version int
}

const (
	orderPrefix  = "sim_"    // orders are named by their locator, so that none is given twice
	neverPrefix  = "never_"  // references that were asked for in vain
	ticketPrefix = "ticket_" // ticket numbers that are taken
)

// brand returns the brand that the order was booked in.
func (r record) brand() *tariff.Brand { return tariff.BrandNamed(r.Terms.Brand) }

// cabin returns the cabin that the order was booked in.
func (r record) cabin() gangway.Cabin { return tariff.CabinOf(r.Offer) }

// rules returns the airline whose rules hold for an order.
func (r record) rules() string {
	if r.Rules != "" {
		return r.Rules
	}
	return r.Plating
}

// seats returns the seats that an order has, one for each of its flights; none
// where its offer does not tell.
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

// billOf returns what an order was billed. Orders from before bills were kept
// were one part, in dollars.
func (s *Seller) billOf(r record) tariff.Bill {
	if len(r.Bill) > 0 {
		return r.Bill
	}
	p := tariff.Part{Flights: len(r.Itinerary.Segments), Plating: r.Plating, Fare: r.Price.Fare.Minor}
	for _, seg := range r.Itinerary.Segments {
		p.Taxes = append(p.Taxes, int64(tariff.TaxOf(s.Airport(seg.Origin).Country)))
	}
	return tariff.Bill{p}
}

// errLapsed says that an order's hold has ended.
func errLapsed(r record) error {
	const why = "the seats were held until %s and are gone"
	return gangway.Errorf(gangway.Conflict, why, r.HoldUntil.Format("2 January 15:04 MST"))
}
