package report

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// FlightBookings is the report of the interface: one row for each booking.
//
// Spec: Flight booking report row.
var FlightBookings = Set{
	Name: "FlightBookingDetailed", Key: []string{"BookingId"}, Newest: "CreatedAt",
	Leading: []string{"CreatedAt", "State", "DepartureAt"},
	Beside:  []string{"State", "VesselName", "PassengerLastName", "PriceCurrency", "PriceTotal"},
	Columns: columnsOf(flightBookings), Table: "report_booking", Tracked: true,
	Navigations: []Navigation{
		{Name: "Segments", To: "Segments", Many: true, On: []string{"BookingId"}},
		{Name: "Actions", To: "Actions", Many: true, On: []string{"BookingId"}},
		{Name: "Refund", To: "Refunds", On: []string{"BookingId"}},
		{Name: "Deliveries", To: "Deliveries", Many: true, On: []string{"BookingId"}},
	},
	About: "One row for each flight booking, whatever its state.",
}

// bookingID is the column by which rows of all sets about bookings belong together.
var bookingID = Column{Name: "BookingId", SQL: "booking_id", Always: true, About: "Identifies the booking for ever."}

// A customersBooking is a booking and the customer that it belongs to.
type customersBooking struct {
	gangway.Booking
	customer string
}

// flightBookings are the columns in the interface's order.
var flightBookings = []columnOf[customersBooking]{
	{bookingID,
		func(b customersBooking) any { return b.ID }},
	{Column{Name: "Locator", SQL: "locator", Searched: true, Always: true,
		About: "Six characters that people read out to support."},
		func(b customersBooking) any { return b.Locator }},
	{Column{Name: "State", SQL: "state", Always: true, About: "Where the booking stands: approval_required, " +
		"confirmed, issued, change_pending, refund_pending, cancelled or declined."},
		func(b customersBooking) any { return string(b.State) }},
	{Column{Name: "Co2EmissionsKg", SQL: "co2_emissions_kg", Kind: Decimal, Scale: 3, Forced: "co2_forced",
		Unit: "kg", About: "Greenhouse gases of the flights for this traveller, as CO2 equivalent; with radiative " +
			"forcing if the account reports it so."},
		func(b customersBooking) any { return grams(b.Emissions.CO2eKg) }},
	{Column{Name: "MileageKm", SQL: "mileage_km", Kind: Decimal, Scale: 3, Unit: "km",
		About: "Great-circle distance of all flights together."},
		func(b customersBooking) any { return known(int64(b.Itinerary.DistanceKm()) * 1000) }},
	{Column{Name: "CreatedAt", SQL: "created_at", Kind: Instant, Always: true, About: "When it was booked."},
		func(b customersBooking) any { return b.CreatedAt.UnixMilli() }},
	{Column{Name: "DepartureAt", SQL: "departure_at", Kind: Instant, About: "When the first flight leaves."},
		func(b customersBooking) any { return instant(b.Itinerary.Departure()) }},
	{Column{Name: "ArrivalAt", SQL: "arrival_at", Kind: Instant, About: "When the last flight lands."},
		func(b customersBooking) any { return instant(b.Itinerary.Arrival()) }},
	{Column{Name: "CancelledAt", SQL: "cancelled_at", Kind: Instant, About: "When it was cancelled."},
		func(b customersBooking) any { return instant(b.CancelledAt) }},
	{Column{Name: "FirstOrigin", SQL: "first_origin", About: "Airport that the first flight leaves from, IATA code."},
		func(b customersBooking) any { return end(b.Itinerary.Route(), 0) }},
	{Column{Name: "LastDestination", SQL: "last_destination",
		About: "Airport that the last flight lands at, IATA code."},
		func(b customersBooking) any { return end(b.Itinerary.Route(), -1) }},
	{Column{Name: "FullRoute", SQL: "full_route", Searched: true, About: "All airports in order, as in MNL-DOH-AMS."},
		func(b customersBooking) any { return joined("-", b.Itinerary.Route()) }},
	{Column{Name: "TotalConnectionDuration", SQL: "total_connection_duration", Kind: Integer, Unit: "minutes",
		About: "Time between connecting flights, all connections together; 0 for direct flights."},
		func(b customersBooking) any { return connecting(b.Itinerary) }},
	{Column{Name: "TenantId", SQL: "tenant_id", Always: true, About: "The customer."},
		func(b customersBooking) any { return b.customer }},
	{Column{Name: "NoShow", SQL: "no_show", Kind: Flag, About: "Whether the traveller missed the flight; unknown " +
		"unless somebody has entered it."},
		func(b customersBooking) any {
			if b.NoShow == nil {
				return nil
			}
			return b.NoShow.Missed
		}},
	{Column{Name: "RejectReason", SQL: "reject_reason", About: "Why it was not approved."},
		func(b customersBooking) any { return known(rejection(b.Booking).Reason) }},
	{Column{Name: "RejectedAt", SQL: "rejected_at", Kind: Instant, About: "When it was not approved."},
		func(b customersBooking) any { return instant(rejection(b.Booking).DecidedAt) }},
	{Column{Name: "ApprovedAt", SQL: "approved_at", Kind: Instant, About: "When it was approved."},
		func(b customersBooking) any { return instant(approval(b.Booking).DecidedAt) }},
	{Column{Name: "PaymentMethod", SQL: "payment_method", About: "How it is paid, as the account's settings say."},
		func(b customersBooking) any { return cmp.Or(b.PaymentMethod, gangway.ByInvoice) }},
	{Column{Name: "FrequentFlyerNumberUsed", SQL: "frequent_flyer_number_used", Kind: Flag, Always: true,
		About: "Whether a frequent flyer number was given when booking."},
		func(b customersBooking) any { return b.FrequentFlyerUsed() }},
	{Column{Name: "PassengerLastName", SQL: "passenger_last_name", Searched: true,
		About: "The traveller's family name; null once it was erased."},
		func(b customersBooking) any { return known(traveller(b.Booking).LastName) }},
	{Column{Name: "PassengerFirstName", SQL: "passenger_first_name", Searched: true,
		About: "The traveller's given names; null once they were erased."},
		func(b customersBooking) any { return known(traveller(b.Booking).FirstName) }},
	{Column{Name: "TermsFareType", SQL: "terms_fare_type", About: "marine or public."},
		func(b customersBooking) any { return known(string(b.Terms.FareType)) }},
	{Column{Name: "VesselName", SQL: "vessel_name", Searched: true, About: "The vessel that the traveller flies for."},
		func(b customersBooking) any { return known(b.Purpose.Vessel) }},
	{Column{Name: "VesselFlag", SQL: "vessel_flag", About: "The vessel's flag, ISO 3166-1 alpha-2."},
		func(b customersBooking) any { return known(string(b.Purpose.Flag)) }},
	{Column{Name: "PriceTotal", SQL: "price_total", Kind: Decimal, Scale: 3, Currency: "PriceCurrency",
		About: "What the booking costs, in PriceCurrency."},
		func(b customersBooking) any { return thousandths(b.Price.Total) }},
	{Column{Name: "PriceCurrency", SQL: "price_currency", About: "ISO 4217."},
		func(b customersBooking) any { return known(b.Price.Total.Currency) }},
	{Column{Name: "CreatedByUserName", SQL: "created_by_user_name", About: "Who booked it."},
		func(b customersBooking) any { return person(b.CreatedByName, b.CreatedBy) }},
	{Column{Name: "ApprovedByUserName", SQL: "approved_by_user_name", About: "Who approved it."},
		func(b customersBooking) any {
			return person(approval(b.Booking).DecidedByName, approval(b.Booking).DecidedBy)
		}},
	{Column{Name: "RejectedByUserName", SQL: "rejected_by_user_name", About: "Who did not approve it."},
		func(b customersBooking) any {
			return person(rejection(b.Booking).DecidedByName, rejection(b.Booking).DecidedBy)
		}},
	{Column{Name: "CancelledByUserName", SQL: "cancelled_by_user_name", About: "Who cancelled it."},
		func(b customersBooking) any { return person(b.CancelledByName, b.CancelledBy) }},
	{Column{Name: "CustomFieldsMap", SQL: "custom_fields_map", About: "The customer's own fields of the crew member, " +
		"as a JSON object in a text."},
		func(b customersBooking) any { return customFields(b.Purpose.CustomFields) }},
	{Column{Name: "FlightNumbers", SQL: "flight_numbers",
		About: "Airline and number of each flight, separated by commas."},
		func(b customersBooking) any {
			return joined(", ", gangway.Each(b.Itinerary.Segments, flightNumber))
		}},
	{Column{Name: "PNRs", SQL: "pnrs", About: "The airlines' own locators, separated by commas."},
		func(b customersBooking) any { return joined(", ", b.PNRs) }},
	{Column{Name: "FarePlatingCarriers", SQL: "fare_plating_carriers",
		About: "The airline on whose stock tickets are issued, IATA code."},
		func(b customersBooking) any { return known(b.Plating) }},
	{Column{Name: "AirlineNames", SQL: "airline_names", About: "The airlines' names, each once, separated by commas."},
		func(b customersBooking) any {
			return joined(", ", once(gangway.Each(b.Itinerary.Segments, airlineName)))
		}},
	{Column{Name: "TicketNumbers", SQL: "ticket_numbers", About: "Ticket numbers, separated by commas."},
		func(b customersBooking) any { return joined(", ", b.Tickets) }},
	{Column{Name: "InvoiceNumbers", SQL: "invoice_numbers",
		About: "Invoice numbers, as people have entered them, separated by commas."},
		func(b customersBooking) any { return joined(", ", b.InvoiceNumbers()) }},
	{Column{Name: "RefundTotal", SQL: "refund_total", Kind: Decimal, Scale: 3, Currency: "RefundCurrency",
		About: "What comes back after the cancellation, in RefundCurrency; unknown as long as the airline has not " +
			"said it."},
		func(b customersBooking) any { return thousandthsOf(b.RefundTotal()) }},
	{Column{Name: "RefundCurrency", SQL: "refund_currency", About: "ISO 4217."},
		func(b customersBooking) any {
			m, _ := b.RefundTotal()
			return known(m.Currency)
		}},
}

// RowOf works out the row of FlightBookings for a booking as it stands. Its emissions are
// without radiative forcing; ForcedEmissions are with it.
func RowOf(b gangway.Booking, customer string) Row {
	return rowsOf(flightBookings, []customersBooking{{b, customer}})[0]
}

// ForcedEmissions is the value of Co2EmissionsKg for accounts that report emissions with
// radiative forcing. It is that without where the method gives none.
func ForcedEmissions(b gangway.Booking) any {
	return forcedGrams(b.Emissions.CO2eRFKg, b.Emissions.CO2eKg)
}

// traveller returns who flies, or nobody once that was erased.
func traveller(b gangway.Booking) gangway.Traveller {
	if b.Passenger.Erased() {
		return gangway.Traveller{}
	}
	return b.Passenger
}

// rejection returns the answer of whoever did not approve b, or nothing.
func rejection(b gangway.Booking) gangway.Approval {
	if b.Approval == nil || b.State != gangway.Declined {
		return gangway.Approval{}
	}
	return *b.Approval
}

// approval returns the answer of whoever approved b, or nothing.
func approval(b gangway.Booking) gangway.Approval {
	if b.Approval == nil || b.State == gangway.Declined {
		return gangway.Approval{}
	}
	return *b.Approval
}

// grams returns kilograms in the units of the column; nil if they are not known.
func grams(kg float64) any { return known(int64(math.Round(kg * 1000))) }

// connecting returns the minutes between flights that connect, or nil without flights.
func connecting(it gangway.Itinerary) any {
	if len(it.Segments) == 0 {
		return nil
	}
	var between time.Duration
	for i, s := range it.Segments {
		if it.Connecting(i) {
			between += it.Segments[i+1].Departure.Sub(s.Arrival)
		}
	}
	return int64(between / time.Minute)
}

func flightNumber(s gangway.Segment) string { return s.FlightNumber }

func airlineName(s gangway.Segment) string { return world.AirlineName(s.Carrier) }

// thousandths returns an amount in thousandths of its currency's unit, which is exact for
// every currency; nil without a currency.
func thousandths(m gangway.Money) any {
	if m.Currency == "" {
		return nil
	}
	n := m.Minor
	for range 3 - gangway.Exponent(m.Currency) {
		n *= 10
	}
	return n
}

// thousandthsOf is thousandths of an amount that is perhaps not known; nil then.
func thousandthsOf(m gangway.Money, known bool) any {
	if !known {
		return nil
	}
	return thousandths(m)
}

// customFields writes a member's own fields as a JSON object, in the order of their names.
func customFields(fields map[string]string) any {
	if len(fields) == 0 {
		return nil
	}
	doc, err := json.Marshal(fields) // fails for no map of texts, and sorts it
	if err != nil {
		return nil
	}
	return string(doc)
}

func person(name, email string) any { return known(cmp.Or(name, email)) }

// known returns a value; nil for its zero, which stands for nothing.
func known[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

func instant(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// end returns the first airport of a route, or its last for -1.
func end(route []gangway.Airport, i int) any {
	if len(route) == 0 {
		return nil
	}
	return string(route[(i+len(route))%len(route)])
}

func joined[T ~string](by string, list []T) any {
	return known(strings.Join(gangway.Texts(list), by))
}

// once lists each text once, where it comes first.
func once(list []string) []string {
	var texts []string
	for _, s := range list {
		if !slices.Contains(texts, s) {
			texts = append(texts, s)
		}
	}
	return texts
}
