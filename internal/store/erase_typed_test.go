package store_test

import (
	"strings"
	"testing"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestErasedFromEveryColumn erases somebody whose values were typed into what
// bookings are found by, and looks at each column of each table.
func TestErasedFromEveryColumn(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		who := gangway.Traveller{ID: "E-77", LastName: "Runztt", FirstName: "Ilja", DOB: "1979-10-07", DocCountry: "RU",
			DocNumber: "RU77019"}
		createBooking(t, in, "a1", func(b *gangway.Booking) {
			const typed = "Runztt Ilja RU77019 07.10.1979"
			b.Passenger, b.PNRs, b.Agency = who, []string{"RU77019", "ABC234"}, typed
			b.Purpose = gangway.Purpose{Vessel: "Nordlys " + typed, Change: "on:" + typed, RequestID: typed,
				SubRequestID: typed, TravelRequestID: typed, FlightIDs: map[string]string{"MNL-SIN_flight_id": typed}}
			b.Invoices = []gangway.Invoice{{Number: typed}}
		})
		createBooking(t, in, "a2", nil)
		cancel := func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "ana@example.com", noon)
		}
		must(t, did(in.UpdateBooking(t.Context(), "a1", "", cancel)))
		said := func() string { return everyColumn(t, url) }
		if before := said(); strings.Count(before, "runztt") < 10 {
			t.Fatalf("the test looks at too few columns: %s", before)
		}
		must(t, did(in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E-77"}, noon,
			nil)))
		after := said()
		for _, word := range []string{"runztt", "ilja", "ru77019", "1979"} {
			if i := strings.Index(after, word); i >= 0 {
				t.Errorf("%q is left: …%s…", word, after[max(0, i-80):min(len(after), i+40)])
			}
		}
		for _, q := range []store.BookingQuery{{Vessel: "nordlys erased"}, {Vessel: "nordlys"}} {
			if list, _, err := in.Bookings(t.Context(), q); err != nil || len(list) == 0 {
				t.Errorf("the vessel %q has %d bookings, %v; want those of that name", q.Vessel, len(list), err)
			}
		}
	})
}

// everyColumn is everything in the database, in lower case, but for the time of each migration: the clock's
// microseconds may have any digits.
func everyColumn(t *testing.T, url string) string {
	t.Helper()
	var all strings.Builder
	db := raw(t, url)
	for _, judged := range store.JudgedColumns() {
		table, column, _ := strings.Cut(judged, ".")
		if judged == "goose_db_version.tstamp" {
			continue
		}
		rows, err := db.QueryContext(t.Context(), `SELECT CAST(`+column+` AS TEXT) FROM `+table+` WHERE `+column+
			` IS NOT NULL`)
		must(t, err)
		for rows.Next() {
			var text string
			must(t, rows.Scan(&text))
			all.WriteString(judged + " " + strings.ToLower(text) + "\n")
		}
		must(t, rows.Err())
		rows.Close()
	}
	return all.String()
}
