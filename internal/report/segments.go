package report

import (
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// Segments has a row for each flight of a booking, as it is booked now. What most questions about
// flights are asked by stands in the row itself: when it was booked, its state and the vessel.
var Segments = Set{
	Name: "Segments", Key: []string{"BookingId", "Number"}, Newest: "CreatedAt",
	Columns: columnsOf(segments), Table: "report_segment", Vanishing: true, Tracked: true,
	Navigations: []Navigation{ofBooking},
	About:       "One row for each flight, from take-off to landing, of each booking, as it is booked now.",
}

// A flight is one segment of a booking.
type flight struct {
	gangway.Segment
	number int64 // from 1, in order of departure
	of     gangway.Booking
}

// segments are the columns of Segments.
var segments = []columnOf[flight]{
	{bookingID, func(f flight) any { return f.of.ID }},
	{Column{Name: "Number", SQL: "number", Kind: Integer, Always: true,
		About: "Which flight of the booking it is, from 1, in order of departure."},
		func(f flight) any { return f.number }},
	{Column{Name: "State", SQL: "state", Always: true, About: "Where the booking stands: approval_required, " +
		"confirmed, issued, change_pending, refund_pending, cancelled or declined."},
		func(f flight) any { return string(f.of.State) }},
	{Column{Name: "CreatedAt", SQL: "created_at", Kind: Instant, Always: true, About: "When the booking was made."},
		func(f flight) any { return f.of.CreatedAt.UnixMilli() }},
	{Column{Name: "Leg", SQL: "leg", Kind: Integer, Always: true,
		About: "Which of the legs that were asked for it belongs to, from 1; flights of one leg connect."},
		func(f flight) any { return int64(f.Leg + 1) }},
	{Column{Name: "FlightNumber", SQL: "flight_number", Searched: true, Always: true,
		About: "Airline and number, as in QR843."},
		func(f flight) any { return flightNumber(f.Segment) }},
	{Column{Name: "Carrier", SQL: "carrier", About: "The airline that sells the flight, IATA code."},
		func(f flight) any { return known(f.Carrier) }},
	{Column{Name: "CarrierName", SQL: "carrier_name", Searched: true, About: "Its name."},
		func(f flight) any { return known(airlineName(f.Segment)) }},
	{Column{Name: "OperatingCarrier", SQL: "operating_carrier", About: "The airline that flies, IATA code; unknown " +
		"where the supplier names none besides the one that sells the flight."},
		func(f flight) any { return known(f.Operator) }},
	{Column{Name: "OperatingCarrierName", SQL: "operating_carrier_name", About: "Its name."},
		func(f flight) any {
			if f.Operator == "" {
				return nil
			}
			return world.AirlineName(f.Operator)
		}},
	{Column{Name: "Origin", SQL: "origin", Searched: true, Always: true,
		About: "Airport that it leaves from, IATA code."},
		func(f flight) any { return string(f.Origin) }},
	{Column{Name: "Destination", SQL: "destination", Searched: true, Always: true,
		About: "Airport that it lands at, IATA code."},
		func(f flight) any { return string(f.Destination) }},
	{Column{Name: "DepartureAt", SQL: "departure_at", Kind: Instant, About: "When it leaves."},
		func(f flight) any { return instant(f.Departure) }},
	{Column{Name: "ArrivalAt", SQL: "arrival_at", Kind: Instant, About: "When it lands."},
		func(f flight) any { return instant(f.Arrival) }},
	{Column{Name: "Cabin", SQL: "cabin", About: "economy, premium_economy, business or first."},
		func(f flight) any { return known(string(f.Cabin)) }},
	{Column{Name: "Aircraft", SQL: "aircraft", About: "Type of aircraft, IATA code."},
		func(f flight) any { return known(f.Aircraft) }},
	{Column{Name: "MileageKm", SQL: "mileage_km", Kind: Decimal, Scale: 3, Unit: "km",
		About: "Great-circle distance."},
		func(f flight) any { return known(int64(f.DistanceKm) * 1000) }},
	{Column{Name: "Co2EmissionsKg", SQL: "co2_emissions_kg", Kind: Decimal, Scale: 3, Forced: "co2_forced",
		Unit: "kg", About: "Greenhouse gases of the flight for this traveller, as CO2 equivalent; with radiative " +
			"forcing if the account reports it so. Unknown where only those of the whole booking are known, which " +
			"are rounded once more."},
		func(f flight) any { return grams(f.CO2eKg) }},
	{Column{Name: "VesselName", SQL: "vessel_name", Searched: true,
		About: "The vessel that the traveller flies for."},
		func(f flight) any { return known(f.of.Purpose.Vessel) }},
}

// segmentsOf lists the flights of a booking.
func segmentsOf(b gangway.Booking) (list []flight) {
	for i, s := range b.Itinerary.Segments {
		list = append(list, flight{s, int64(i + 1), b})
	}
	return list
}
