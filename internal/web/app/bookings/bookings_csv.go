package bookings

import (
	"context"
	"net/http"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// exportColumns are the columns of the file, in order. To add one, add a line.
var exportColumns = []struct {
	name  string
	value func(bookingRow) string
}{
	{"locator", func(b bookingRow) string { return b.Locator }},
	{"state", func(b bookingRow) string { return string(b.State) }},
	{"traveller", func(b bookingRow) string { return b.Who }},
	{"from", func(b bookingRow) string { return string(b.From) }},
	{"to", func(b bookingRow) string { return string(b.To) }},
	{"departure_local", func(b bookingRow) string { return b.Departure.Format("2006-01-02 15:04") }},
	{"flights", func(b bookingRow) string { return b.Flights }},
	{"vessel", func(b bookingRow) string { return b.Vessel }},
	{"flag", func(b bookingRow) string { return string(b.Flag) }},
	{"price", func(b bookingRow) string { return b.Price.Decimal() }},
	{"currency", func(b bookingRow) string { return b.Price.Currency }},
	{"paid", func(b bookingRow) string { return b.Paid.Decimal() }},
	{"change_fees", func(b bookingRow) string { return b.ChangeFees.Decimal() }},
	{"refund", func(b bookingRow) string { return b.Refund }},
	{"refund_currency", func(b bookingRow) string { return b.RefundCcy }},
	{"tickets", func(b bookingRow) string { return strings.Join(b.Tickets, " ") }},
	{"booked_by", func(b bookingRow) string { return b.CreatedBy }},
	{"booked_at_utc", func(b bookingRow) string { return b.CreatedAt.UTC().Format(time.RFC3339) }},
	{"id", func(b bookingRow) string { return b.ID }},
	{"simulated", func(b bookingRow) string { return map[bool]string{true: "yes", false: "no"}[b.Simulated] }},
	{"pnrs", func(b bookingRow) string { return strings.Join(b.PNRs, " ") }},
}

// ExportBookings writes the bookings that match the filters as a CSV file. Each batch continues
// after the last booking of the one before, so that what is booked meanwhile neither repeats nor
// hides a row.
func (room *Room) ExportBookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	values := r.URL.Query()
	q := room.readBookingQuery(r)
	q.Limit = shell.ExportBatch
	plain := map[string]string{"state": string(q.State), "from": string(q.From), "to": string(q.To)}
	columns := make([]string, len(exportColumns))
	for i, c := range exportColumns {
		columns[i] = c.name
	}
	return room.Export(w, r, in, shell.Export{
		What: gangway.BookingsExported, Name: "bookings", Filters: shell.Filters(values, plain, "find", "vessel", "by"),
		Columns: columns,
		Next: func(ctx context.Context) (rows [][]string, more bool, err error) {
			page, err := in.BookingPage(ctx, q)
			for _, b := range page.List {
				rows = append(rows, bookingRecord(b))
			}
			q.At = page.After
			return rows, q.At != "", err
		},
	})
}

// bookingRecord is a booking's line in the file.
func bookingRecord(b gangway.Booking) []string {
	row, record := newBookingRow(b), make([]string, len(exportColumns))
	for i, c := range exportColumns {
		record[i] = gangway.Harmless(c.value(row))
	}
	return record
}
