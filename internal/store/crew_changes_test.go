package store_test

import (
	"strings"
	"testing"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func change(id, vessel string, on gangway.Date) gangway.CrewChange {
	return gangway.CrewChange{
		TravelRequestID: id, Vessel: vessel, Flag: "NO", ChangeDate: on, Extra: []byte(`{"voyage":"12"}`),
		OnSigners: []gangway.CrewMember{{
			Traveller: person("1", "Reyes", "Ana"), Arrive: gangway.PortCall{Airport: "SIN", Date: on}, ChangeDate: on,
			Metadata: map[string]string{"rank": "AB", "pool": "Manila"},
		}},
		OffSigners: []gangway.CrewMember{{Traveller: person("2", "Cruz", "Bea"), Depart: gangway.PortCall{Date: on.AddDays(1)}}},
	}
}

func TestCrewChanges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in, other := db.In(prod.Scope()), db.In(dev.Scope())
		list := []gangway.CrewChange{
			change("", "Nordlys", "2026-12-02"), change("C2", "Nordlys", "2026-12-01"), change("C3", "Ørn", "2026-12-01"), change("C4", "Nordstjernen", "2026-12-03"),
		}
		for _, want := range []store.Counts{{Received: 4, Created: 4}, {Received: 4, Unchanged: 4}} {
			if got, err := in.UpsertCrewChanges(t.Context(), list); err != nil || got != want {
				t.Fatalf("UpsertCrewChanges = %+v, %v; want %+v", got, err, want)
			}
		}
		t.Run("a crew change comes back as it was", func(t *testing.T) {
			for _, want := range list {
				got, err := in.CrewChange(t.Context(), want.Key())
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("CrewChange(%s): %v, (-want +got)\n%s", want.Key(), err, diff)
				}
			}
		})
		t.Run("vessels are found by the start of their name, days with both their ends", func(t *testing.T) {
			tests := []struct {
				vessel   string
				from, to gangway.Date
				want     string
			}{
				{"", "2026-12-01", "2026-12-03", "Nordlys 2026-12-01, Ørn 2026-12-01, Nordlys 2026-12-02, Nordstjernen 2026-12-03"},
				{"nord", "2026-12-02", "2026-12-03", "Nordlys 2026-12-02, Nordstjernen 2026-12-03"},
				{gangway.Fold("NORDLYS"), "0001-01-01", "9999-12-31", "Nordlys 2026-12-01, Nordlys 2026-12-02"},
				{gangway.Fold("Ørn"), "2026-12-01", "2026-12-01", "Ørn 2026-12-01"},
				{"lys", "0001-01-01", "9999-12-31", ""},
			}
			for _, tt := range tests {
				list, err := in.CrewChanges(t.Context(), tt.vessel, tt.from, tt.to)
				var got []string
				for _, c := range list {
					got = append(got, c.Vessel+" "+string(c.ChangeDate))
				}
				if err != nil || strings.Join(got, ", ") != tt.want {
					t.Errorf("CrewChanges(%q, %s, %s) = %q, %v; want %q", tt.vessel, tt.from, tt.to, got, err, tt.want)
				}
			}
		})
		t.Run("nobody else sees it", func(t *testing.T) {
			if _, err := other.CrewChange(t.Context(), "id:C2"); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("CrewChange: %v; want NotFound", err)
			}
			if list, err := other.CrewChanges(t.Context(), "", "0001-01-01", "9999-12-31"); len(list) != 0 || err != nil {
				t.Errorf("CrewChanges = %d, %v; want none", len(list), err)
			}
		})
	})
}
