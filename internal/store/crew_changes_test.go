package store_test

import (
	"fmt"
	"runtime"
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

// TestCrewChangeLines compares lines, which have few of the members, with the
// whole crew changes: both give everybody the same plan.
func TestCrewChangeLines(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		member := func(i int, t gangway.Traveller) gangway.CrewMember {
			return gangway.CrewMember{Traveller: t,
				Arrive: gangway.PortCall{Date: gangway.Date("2026-12-01").AddDays(i % 3)}}
		}
		var all []gangway.Traveller
		c := gangway.CrewChange{Vessel: "Nordlys", ChangeDate: "2026-12-01", Flag: "NO"}
		for i := range 40 {
			p := person(fmt.Sprint(i), fmt.Sprint("Reyes", i%20), "Ana")
			switch i % 4 {
			case 1:
				p.ID = ""
			case 2:
				p.DocNumber = ""
			case 3:
				p.ID, p.DocNumber = "", ""
			}
			all = append(all, p)
			if i < 25 {
				c.OnSigners = append(c.OnSigners, member(i, p))
			} else {
				m := member(i, p)
				m.Depart, m.Arrive = m.Arrive, gangway.PortCall{}
				c.OffSigners = append(c.OffSigners, m)
			}
		}
		c.OnSigners[7].Arrive.Airport = "SIN"
		sent := c
		sent.OnSigners = append(c.OnSigners[:len(c.OnSigners):len(c.OnSigners)],
			member(1, person("gone", "Cruz", "Bea")))
		for _, version := range []gangway.CrewChange{sent, c} {
			must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{version}, storetest.Began)))
		}
		must(t, in.MoveCrewChange(t.Context(), c.Key(), gangway.ShipMove{Place: "ROT", Date: "2026-12-03"}))
		whole, err := in.CrewChange(t.Context(), c.Key())
		must(t, err)
		all = append(all, person("gone", "Cruz", "Bea"), person("never", "Santos", "Eva"))
		for i, someone := range all {
			lines, err := in.CrewChangeLines(t.Context(),
				map[string][]gangway.Traveller{c.Key(): {someone, all[(i+7)%len(all)]}, "id:nothing": nil})
			line, there := lines[c.Key()]
			if err != nil || len(lines) != 1 || !there {
				t.Fatalf("CrewChangeLines = %d, %v; want one", len(lines), err)
			}
			if line.On != 25 || line.Off != 15 || line.Size() != 40 || line.Sent() != whole.Sent() ||
				line.Key() != whole.Key() {
				t.Errorf("line = %d, %d, %v; want 25, 15, %v", line.On, line.Off, line.Sent(), whole.Sent())
			}
			for _, side := range []gangway.Side{gangway.OnSigner, gangway.OffSigner} {
				got, want := line.List("").Plan(someone, side), whole.List("").Plan(someone, side)
				same := got.Who.RecordKey() == want.Who.RecordKey() // of members, a line has what identifies them
				got.Who, want.Who = gangway.Traveller{}, gangway.Traveller{}
				if !same || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%d %s: plan = %v; want %v", i, side, got, want)
				}
			}
		}
		lines, err := in.CrewChangeLines(t.Context(), map[string][]gangway.Traveller{c.Key(): nil})
		if line := lines[c.Key()]; err != nil || line.On != 25 || line.Off != 15 || line.Sent() != whole.Sent() ||
			len(line.OnSigners)+len(line.OffSigners)+len(line.Dropped) != 0 {
			t.Errorf("without travellers: %+v, %v; want only the counts", line, err)
		}
	})
}

// TestCrewChangeLinesTakeLittle holds that a line takes little memory, however much is said of the members.
func TestCrewChangeLinesTakeLittle(t *testing.T) {
	// In turn, as each looks at the memory of the whole program.
	for _, db := range []*store.DB{storetest.New(t), storetest.Postgres(t)} {
		in := db.In(storetest.Account(t, db).Scope())
		const members = 3000
		c := gangway.CrewChange{Vessel: "Nordlys", ChangeDate: "2026-12-01"}
		for i := range members {
			m := gangway.CrewMember{Traveller: person(fmt.Sprint(i), "Reyes", "Ana"),
				Metadata: map[string]string{"rank": strings.Repeat("x", 100)}}
			c.OnSigners = append(c.OnSigners, m)
		}
		must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, storetest.Began)))
		held := func() (bytes uint64) {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := held()
		var kept []map[string]store.CrewChangeLine
		for range 5 {
			lines, err := in.CrewChangeLines(t.Context(),
				map[string][]gangway.Traveller{c.Key(): {person("7", "Other", "Name")}})
			if line := lines[c.Key()]; err != nil || line.On != members || len(line.OnSigners) != 1 {
				t.Fatalf("CrewChangeLines = %d of %d, %v; want one", len(line.OnSigners), line.On, err)
			}
			kept = append(kept, lines)
		}
		if after := held(); after > before+1<<20 {
			t.Errorf("%d lines of a crew change of %d hold %d bytes", len(kept), members, after-before)
		}
		runtime.KeepAlive(kept)
	}
}
