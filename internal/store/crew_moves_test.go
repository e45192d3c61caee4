package store_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestMoveCrewChange holds that a move by a booker survives uploads that say
// nothing new, and no longer counts once the customer names another day.
func TestMoveCrewChange(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		send := func(date gangway.Date, vessel string) {
			t.Helper()
			c := gangway.CrewChange{Vessel: vessel, TravelRequestID: "CC-1", ChangeDate: date,
				OnSigners: []gangway.CrewMember{{Traveller: gangway.Traveller{ID: "1"}}}}
			if _, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, storetest.Began); err != nil {
				t.Fatal(err)
			}
		}
		want := func(place gangway.Place, date gangway.Date) {
			t.Helper()
			c, err := in.CrewChange(t.Context(), "id:CC-1")
			if err != nil {
				t.Fatal(err)
			}
			if p, d := c.Where(); p != place || d != date {
				t.Fatalf("the ship is at %q on %s; want %q on %s", p, d, place, date)
			}
		}
		send("2026-12-05", "Nordlys")
		if err := in.MoveCrewChange(t.Context(), "id:CC-1", gangway.ShipMove{Place: "SIN", Date: "2026-12-02",
			By: "a@example.com", At: storetest.Began}); err != nil {
			t.Fatal(err)
		}
		want("SIN", "2026-12-02")
		send("2026-12-05", "Nordlys II")
		want("SIN", "2026-12-02")
		send("2026-12-08", "Nordlys II")
		want("SIN", "2026-12-08")
		if err := in.MoveCrewChange(t.Context(), "id:gone", gangway.ShipMove{}); gangway.KindOf(err) !=
			gangway.NotFound {
			t.Fatalf("moving a crew change that does not exist: %v; want NotFound", err)
		}
	})
}
