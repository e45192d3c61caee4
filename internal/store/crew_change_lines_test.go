package store_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

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
				if fmt.Sprint(got) != fmt.Sprint(want) {
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
