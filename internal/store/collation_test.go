package store_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestTextIsComparedByBytes holds that no text column depends on the database's
// locale: a new one needs COLLATE_BYTES in its migration.
func TestTextIsComparedByBytes(t *testing.T) {
	url := storetest.PostgresURL(t)
	rows, err := raw(t, url).QueryContext(t.Context(), `
		SELECT table_name || '.' || column_name
		FROM information_schema.columns
		WHERE table_schema = current_schema() AND collation_name IS DISTINCT FROM 'C'
			AND data_type IN ('text', 'character varying', 'character')
		ORDER BY 1`)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var column string
		must(t, rows.Scan(&column))
		t.Errorf("%s is compared by the rules of a language; want COLLATE_BYTES", column)
	}
	must(t, rows.Err())
}

// TestLocales holds that what is found, and in what order, does not depend on the
// locale with which an operator's PostgreSQL was created.
func TestLocales(t *testing.T) {
	for _, locale := range []string{"C", "C.UTF-8", "en_US.UTF-8"} {
		t.Run(locale, func(t *testing.T) {
			db := storetest.PostgresIn(t, locale)
			in := db.In(storetest.Account(t, db).Scope())
			for _, name := range []string{"MULLER", "MÜLLER", "MULLAH"} {
				id := map[string]string{"MULLER": "B00001", "MÜLLER": "B00002", "MULLAH": "B00003"}[name]
				createBooking(t, in, id, func(b *gangway.Booking) {
					b.Passenger = gangway.Traveller{ID: id, LastName: name, FirstName: "Jan", DOB: "1990-01-01"}
					b.Purpose.Vessel = "Ocean " + name
				})
				must(t, did(in.UpsertTravellers(t.Context(),
					[]gangway.Traveller{{ID: id, LastName: name, FirstName: "Jan"}})))
			}
			for _, q := range []store.BookingQuery{{Find: "mul"}, {Find: "mull"}, {Vessel: "oce"}, {Vessel: "ocean m"},
				{Find: "muller"}} {
				list, _, err := in.Bookings(t.Context(), q)
				if want := map[bool]int{true: 2, false: 3}[q.Find == "muller"]; err != nil || len(list) != want {
					t.Errorf("Bookings(%+v) found %d, %v; want %d", q, len(list), err, want)
				}
			}
			if found, err := in.SuggestTravellers(t.Context(), "mul", nil, 10); err != nil || len(found) != 3 ||
				found[0].LastName != "MULLAH" {
				t.Errorf("SuggestTravellers = %+v, %v; want three, MULLAH first", found, err)
			}
		})
	}
}
