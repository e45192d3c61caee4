package plan

import (
	"fmt"
	"hash"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// A Choice is an offer with its grades for one person.
type Choice struct {
	Offer      *flight.Offer
	Key        string // identifies the flights and the fare; stays the same when searched again
	Fit        gangway.Fit
	Spare      Spare
	Carbon     Carbon
	Bar        gangway.Bar   // why crew do not use it
	Wished     bool          // the flight that the customer's system asked for
	Nearest    bool          // nothing matches the wish exactly, and this leaves closest to it
	OffWish    time.Duration // how far from the wished times it leaves
	Early      bool          // it leaves before the traveller is likely to be off the ship and at the airport
	Refundable bool          // perhaps for a fee
	Changeable bool

	Departs, Arrives time.Time
	There            time.Time     // at the place that was asked for, the way from the airport included
	Takes            time.Duration // of all legs together
	Ground           time.Duration // by road to and from the airports of the places asked for
	Stops            int           // of the leg with the most
	Layover          time.Duration // the longest wait between two flights
	Tight            bool          // a connection may be missed
	Bags             int           // checked pieces included on the flight with the fewest
	Airlines         []string      // codes, each once, in the order flown
	PortAirports     []string      // where it ends, or starts, at a place that is no airport itself
	Road             time.Duration // the whole way by road, where it is as short as one to an airport; else zero
	// for each connection, the flights on which the traveller gets there first after missing it; nil: none was found
	Later [][]gangway.Segment

	flown uint64 // the flights, whatever the fare
	marks marks
}

// Price returns the offer's price.
func (c *Choice) Price() gangway.Money { return c.Offer.Price.Total }

// Weigh grades the offers for a member with the plan p, each flight on each fare
// once, in the order of the offers. s are the account's settings.
func Weigh(offers []flight.Offer, m gangway.SearchMember, p gangway.Plan, s gangway.Settings) []Choice {
	median := medianKg(offers, s.RadiativeForcing)
	choices := make([]Choice, 0, len(offers))
	seen := make(map[string]bool, len(offers))
	for i := range offers {
		key := KeyOf(offers[i])
		if seen[key] {
			continue
		}
		seen[key] = true
		c := WeighOne(&offers[i], m)
		c.judge(p, m)
		c.Carbon = Carbon{CarbonOf(offers[i].Emissions, s.RadiativeForcing), median}
		c.Bar = s.Bars(offers[i].PricedItinerary, flight.CountryOf)
		c.mark()
		choices = append(choices, c)
	}
	markNearest(choices)
	noteLater(choices, m.Legs)
	return choices
}

// WeighOne grades an offer by itself, without a plan or others to compare with.
func WeighOne(o *flight.Offer, m gangway.SearchMember) Choice {
	it := o.Itinerary
	c := Choice{
		Offer: o, Key: KeyOf(*o), Spare: SpareOf(it, m.Legs), Wished: wished(it, m.Wishes),
		OffWish: offWish(it, m.Wishes), Early: leavesTooSoon(it, m),
		Refundable: o.Terms.Cancellations != gangway.NonRefundable, Changeable: o.Terms.Changes != gangway.NoChange,
		Departs: it.Departure(), Arrives: it.Arrival(), There: it.Arrival(), Bags: leastBags(o.Baggage),
		Airlines: airlines(it), flown: hashFlights(it).Sum64(),
	}
	changes := it.Connections
	for n, leg := range it.Legs() {
		if n < len(m.Legs) {
			to := c.byRoad(m.Legs[n].Destination, leg[len(leg)-1].Destination)
			c.Ground += to + c.byRoad(m.Legs[n].Origin, leg[0].Origin)
			c.There = leg[len(leg)-1].Arrival.Add(to)
			c.Road = max(flight.GroundTo(m.Legs[n].Origin, leg[len(leg)-1].Destination),
				flight.GroundTo(m.Legs[n].Destination, leg[0].Origin))
		}
		c.Takes += leg[len(leg)-1].Arrival.Sub(leg[0].Departure)
		c.Stops = max(c.Stops, len(leg)-1)
		for i := 1; i < len(leg); i++ {
			wait := leg[i].Departure.Sub(leg[i-1].Arrival)
			c.Layover = max(c.Layover, wait)
			if len(changes) > 0 {
				c.Tight = c.Tight || Tight(wait, changes[0])
				changes = changes[1:]
			}
		}
	}
	c.mark()
	return c
}

// judge grades c by a plan, where there is one.
func (c *Choice) judge(p gangway.Plan, m gangway.SearchMember) {
	it := c.Offer.Itinerary
	meets := p.Meet(it)
	c.Fit, c.Spare = meets.Fit, SpareBy(p, meets, it, m.Legs)
	if len(p.Legs) > 0 {
		c.Early = offTooSoon(p, meets)
	}
}

// byRoad notes the airport flown to or from if a place was asked for that others may serve too, and returns how long
// the way between them takes.
func (c *Choice) byRoad(asked gangway.Place, flown gangway.Airport) time.Duration {
	if asked == "" || asked == gangway.Place(flown) {
		return 0
	}
	if !slices.Contains(c.PortAirports, string(flown)) {
		c.PortAirports = append(c.PortAirports, string(flown))
	}
	return flight.GroundTo(asked, flown)
}

// KeyOf identifies an offer's flights and fare in a few letters. A supplier may give
// the same offer another identifier each time it is asked; this key stays the same.
func KeyOf(o flight.Offer) string {
	h := hashFlights(o.Itinerary)
	fmt.Fprintf(h, "%s %s %s %s", o.Terms.FareType, o.Terms.Brand, o.Terms.Cancellations, o.Terms.Changes)
	return strconv.FormatUint(h.Sum64(), 36)
}

func hashFlights(it gangway.Itinerary) hash.Hash64 {
	h := fnv.New64a()
	for _, s := range it.Segments {
		fmt.Fprintf(h, "%s %s %d %s;", s.FlightNumber, s.Origin, s.Departure.Unix(), s.Cabin)
	}
	return h
}

func airlines(it gangway.Itinerary) []string {
	var codes []string
	for _, s := range it.Segments {
		if !slices.Contains(codes, s.Carrier) {
			codes = append(codes, s.Carrier)
		}
	}
	return codes
}

func leastBags(list []gangway.Allowance) int {
	if len(list) == 0 {
		return 0
	}
	least := list[0].Bags()
	for _, a := range list[1:] {
		least = min(least, a.Bags())
	}
	return least
}

// hurried is how much more than the minimum connecting time a connection needs, so
// that a small delay does no harm.
const hurried = 30 * time.Minute

// Tight reports whether a small delay makes a traveller miss a connection.
func Tight(wait time.Duration, c gangway.Connection) bool {
	return c.Least > 0 && wait < time.Duration(c.Least)*time.Minute+hurried
}

// checkIn is how long before departure somebody who leaves the ship is to be at the airport.
const checkIn = 90 * time.Minute

// leavesTooSoon reports whether an itinerary leaves before somebody off the ship can, where nothing is planned.
func leavesTooSoon(it gangway.Itinerary, m gangway.SearchMember) bool {
	if m.Side != gangway.OffSigner || len(m.Legs) == 0 {
		return false
	}
	p := alone(m.Side, m.Legs[0], gangway.Itinerary{Segments: it.Legs()[0]})
	return offTooSoon(p, p.Meet(it))
}

// offTooSoon reports whether flights leave before somebody is off the ship or, where the hour of that was said, before
// they have checked in.
func offTooSoon(p gangway.Plan, m gangway.Meeting) bool {
	said := p.Hour != "" || p.Legs[0].LeaveAfter != ""
	return p.Side == gangway.OffSigner && (m.Holds(gangway.LeavesBeforeShip) || said && m.At.Before(m.Due.Add(checkIn)))
}

// markNearest marks what leaves closest to the wished times, if nothing leaves
// exactly then.
func markNearest(choices []Choice) {
	if slices.ContainsFunc(choices, func(c Choice) bool { return c.Wished }) {
		return
	}
	least := nearest + 1
	for i := range choices {
		least = min(least, choices[i].OffWish)
	}
	for i := range choices {
		choices[i].Nearest = choices[i].OffWish == least && least <= nearest
	}
}
