package flights

import (
	"net/http"
	"strings"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A TwiceRow is another booking of the traveller around the same days.
type TwiceRow struct {
	ID, Locator string
	Words       string
}

// Twice returns the traveller's other bookings around the same days.
func (room *Room) Twice(r *http.Request, in store.Scoped, who gangway.Traveller,
	legs []gangway.Leg) ([]TwiceRow, error) {
	list, err := book.Twice(r.Context(), in, who, legs)
	return TwiceRows(list), err
}

// TwiceRows makes the rows of a traveller's other bookings around the same days.
func TwiceRows(list []gangway.Booking) (rows []TwiceRow) {
	for _, b := range list {
		rows = append(rows, TwiceRow{b.ID, b.Locator, routeWords(b.Itinerary) + ", leaving " +
			b.Itinerary.Departure().Format("Mon 2 Jan 15:04")})
	}
	return rows
}

// FlownLegs returns the days on which an itinerary is flown, as legs.
func FlownLegs(it gangway.Itinerary) []gangway.Leg {
	return []gangway.Leg{{Date: gangway.DateOf(it.Departure())},
		{Date: gangway.DateOf(it.Segments[len(it.Segments)-1].Departure)}}
}

func routeWords(it gangway.Itinerary) string {
	return strings.Join(gangway.Texts(it.Route()), " → ")
}
