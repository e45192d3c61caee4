// Package simtest has searches for the tests of the simulated network.
package simtest

import (
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// Today is when the tests search and book.
var Today = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

// Busy lists airports to travel between.
var Busy = strings.Fields("MNL CEB ILO DVO BOM DEL COK MAA VTZ KRK GDN WAW SZZ TBS BUS OTP VAR ZAG SPU RIX TLL CAI " +
	"CMB DAC RGN HAN SGN PVG DLC TAO XMN CGK SUB LOS ACC ABZ SVG BGO " +
	"AMS SIN IAH DXB PTY GRU LHR FRA JFK SYD PER JNB LAX HKG KOI")

// Crew is a search for a vessel's crew.
func Crew(legs ...gangway.Leg) flight.Ask {
	between, err := flight.LegsOf(legs)
	if err != nil {
		panic(err)
	}
	return flight.Ask{Legs: between, Vessel: "Nordlys", Flag: "NO", MaxStops: -1}
}

// Fly is a crew's search for a day's flights.
func Fly(from, to gangway.Place, on gangway.Date) flight.Ask {
	return Crew(gangway.Leg{Origin: from, Destination: to, Date: on})
}

// Ask is a crew's search for a leg.
func Ask(leg flight.Leg) flight.Ask {
	return flight.Ask{Legs: []flight.Leg{leg}, Vessel: "Nordlys", Flag: "NO", MaxStops: -1}
}

// Side returns the airports of one side of a leg, each with the same way by road.
func Side(ground time.Duration, codes string) []flight.End {
	var ends []flight.End
	for _, code := range strings.Fields(codes) {
		ends = append(ends, flight.End{Airport: gangway.Airport(code), Ground: ground})
	}
	return ends
}

// ClockChanges lists days around which clocks change somewhere: in Europe, in North
// America, in Australia, and in Morocco for Ramadan.
var ClockChanges = []gangway.Date{
	"2027-03-28", "2027-03-14", "2027-04-04", "2027-02-07",
	"2027-03-27", "2027-03-29", "2027-10-31", "2027-11-07", "2027-10-03", "2027-10-30", "2027-11-01",
}
