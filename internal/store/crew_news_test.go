package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// newsOf is the news of a crew change: "2026-12-10 +1 -1 upload", with where it was and how many came and went.
func newsOf(t *testing.T, in store.Scoped, key string) string {
	t.Helper()
	c, err := in.CrewChange(t.Context(), key)
	must(t, err)
	if c.News == nil {
		return ""
	}
	lines, err := in.CrewChangeLines(t.Context(), map[string][]gangway.Traveller{key: nil})
	if n := lines[key].News; err != nil || n == nil || !n.At.Equal(c.News.At) {
		t.Errorf("the line has the news %+v, %v; want %+v", n, err, c.News)
	}
	return fmt.Sprintf("%s +%d -%d %s", c.News.From.Date, len(c.News.Came), c.News.Removed, c.News.Source)
}

// TestCrewNews holds what is kept of what the last upload changed, whichever way it came.
func TestCrewNews(t *testing.T) {
	eachShipPlan(t, func(p *shipPlan) {
		t, up, feed := p.t, gangway.Uploaded, gangway.FeedSource("ships")
		wants := func(key, want string) {
			t.Helper()
			if got := newsOf(t, p.in, key); got != want {
				t.Errorf("the news of %s is %q; want %q", key, got, want)
			}
		}
		p.send(up, "2026-12-10 ABCD")
		key := p.wants("2026-12-10 ABCD")[0]
		wants(key, "")
		p.send(up, "2026-12-10 ABCE")
		wants(key, " +1 -1 upload")
		p.send(up, "2026-12-10 ABCE")
		wants(key, " +1 -1 upload")
		p.send(up, "2026-12-13 ABCE")
		p.wants("2026-12-13 ABCE")
		wants(key, "2026-12-10 +0 -0 upload")
		p.send(feed, "2026-12-13 ABCX") // stays beside the upload's
		wants(key, "2026-12-10 +0 -0 upload")
		found, err := p.in.CrewChangesOn(t.Context(), "NORDLYS", "2026-12-10")
		if err != nil || len(found) != 1 || found[0].Key() != key ||
			!slices.Contains(found[0].FormerDates(), "2026-12-10") {
			t.Errorf("by its former date it is %+v, %v", found, err)
		}
		must(t, p.in.UndoMove(t.Context(), storetest.Operator, key, p.at))
		wants(key, "")
		keys := p.wants("2026-12-10 ABCE?", "2026-12-13 ABCE?")
		must(t, p.in.AnswerQuestion(t.Context(), storetest.Operator, keys[0], keys[1], true, p.at))
		wants(key, "2026-12-10 +0 -0 upload")

		// A feed's: it comes, it moves, and the next source's version takes the place of one that it withdraws.
		p.send(feed, "2027-02-10 ABCD")
		p.send(feed, "2027-02-12 ABCF")
		key = p.wants("2026-12-13 ABCE", "2027-02-12 ABCF")[1]
		wants(key, "2027-02-10 +1 -1 feed:ships")
		// What a person knew before is no news, and where the ship was moved by hand is where it was.
		must(t, p.in.MoveCrewChange(t.Context(), key, gangway.ShipMove{Date: "2027-02-15", At: p.at}))
		p.send(feed, "2027-02-15 ABCF")
		wants(key, "2027-02-10 +1 -1 feed:ships")
	})
}

// TestErasedFromNews holds that nobody who was erased is left among those whom an upload brought.
func TestErasedFromNews(t *testing.T) {
	eachShipPlan(t, func(p *shipPlan) {
		p.send(gangway.Uploaded, "2026-12-10 AB")
		p.send(gangway.Uploaded, "2026-12-10 ABCD")
		trace(p.t, p.db)
		_, err := p.in.EraseTraveller(p.t.Context(), storetest.Operator, erasure.DataSubject{Name: "One, D"}, noon, nil)
		must(p.t, err)
		key := p.wants("2026-12-10 ABC")[0]
		if got := newsOf(p.t, p.in, key); got != " +1 -0 upload" {
			p.t.Errorf("the news is %q", got)
		}
	})
}

// TestCrewRules holds that what a coordinator sets for a crew change is kept, also by uploads, and audited.
func TestCrewRules(t *testing.T) {
	eachShipPlan(t, func(p *shipPlan) {
		t, nights := p.t, 3
		p.send(gangway.Uploaded, "2026-12-10 ABCD")
		key := p.wants("2026-12-10 ABCD")[0]
		rules := gangway.CrewRules{BoardBy: "06:00", Nights: &nights}
		set := func(key string) error {
			return p.in.SetCrewRules(t.Context(), storetest.Operator, key, noon, func(gangway.CrewChange) (
				gangway.CrewRules, error) {
				return rules, nil
			})
		}
		wantKind(t, gangway.NotFound, set("id:none"))
		must(t, set(key))
		must(t, set(key)) // which changes nothing
		wantKind(t, gangway.Conflict, p.in.SetCrewRules(t.Context(), storetest.Operator, key, noon,
			func(c gangway.CrewChange) (gangway.CrewRules, error) {
				return gangway.CrewRules{}, gangway.Errorf(gangway.Conflict, "they are %v", c.Rules.Typed())
			}))
		p.send(gangway.Uploaded, "2026-12-12 ABCD")
		c, err := p.in.CrewChange(t.Context(), key)
		if err != nil || c.Rules.BoardBy != "06:00" || *c.Rules.Nights != 3 || c.Rules.LeaveFrom != "" {
			t.Errorf("the rules are %+v, %v", c.Rules, err)
		}
		log, err := p.db.Audit(t.Context(), store.AuditQuery{What: gangway.CrewChangeRules}, 10)
		if err != nil || len(log) != 1 || log[0].By.ID != storetest.Operator.ID || !log[0].At.Equal(noon) {
			t.Errorf("the audit log has %+v, %v", log, err)
		}
	})
}

// TestCrewChangesWith holds which crew changes are found for hotels: those that moved or lost members, of these people.
func TestCrewChangesWith(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in := db.In(prod.Scope())
		send := func(id string, on gangway.Date, who ...string) {
			t.Helper()
			c := gangway.CrewChange{TravelRequestID: id, Vessel: "Nordlys", ChangeDate: on}
			for _, id := range who {
				c.OnSigners = append(c.OnSigners, gangway.CrewMember{Traveller: person(id, "Reyes"+id, "Ana")})
			}
			must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, noon.Add(time.Minute))))
		}
		send("moved", "2026-12-02", "1", "2")
		send("moved", "2026-12-05", "1", "2")
		send("left", "2026-12-08", "1", "2")
		send("left", "2026-12-08", "2")
		send("same", "2026-12-10", "1")
		send("others", "2026-12-01", "3")
		send("others", "2026-12-02", "3")
		trace(t, db)
		list, err := in.CrewChangesWith(t.Context(), []gangway.Traveller{person("1", "Reyes1", "Ana")}, "2026-11-01",
			"2027-01-01")
		if err != nil || len(list) != 2 || len(list[0].OnSigners) != 1 || len(list[1].Dropped) != 1 {
			t.Errorf("found are %+v, %v", list, err)
		}
		for _, tt := range []struct {
			in   store.Scoped
			of   []gangway.Traveller
			from gangway.Date
		}{
			{db.In(dev.Scope()), []gangway.Traveller{person("1", "Reyes1", "Ana")}, "2026-11-01"},
			{in, nil, "2026-11-01"},
			{in, []gangway.Traveller{person("1", "Reyes1", "Ana")}, "2026-12-09"},
		} {
			list, err := tt.in.CrewChangesWith(t.Context(), tt.of, tt.from, "2027-01-01")
			if err != nil || len(list) > 0 {
				t.Errorf("found are %+v, %v; want none", list, err)
			}
		}
	})
}
