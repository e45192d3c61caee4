package poll_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// crews is what a system answers: crew changes of one vessel, written "2026-12-10 ABCD", whose people join.
func crews(changes ...string) string {
	var list []string
	for _, c := range changes {
		date, people, _ := strings.Cut(c, " ")
		var on []string
		for _, p := range people {
			on = append(on, fmt.Sprintf(`{"id":"%c","last_name":"Reyes","first_name":"%[1]c"}`, p))
		}
		list = append(list, fmt.Sprintf(`{"vessel":"Nordlys","flag":"NO","change_date":%q,"onsigners":[%s]}`, date,
			strings.Join(on, ",")))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// plans fails unless these crew changes are planned, with a question mark where bookers are asked. It returns the keys.
func (d *desk) plans(want ...string) (keys []string) {
	d.t.Helper()
	keys, err := d.in.CrewChangeKeys(d.t.Context(), "", "2026-01-01", "2027-12-31", 100)
	must(d.t, err)
	asked, err := d.in.Asked(d.t.Context())
	must(d.t, err)
	var got []string
	for _, key := range keys {
		c, err := d.in.CrewChange(d.t.Context(), key)
		must(d.t, err)
		text := string(c.ChangeDate) + " "
		for _, m := range c.OnSigners {
			text += m.FirstName
		}
		got = append(got, text+map[bool]string{true: "?"}[asked[key]])
	}
	if !slices.Equal(got, want) {
		d.t.Fatalf("planned are %q; want %q", got, want)
	}
	return keys
}

// A crew change that a system is asked for by date moves once its former date was asked again and no longer has it, in
// whichever order the dates are asked.
func TestShipThatMovedByCall(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		d.set(gangway.CrewChangesFlow, c.URL)
		ask := func(date gangway.Date) {
			t.Helper()
			d.later(time.Minute)
			d.asks(gangway.CrewChangesFlow, gangway.Ask{Date: date}, true)
		}
		c.has(crews("2026-12-10 ABCD"))
		ask("2026-12-10")
		key := d.plans("2026-12-10 ABCD")[0]
		c.has(crews("2026-12-10 ABCD", "2026-12-13 ABCE")) // it has both: they are two
		ask("2026-12-13")
		ask("2026-12-10")
		d.plans("2026-12-10 ABCD", "2026-12-13 ABCE")
		c.has(crews("2026-12-13 ABCE"))
		ask("2026-12-13")
		d.plans("2026-12-10 ABCD", "2026-12-13 ABCE")
		ask("2026-12-10")
		if now := d.plans("2026-12-13 ABCE")[0]; now != key {
			t.Errorf("the key became %q; want %q", now, key)
		}
		c.has(crews("2026-12-16 ABCE")) // the former date is asked first
		ask("2026-12-13")
		d.plans()
		ask("2026-12-16")
		if now := d.plans("2026-12-16 ABCE")[0]; now != key {
			t.Errorf("the key became %q; want %q", now, key)
		}
		c.has(crews("2026-12-26 ABCE")) // too far to know
		ask("2026-12-16")
		d.plans()
		ask("2026-12-26")
		d.plans("2026-12-16 ABCE?", "2026-12-26 ABCE?")
		ask("2026-12-16") // what people are asked about stays
		d.plans("2026-12-16 ABCE?", "2026-12-26 ABCE?")
	})
}

// A feed's run decides what has moved before it removes what is gone, and removes nothing that people are asked about.
func TestShipThatMovedInAFeed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		b := newDropBox(t, d, gangway.CrewChangesFlow, complete)
		b.put("1.json", crews("2026-12-03 ABcd", "2026-12-10 ABCD", "2026-12-17 ABCD"))
		d.run(3, 3, 0, 0, 0, 0)
		keys := d.plans("2026-12-03 ABcd", "2026-12-10 ABCD", "2026-12-17 ABCD")
		b.put("2.json", crews("2026-12-03 ABcd", "2026-12-10 ABCD", "2026-12-19 ABCE"))
		run := d.run(3, 0, 1, 2, 0, 0)
		if now := d.plans("2026-12-03 ABcd", "2026-12-10 ABCD", "2026-12-19 ABCE"); !slices.Equal(now, keys) {
			t.Errorf("the keys became %q; want %q", now, keys)
		}
		const told = "The crew change of Nordlys on 2026-12-17 moved to 2026-12-19: 2 days apart, 3 of 4 people the " +
			"same."
		if len(run.Warnings) != 1 || run.Warnings[0].Message != told {
			t.Errorf("the admins are told %+v; want %s", run.Warnings, told)
		}
		b.put("3.json", crews("2026-12-03 ABcd", "2026-12-10 ABCD", "2026-12-30 ABCE"))
		d.run(3, 1, 0, 2, 0, 0)
		d.plans("2026-12-03 ABcd", "2026-12-10 ABCD", "2026-12-19 ABCE?", "2026-12-30 ABCE?")
	})
}

// A fleet's plan that moves by two days is no list of which most is gone.
func TestPlanThatMovesIsNoShorterList(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	plan := func(first gangway.Date, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("%s %c%c", first.AddDays(7*i), 'A'+i, 'a'+i))
		}
		return crews(list...)
	}
	b := newDropBox(t, d, gangway.CrewChangesFlow, complete)
	b.put("1.json", plan("2026-06-01", 12))
	d.run(12, 12, 0, 0, 0, 0)
	b.put("2.json", plan("2026-06-03", 12))
	d.run(12, 0, 12, 0, 0, 0)
	b.put("3.json", plan("2026-06-03", 6))
	d.fails("it lacks 6 of the 12 records")
}
