package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
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
		OffSigners: []gangway.CrewMember{{Traveller: person("2", "Cruz", "Bea"),
			Depart: gangway.PortCall{Date: on.AddDays(1)}}},
	}
}

func TestCrewChanges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in, other := db.In(prod.Scope()), db.In(dev.Scope())
		list := []gangway.CrewChange{
			change("", "Nordlys", "2026-12-02"), change("C2", "Nordlys", "2026-12-01"),
			change("C3", "Ørn", "2026-12-01"), change("C4", "Nordstjernen", "2026-12-03"),
		}
		for _, want := range []store.Counts{{Received: 4, Created: 4}, {Received: 4, Unchanged: 4}} {
			if got, err := in.UpsertCrewChanges(t.Context(), list, storetest.Began); err != nil || got != want {
				t.Fatalf("UpsertCrewChanges = %+v, %v; want %+v", got, err, want)
			}
		}
		t.Run("a crew change comes back as it was", func(t *testing.T) {
			for _, want := range list {
				got, err := in.CrewChange(t.Context(), want.Key())
				want.Origin = gangway.Origin{Source: gangway.Uploaded, Generation: got.Origin.Generation,
					SeenAt: got.Origin.SeenAt}
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("CrewChange(%s): %v, (-want +got)\n%s", want.Key(), err, diff)
				}
			}
		})
		t.Run("vessels are found by the start of their name, days including both ends", func(t *testing.T) {
			tests := []struct {
				vessel   string
				from, to gangway.Date
				want     string
			}{
				{"", "2026-12-01", "2026-12-03",
					"Nordlys 2026-12-01, Ørn 2026-12-01, Nordlys 2026-12-02, Nordstjernen 2026-12-03"},
				{"nord", "2026-12-02", "2026-12-03", "Nordlys 2026-12-02, Nordstjernen 2026-12-03"},
				{gangway.Fold("NORDLYS"), "0001-01-01", "9999-12-31", "Nordlys 2026-12-01, Nordlys 2026-12-02"},
				{gangway.Fold("Ørn"), "2026-12-01", "2026-12-01", "Ørn 2026-12-01"},
				{"lys", "0001-01-01", "9999-12-31", ""},
			}
			for _, tt := range tests {
				keys, err := in.CrewChangeKeys(t.Context(), tt.vessel, tt.from, tt.to, 100)
				var got []string
				for _, key := range keys {
					c, err := in.CrewChange(t.Context(), key)
					must(t, err)
					got = append(got, c.Vessel+" "+string(c.ChangeDate))
				}
				if err != nil || strings.Join(got, ", ") != tt.want {
					t.Errorf("CrewChangeKeys(%q, %s, %s) = %q, %v; want %q", tt.vessel, tt.from, tt.to, got, err,
						tt.want)
				}
			}
		})
		t.Run("nobody else sees it", func(t *testing.T) {
			wantKind(t, gangway.NotFound, did(other.CrewChange(t.Context(), "id:C2")))
			if list, err := other.CrewChangeKeys(t.Context(), "", "0001-01-01", "9999-12-31", 100); len(list) != 0 ||
				err != nil {
				t.Errorf("CrewChangeKeys = %d, %v; want none", len(list), err)
			}
		})
	})
}

// TestDroppedMembers sends a crew change several times, with different members.
func TestDroppedMembers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		with := func(note string, on ...string) gangway.CrewChange {
			c := gangway.CrewChange{TravelRequestID: "C1", Vessel: "Nordlys", ChangeDate: "2026-12-02",
				Extra: []byte(`{"note":"` + note + `"}`)}
			for _, id := range on {
				c.OnSigners = append(c.OnSigners, gangway.CrewMember{Traveller: person(id, "Reyes", "Ana"),
					Metadata: map[string]string{"rank": "AB"}})
			}
			return c
		}
		steps := []struct {
			name string
			c    gangway.CrewChange
			want string // who is dropped, and by which step
		}{
			{"the first time", with("", "1", "2", "3"), ""},
			{"one is left out", with("", "1", "3"), "2@1"},
			{"the same again", with("", "1", "3"), "2@1"},
			{"another note", with("x", "1", "3"), "2@1"},
			{"another is left out", with("x", "3"), "1@4 2@1"},
			{"one comes again", with("x", "2", "3"), "1@4"},
			{"and all", with("x", "1", "2", "3"), ""},
		}
		other := change("C2", "Ørn", "2026-12-01")
		for i, step := range steps {
			at := storetest.Began.Add(time.Duration(i) * time.Hour)
			must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{step.c, other}, at)))
			c, err := in.CrewChange(t.Context(), "id:C1")
			var got []string
			for _, d := range c.Dropped {
				if d.Side != gangway.OnSigner || d.Metadata["rank"] != "AB" {
					t.Errorf("%s: dropped %+v; want everything that was known", step.name, d)
				}
				got = append(got, fmt.Sprintf("%s@%.0f", d.ID, d.At.Sub(storetest.Began).Hours()))
			}
			if err != nil || strings.Join(got, " ") != step.want || c.Size() != step.c.Size() {
				t.Errorf("%s: %d members, dropped %v, %v; want %d and %q", step.name, c.Size(), got, err, step.c.Size(),
					step.want)
			}
		}
	})
}

// TestDroppedByManyAtOnce sends a crew change several times at once, each with one
// person only: whoever is not in the last one stays as a dropped member.
func TestDroppedByManyAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		const uploads = 8
		results := make(chan error, uploads)
		for i := range uploads {
			go func() {
				c := gangway.CrewChange{Vessel: "Nordlys", ChangeDate: "2026-12-02",
					OnSigners: []gangway.CrewMember{{Traveller: person(fmt.Sprint(i), "Reyes", "Ana")}}}
				_, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, storetest.Began)
				results <- err
			}()
		}
		for range uploads {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		keys, err := in.CrewChangeKeys(t.Context(), "", "2026-12-02", "2026-12-02", 100)
		if err != nil || len(keys) != 1 {
			t.Fatalf("%d crew changes, %v; want one", len(keys), err)
		}
		c, err := in.CrewChange(t.Context(), keys[0])
		if err != nil || len(c.OnSigners) != 1 || len(c.Dropped) != uploads-1 {
			t.Fatalf("%+v, %v; want one member and %d dropped", c, err, uploads-1)
		}
	})
}
