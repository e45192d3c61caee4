package gangway

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Leg is one flight asked for: from, to, and when.
type Leg struct {
	Origin      Place  `json:"origin"`
	Destination Place  `json:"destination"`
	Date        Date   `json:"date,omitempty"`        // local date of departure; empty when ArriveOn is set
	LeaveAfter  string `json:"leave_after,omitempty"` // with Date: "HH:MM" local, the journey begins no earlier
	ArriveOn    Date   `json:"arrive_on,omitempty"`   // local date of arrival
	// with ArriveOn: "HH:MM" local, the journey ends no later; it may then end the day before
	ArriveBy string `json:"arrive_by,omitempty"`
}

// An Itinerary is the flights of one traveller, leg by leg in order of departure.
type Itinerary struct {
	Segments []Segment `json:"segments"`
	// one for each connection within a leg, in their order; empty when the supplier does not say
	Connections []Connection `json:"connections,omitempty"`
}

// A Connection is what a supplier says about a connection between two flights.
type Connection struct {
	Least int  `json:"least"`          // the minimum connecting time, in minutes
	Last  bool `json:"last,omitempty"` // no later flight that day would do instead
}

// A Segment is one flight from take-off to landing. Departure and Arrival carry
// the offset of their airports, so that their clock time is the local time there.
type Segment struct {
	Leg                 int       `json:"leg"`     // which leg asked for, from 0
	Carrier             string    `json:"carrier"` // marketing airline, IATA code
	FlightNumber        string    `json:"flight_number"`
	Operator            string    `json:"operator,omitempty"` // who flies, IATA code; empty: Carrier, or not known
	Origin              Airport   `json:"origin"`
	Destination         Airport   `json:"destination"`
	Departure           time.Time `json:"departure"`
	Arrival             time.Time `json:"arrival"`
	OriginTerminal      string    `json:"origin_terminal,omitempty"`
	DestinationTerminal string    `json:"destination_terminal,omitempty"`
	Cabin               Cabin     `json:"cabin"`
	Aircraft            string    `json:"aircraft,omitempty"`
	DistanceKm          int       `json:"distance_km"` // great circle
	CO2eKg              float64   `json:"co2e_kg,omitzero"`
	CO2eRFKg            float64   `json:"co2e_rf_kg,omitzero"` // with radiative forcing
}

// Recall returns it with what was known of its connections before, where it does
// not say so itself: suppliers give it with offers, and not always with orders.
func (it Itinerary) Recall(said ...Itinerary) Itinerary {
	for _, old := range said {
		if len(it.Connections) == 0 && it.sameFlights(old) {
			it.Connections = old.Connections
		}
	}
	return it
}

// sameFlights reports whether two itineraries consist of the same flights
// between the same airports, at whatever time they leave.
func (it Itinerary) sameFlights(other Itinerary) bool {
	return slices.EqualFunc(it.Segments, other.Segments, func(a, b Segment) bool {
		return a.Leg == b.Leg && a.Carrier == b.Carrier && a.FlightNumber == b.FlightNumber && a.Origin == b.Origin &&
			a.Destination == b.Destination
	})
}

// SameSeats reports whether two itineraries consist of the same flights on the same days in the same cabins.
func (it Itinerary) SameSeats(other Itinerary) bool {
	return it.sameFlights(other) && slices.EqualFunc(it.Segments, other.Segments, func(a, b Segment) bool {
		return a.Cabin == b.Cabin && DateOf(a.Departure) == DateOf(b.Departure)
	})
}

// SameTimes reports whether the flights of two itineraries leave and arrive at the same times.
func (it Itinerary) SameTimes(other Itinerary) bool {
	return slices.EqualFunc(it.Segments, other.Segments, func(a, b Segment) bool {
		return a.Departure.Equal(b.Departure) && a.Arrival.Equal(b.Arrival)
	})
}

// A SegmentChange is a flight of an itinerary as it was and as it is in another one; nil where one of them does not
// have it.
type SegmentChange struct {
	Was, Is *Segment
	Missed  bool // the flight before it now lands too late for it
}

// shortestChange is the time within which nobody changes flights anywhere.
const shortestChange = 20 * time.Minute

// Compared returns how the flights of it differ from those of another itinerary in its place, those that stay included,
// in the order of departure.
func (it Itinerary) Compared(other Itinerary) []SegmentChange {
	var list []SegmentChange
	left := slices.Clone(other.Segments)
	for i := range it.Segments {
		was := &it.Segments[i]
		c := SegmentChange{Was: was}
		if at := slices.IndexFunc(left, func(s Segment) bool {
			return s.Leg == was.Leg && s.Carrier == was.Carrier && s.FlightNumber == was.FlightNumber &&
				s.Origin == was.Origin && s.Destination == was.Destination
		}); at >= 0 {
			is := left[at]
			c.Is, left = &is, slices.Delete(left, at, at+1)
		} else if i > 0 && it.Connecting(i-1) && list[i-1].Is != nil {
			c.Missed = list[i-1].Is.Arrival.Add(shortestChange).After(was.Departure)
		}
		list = append(list, c)
	}
	for i := range left {
		list = append(list, SegmentChange{Is: &left[i]})
	}
	leaves := func(c SegmentChange) time.Time {
		if c.Was != nil {
			return c.Was.Departure
		}
		return c.Is.Departure
	}
	slices.SortStableFunc(list, func(a, b SegmentChange) int { return leaves(a).Compare(leaves(b)) })
	return list
}

// Name writes the flight as people read it: "SQ 917".
func (s Segment) Name() string {
	return s.Carrier + " " + strings.TrimPrefix(s.FlightNumber, s.Carrier)
}

// Duration returns the time from departure to arrival.
func (s Segment) Duration() time.Duration { return s.Arrival.Sub(s.Departure) }

// A Cabin is a cabin class, in the wire's words.
type Cabin string

const (
	Economy        Cabin = "economy"
	PremiumEconomy Cabin = "premium_economy"
	Business       Cabin = "business"
	First          Cabin = "first"
)

// Cabins lists every cabin class.
var Cabins = []Cabin{Economy, PremiumEconomy, Business, First}

// Connecting reports whether segment i continues to another segment of the same leg.
//
// Decided: docs/choices.md, "Booking record".
func (it Itinerary) Connecting(i int) bool {
	return i+1 < len(it.Segments) && it.Segments[i+1].Leg == it.Segments[i].Leg
}

// Legs returns the segments grouped by leg.
func (it Itinerary) Legs() [][]Segment {
	var legs [][]Segment
	for i, s := range it.Segments {
		if i == 0 || it.Segments[i-1].Leg != s.Leg {
			legs = append(legs, nil)
		}
		legs[len(legs)-1] = append(legs[len(legs)-1], s)
	}
	return legs
}

// Departure returns when the first flight leaves; the zero time when there is none.
func (it Itinerary) Departure() time.Time {
	if len(it.Segments) == 0 {
		return time.Time{}
	}
	return it.Segments[0].Departure
}

// Arrival returns when the last flight lands; the zero time when there is none.
func (it Itinerary) Arrival() time.Time {
	if len(it.Segments) == 0 {
		return time.Time{}
	}
	return it.Segments[len(it.Segments)-1].Arrival
}

// Route returns the airports in order, as in MNL, DXB, AMS.
func (it Itinerary) Route() []Airport {
	var route []Airport
	for i, s := range it.Segments {
		if i == 0 || route[len(route)-1] != s.Origin {
			route = append(route, s.Origin)
		}
		route = append(route, s.Destination)
	}
	return route
}

// DistanceKm returns the sum of the segments' great-circle distances.
func (it Itinerary) DistanceKm() int {
	km := 0
	for _, s := range it.Segments {
		km += s.DistanceKm
	}
	return km
}

// An Allowance is the checked baggage included between two airports: a number of
// pieces, or a weight in kilograms in any number of pieces.
//
// Source: IATA, piece concept and weight concept.
type Allowance struct {
	Origin      Airport `json:"origin"`
	Destination Airport `json:"destination"`
	Pieces      int     `json:"pcs"` // 1 with ByWeight
	// of each piece, or with ByWeight of all pieces together; 0 when the supplier does not say
	WeightKg int    `json:"weight"`
	ByWeight bool   `json:"by_weight,omitempty"` // the weight concept: kilograms are counted, not pieces
	URL      string `json:"url,omitempty"`
}

// HeaviestBagKg is the most that one checked bag may weigh, whatever the total
// allowance: baggage handlers need not lift more.
const HeaviestBagKg = 32

// Bags returns the least number of bags that may be checked in.
func (a Allowance) Bags() int {
	if a.ByWeight {
		return (a.WeightKg + HeaviestBagKg - 1) / HeaviestBagKg
	}
	return a.Pieces
}

// Words writes a in a few words: "2 × 23 kg", "30 kg", "1 bag", "no bag".
func (a Allowance) Words() string {
	switch {
	case a.ByWeight:
		return fmt.Sprintf("%d kg", a.WeightKg)
	case a.Pieces == 0:
		return "no bag"
	case a.WeightKg > 0:
		return fmt.Sprintf("%d × %d kg", a.Pieces, a.WeightKg)
	case a.Pieces == 1:
		return "1 bag"
	}
	return fmt.Sprintf("%d bags", a.Pieces)
}

// A FareType is marine or public.
type FareType string

const (
	Marine FareType = "marine" // for people who work on or for a vessel; needs vessel and flag
	Public FareType = "public"
)

// FareTypes lists both.
var FareTypes = []FareType{Marine, Public}

// A CancelRule says what cancelling before departure costs.
type CancelRule string

const (
	Refundable    CancelRule = "refundable"
	PaidCancel    CancelRule = "paid-cancel"
	NonRefundable CancelRule = "non-refundable"
)

// CancelRules lists every rule.
var CancelRules = []CancelRule{Refundable, PaidCancel, NonRefundable}

// A ChangeRule says what changing before departure costs.
type ChangeRule string

const (
	FreeChange ChangeRule = "free-change"
	PaidChange ChangeRule = "paid-change"
	NoChange   ChangeRule = "no-change"
)

// ChangeRules lists every rule.
var ChangeRules = []ChangeRule{FreeChange, PaidChange, NoChange}

// Terms are the rules of a fare.
type Terms struct {
	FareType      FareType   `json:"fare_type"`
	Brand         string     `json:"brand,omitempty"` // the airline's name for the fare, as in "Flex"
	Splitting     bool       `json:"splitting,omitempty"`
	Cancellations CancelRule `json:"cancellations"`
	CancelFee     Money      `json:"cancel_fee,omitzero"`
	Changes       ChangeRule `json:"changes"`
	ChangeFee     Money      `json:"change_fee,omitzero"`
	NoShow        string     `json:"no_show,omitempty"` // a sentence
}

// A Price is what flights cost, together with the fees for changing and booking
// them. Its parts are in one currency and add up to its total.
type Price struct {
	Total Money `json:"total"`
	Fare  Money `json:"fare"`
	Taxes Money `json:"taxes"`
	// for the changes made so far and for the service; without currency when there are none
	Fees Money `json:"fees,omitzero"`
}

// PriceOf returns the price made up of three parts in one currency.
func PriceOf(fare, taxes, fees Money) Price {
	if fees.IsZero() {
		fees = Money{}
	}
	return Price{Total: fare.Add(taxes).Add(fees), Fare: fare, Taxes: taxes, Fees: fees}
}

// Flights returns what the flights alone cost: fare and taxes.
func (p Price) Flights() Money { return p.Total.Sub(p.Fees) }

// Emissions are the greenhouse gases of one traveller's itinerary.
type Emissions struct {
	CO2eKg    float64 `json:"co2e_kg"`              // without radiative forcing
	CO2eRFKg  float64 `json:"co2e_rf_kg"`           // with radiative forcing; zero when the method gives none
	Method    string  `json:"method,omitempty"`     // "desnz", or another source, as in "airline"
	FactorSet string  `json:"factor_set,omitempty"` // which edition of the method's figures, as in "desnz-2025"
}
