package bookings

import (
	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
)

// A bookingCard identifies the booking that a page asks about: whose it is, for which vessel, and
// what flies when.
type bookingCard struct {
	ID, Locator string
	Who         string
	Booking     gangway.Booking
	Vessel      string
	Flag        gangway.Country
	Strip       []flights.StripLeg
}

func newBookingCard(b gangway.Booking) bookingCard {
	return bookingCard{ID: b.ID, Locator: b.Locator, Who: b.Passenger.LastName + ", " + b.Passenger.FirstName,
		Booking: b, Vessel: b.Purpose.Vessel, Flag: b.Purpose.Flag,
		Strip: flights.StripOf(b.Itinerary, b.Purpose.Between)}
}
