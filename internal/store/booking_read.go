package store

import (
	"database/sql"
	"fmt"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

func scanBooking(row scanner) (b gangway.Booking, err error) {
	err = row.Scan(docColumn{&b}, when(&b.CheckAt))
	return b, notFoundOr(err, "there is no such booking")
}

// readSnapshot reads a booking as it was right after an action.
func readSnapshot(snapshot string) (b gangway.Booking, err error) {
	err = json.Unmarshal([]byte(snapshot), &b)
	return b, err
}

func scanBookings(rows *sql.Rows) ([]gangway.Booking, error) { return scanAll(rows, scanBooking) }

// scanJourney reads only the part of a booking that plans are compared with: the passenger, the
// itinerary and the purpose. Skipping the rest of the document takes half the time, and a page of
// crew changes compares hundreds of bookings.
func scanJourney(row scanner) (gangway.Booking, error) {
	var j struct {
		ID        string                 `json:"id"`
		Locator   string                 `json:"locator"`
		State     gangway.State          `json:"state"`
		Supplier  string                 `json:"supplier"`
		Passenger gangway.Traveller      `json:"passenger"`
		Itinerary gangway.Itinerary      `json:"itinerary"`
		Purpose   gangway.Purpose        `json:"purpose"`
		Change    *gangway.PendingChange `json:"change"`
		NoShow    *gangway.NoShow        `json:"no_show"`
		Replaces  *gangway.Replacing     `json:"replaces"`
	}
	if err := row.Scan(docColumn{&j}); err != nil {
		return gangway.Booking{}, fmt.Errorf("read booking: %w", err)
	}
	b := gangway.Booking{ID: j.ID, Locator: j.Locator, State: j.State, Supplier: j.Supplier, Passenger: j.Passenger,
		Purpose: j.Purpose, Change: j.Change, NoShow: j.NoShow, Replaces: j.Replaces}
	b.Itinerary = j.Itinerary
	return b, nil
}
