package store_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestTakeBackLeavesAnEntry holds that a person who takes something back, or deals with a hotel,
// leaves an entry in the audit log of the account, and that taking back what does not exist leaves none.
func TestTakeBackLeavesAnEntry(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in, other := db.In(storetest.Account(t, db).Scope()), db.In(storetest.Account(t, db).Scope())
		by, at := storetest.Operator, storetest.Began
		change := gangway.CrewChange{Vessel: "Nordlys", TravelRequestID: "CC-1", ChangeDate: "2026-12-01"}
		santos := gangway.Traveller{ID: "7", LastName: "SANTOS"}
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{santos})))
		must(t, did(in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{{RequestID: "R1",
			Hotel: &gangway.HotelNeed{Location: "Oslo", CheckIn: "2026-12-01"}}})))
		must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{change}, at)))
		for _, tt := range []struct {
			what gangway.AuditEvent
			do   func(store.Scoped) (int, error)
		}{
			{gangway.HotelHandled, func(in store.Scoped) (int, error) {
				return in.MarkHotels(t.Context(), by, []store.HotelKey{{RequestID: "R1"}}, "two nights", at)
			}},
			{gangway.HotelReopened, func(in store.Scoped) (int, error) {
				return one(in.ReopenHotel(t.Context(), by, "R1", "", at))
			}},
			{gangway.RequestTakenBack, func(in store.Scoped) (int, error) {
				return in.TakeBackTravelRequest(t.Context(), by, "R1", "", at)
			}},
			{gangway.CrewChangeTakenBack, func(in store.Scoped) (int, error) {
				return in.TakeBackCrewChange(t.Context(), by, "id:CC-1", at)
			}},
			{gangway.TravellerTakenBack, func(in store.Scoped) (int, error) {
				return in.TakeBackTraveller(t.Context(), by, "id:7", at)
			}},
		} {
			before := countAudit(t, db)
			if n, err := tt.do(other); n != 0 || err != nil || countAudit(t, db) != before {
				t.Fatalf("%s in an account without it = %d, %v; want nothing, and no entry", tt.what, n, err)
			}
			if n, err := tt.do(in); n != 1 || err != nil || countAudit(t, db) != before+1 {
				t.Fatalf("%s = %d, %v, with %d entries more; want one of each", tt.what, n, err,
					countAudit(t, db)-before)
			}
			if e := newestAudit(t, db); e.What != tt.what || e.By != by || e.Environment != gangway.Production {
				t.Errorf("the entry is %+v; want %s", e, tt.what)
			}
		}
	})
}

// one is 1 if something was found, else 0.
func one(err error) (int, error) {
	if gangway.KindOf(err) == gangway.NotFound {
		return 0, nil
	}
	return 1, err
}

func newestAudit(t *testing.T, db *store.DB) gangway.AuditEntry {
	t.Helper()
	list, err := db.Audit(t.Context(), store.AuditQuery{Newest: true}, 1)
	if err != nil || len(list) == 0 {
		t.Fatalf("Audit = %v, %v; want an entry", list, err)
	}
	return list[0]
}
