package store_test

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A customerSource sends and drops records of one source, each time in a new run.
type customerSource struct {
	t    *testing.T
	db   *store.DB
	in   store.Scoped
	from gangway.Origin
}

func sourceOf(t *testing.T, db *store.DB, in store.Scoped, source gangway.Source) *customerSource {
	return &customerSource{t: t, db: db, in: in, from: gangway.Origin{Source: source, SeenAt: noon}}
}

// sends writes travellers by "id surname", in a run of their own.
func (c *customerSource) sends(want store.Counts, people ...string) {
	c.t.Helper()
	c.from.Generation = c.db.Generation()
	var list []gangway.Traveller
	for _, p := range people {
		var tr gangway.Traveller
		fmt.Sscan(p, &tr.ID, &tr.LastName)
		list = append(list, tr)
	}
	rows, err := store.TravellerRows(list)
	must(c.t, err)
	want.Received = len(people)
	if got, err := c.in.UpsertTravellerRows(c.t.Context(), rows, c.from); err != nil || got != want {
		c.t.Fatalf("%s sends %q: %+v, %v; want %+v", c.from.Source, people, got, err, want)
	}
}

// drops drops what its last run did not bring.
func (c *customerSource) drops(want int, but ...string) {
	c.t.Helper()
	n, err := c.in.DropTravellers(c.t.Context(), c.from, func(key string) bool { return slices.Contains(but, key) })
	if err != nil || n != want {
		c.t.Fatalf("%s has only %q: %d dropped, %v; want %d", c.from.Source, but, n, err, want)
	}
}

// wantStored fails the test unless these travellers are stored: "id surname source".
func wantStored(t *testing.T, in store.Scoped, want ...string) {
	t.Helper()
	var got []string
	for _, surname := range []string{"a", "b", "c", "d"} {
		list := sure(in.SuggestTravellers(t.Context(), surname, nil, 10))(t)
		for _, tr := range list {
			from := sure(in.TravellerOrigin(t.Context(), tr.Key()))(t)
			got = append(got, fmt.Sprint(tr.ID, " ", tr.LastName, " ", from.Source))
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("travellers: %q; want %q", got, want)
	}
}

func TestUploadedWinsOverCalled(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		upload, crew, agency := sourceOf(t, db, in, gangway.Uploaded), sourceOf(t, db, in, gangway.FeedSource("crew")),
			sourceOf(t, db, in, gangway.FeedSource("agency"))

		crew.sends(store.Counts{Created: 2}, "1 Alm", "2 Berg")
		upload.sends(store.Counts{Updated: 1}, "1 Ahl") // takes the row over from the feed
		wantStored(t, in, "1 Ahl upload", "2 Berg feed:crew")
		crew.sends(store.Counts{Unchanged: 1, Updated: 1}, "1 Alm", "2 Borg") // the upload keeps the row
		wantStored(t, in, "1 Ahl upload", "2 Borg feed:crew")
		crew.sends(store.Counts{Unchanged: 2}, "1 Alm", "2 Borg")
		crew.drops(1, "id:1") // 2 is no longer in the feed
		wantStored(t, in, "1 Ahl upload")
		crew.sends(store.Counts{Created: 1}, "2 Borg")
		crew.drops(1, "id:2") // 1 is no longer in it either, but was uploaded
		wantStored(t, in, "1 Ahl upload", "2 Borg feed:crew")

		crew.sends(store.Counts{Created: 1, Unchanged: 1}, "1 Alm", "2 Borg")
		crew.sends(store.Counts{Updated: 1, Unchanged: 1}, "1 Alvén", "2 Borg") // the claim is kept up to date
		if n, err := in.DeleteTraveller(t.Context(), "id:1"); err != nil || n != 1 {
			t.Fatalf("taken back: %d, %v", n, err)
		}
		wantStored(t, in, "1 Alvén feed:crew", "2 Borg feed:crew") // only the upload was taken back
		if n, err := in.DeleteTraveller(t.Context(), "id:1"); err != nil || n != 1 {
			t.Fatalf("taken back: %d, %v", n, err)
		}
		wantStored(t, in, "2 Borg feed:crew")

		agency.sends(store.Counts{Created: 2}, "2 Blom", "3 Carl") // two feeds have 2: the first keeps it
		wantStored(t, in, "2 Borg feed:crew", "3 Carl feed:agency")
		agency.sends(store.Counts{Unchanged: 2}, "2 Blom", "3 Carl")
		crew.sends(store.Counts{Unchanged: 1}, "2 Borg")
		crew.drops(0, "id:2")
		upload.sends(store.Counts{Updated: 1}, "2 Bach")
		wantStored(t, in, "2 Bach upload", "3 Carl feed:agency")
		agency.drops(0, "id:2", "id:3")
		must(t, did(in.DeleteTraveller(t.Context(), "id:2")))
		crew.sends(store.Counts{Created: 1}, "4 Dahl")
		before := crew.from
		crew.drops(1, "id:4") // 2 is no longer in one feed, but still in the other
		wantStored(t, in, "2 Blom feed:agency", "3 Carl feed:agency", "4 Dahl feed:crew")
		agency.sends(store.Counts{Created: 1}, "5 Dorn")
		agency.drops(2, "id:5")
		wantStored(t, in, "4 Dahl feed:crew", "5 Dorn feed:agency")

		crew.sends(store.Counts{Updated: 1}, "4 Dale")
		none := func(string) bool { return false }
		if n, err := in.DropTravellers(t.Context(), before, none); n != 0 || err != nil {
			t.Errorf("an older run dropped %d, %v; what a later one has written stays", n, err)
		}
		if n, err := in.DropTravellers(t.Context(), upload.from, none); n != 0 || err == nil {
			t.Errorf("dropped as uploaded: %d, %v; what was uploaded is taken back, never dropped", n, err)
		}
		// Words follow whatever version is in the row.
		wordAll(t, db)
		if list, err := in.SuggestByWord(t.Context(), []string{"dale"}, 10); err != nil || len(list) != 1 {
			t.Errorf("by word: %v, %v; want the traveller now in the row", list, err)
		}
	})
}

// TestLastSeen holds that the time when a record was last sent is written with a
// change, and otherwise once a day: a million records that are sent again each
// night, and each hour after, are written once.
func TestLastSeen(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		for _, source := range []gangway.Source{gangway.Uploaded, gangway.FeedSource("crew")} {
			c := sourceOf(t, db, in, source)
			id := string(source) + "-1"
			first := c.from.SeenAt
			at := func(want time.Time) {
				t.Helper()
				if from, err := in.TravellerOrigin(t.Context(), "id:"+id); err != nil || from.Source != source ||
					!from.SeenAt.Equal(want) {
					t.Fatalf("%s was last seen %s, from %s, %v; want %s", id, from.SeenAt, from.Source, err, want)
				}
			}
			var others []string
			for i := range 600 { // more than fit in one statement
				others = append(others, fmt.Sprintf("%s-x%d Dahl", source, i))
			}
			c.sends(store.Counts{Created: 601}, append(others, id+" Alm")...)
			at(first)
			c.from.SeenAt = first.Add(5 * time.Hour)
			c.sends(store.Counts{Unchanged: 601}, append(others, id+" Alm")...)
			at(first) // on the same day
			version := countOf(t, raw(t, url), `SELECT sum(version) FROM traveller`)
			c.from.SeenAt = first.Add(24 * time.Hour)
			others[7] = fmt.Sprintf("%s-x7 Carl", source)
			// noting this is counted apart from changes
			c.sends(store.Counts{Updated: 1, Unchanged: 600}, append(others, id+" Alm")...)
			at(first.Add(24 * time.Hour))
			if got := countOf(t, raw(t, url), `SELECT sum(version) FROM traveller`); got != version+1 {
				t.Errorf("the versions went from %d to %d; want one more, so that nothing else is traced again",
					version, got)
			}
			c.from.SeenAt = first // as if the clock was set back
			c.sends(store.Counts{Unchanged: 601}, append(others, id+" Alm")...)
			at(first.Add(24 * time.Hour))
		}
	})
}

func TestCrewChangesOfSeveralSources(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		feed := gangway.Origin{Source: gangway.FeedSource("ships")}
		send := func(from gangway.Origin, c gangway.CrewChange, want store.Counts) {
			t.Helper()
			from.SeenAt, from.Generation = noon, db.Generation()
			rows := sure(store.CrewChangeRows([]gangway.CrewChange{c}))(t)
			want.Received = 1
			if got, err := in.UpsertCrewChangeRows(t.Context(), rows, from); err != nil || got != want {
				t.Fatalf("%s: %+v, %v; want %+v", from.Source, got, err, want)
			}
		}
		change := func(vessel string, names ...string) gangway.CrewChange {
			c := gangway.CrewChange{Vessel: vessel, ChangeDate: "2026-12-01"}
			for _, name := range names {
				c.OnSigners = append(c.OnSigners, gangway.CrewMember{
					Traveller: gangway.Traveller{LastName: "One", FirstName: name}})
			}
			return c
		}
		is := func(want string, source gangway.Source) {
			t.Helper()
			c := sure(in.CrewChange(t.Context(), "on:2026-12-01::nordlys"))(t)
			if got := c.Vessel + " " + whoIsIn(c); got != want || c.Origin.Source != source ||
				!c.Origin.SeenAt.Equal(noon) {
				t.Fatalf("the crew change is %q from %s at %s; want %q from %s", got, c.Origin.Source, c.Origin.SeenAt,
					want, source)
			}
		}
		send(feed, change("NORDLYS", "Ana", "Bea"), store.Counts{Created: 1})
		is("NORDLYS on: Ana Bea off: dropped:", feed.Source)
		must(t, in.MoveCrewChange(t.Context(), "on:2026-12-01::nordlys", gangway.ShipMove{Place: "SIN",
			By: "a@example.com", At: noon}))
		// A member whom the upload leaves out is dropped, because that traveller may be booked.
		send(gangway.Origin{Source: gangway.Uploaded}, change("Nordlys", "Ana"), store.Counts{Updated: 1})
		is("Nordlys on: Ana off: dropped: Bea", gangway.Uploaded)
		send(feed, change("NORDLYS", "Ana", "Cas"), store.Counts{Updated: 1})
		is("Nordlys on: Ana off: dropped: Bea", gangway.Uploaded)
		// The same upload on another day is noted, and whoever was dropped stays dropped.
		rows, _ := store.CrewChangeRows([]gangway.CrewChange{change("Nordlys", "Ana")})
		later := gangway.Origin{Source: gangway.Uploaded, SeenAt: noon.AddDate(0, 0, 1)}
		if got, err := in.UpsertCrewChangeRows(t.Context(), rows, later); err != nil || got.Updated != 0 {
			t.Fatalf("the same on the next day: %+v, %v", got, err)
		}
		if c, err := in.CrewChange(t.Context(), "on:2026-12-01::nordlys"); err != nil ||
			whoIsIn(c) != "on: Ana off: dropped: Bea" || !c.Origin.SeenAt.Equal(later.SeenAt) {
			t.Fatalf("the same on the next day: %s, %s, %v", whoIsIn(c), c.Origin.SeenAt, err)
		}
		// A member who is only in the feed's version is found and erased, too.
		trace(t, db)
		if e, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{Name: "One, Cas"}, noon,
			nil); err != nil || e.CrewChanges != 1 {
			t.Fatalf("erase: %+v, %v", e, err)
		}
		if n, err := in.DeleteCrewChange(t.Context(), "on:2026-12-01::nordlys"); err != nil || n != 1 {
			t.Fatalf("taken back: %d, %v", n, err)
		}
		is("NORDLYS on: Ana off: dropped: Bea", feed.Source)
		if c, err := in.CrewChange(t.Context(), "on:2026-12-01::nordlys"); err != nil || c.Moved == nil {
			t.Errorf("the booker's move of the ship is lost: %v", err)
		}

		feed.Generation = db.Generation()
		none := func(string) bool { return false }
		n, err := in.DropCrewChanges(t.Context(), feed, store.Days{From: "2026-12-02", To: "2026-12-31"}, none)
		if n != 0 || err != nil {
			t.Errorf("asked for another day: %d dropped, %v", n, err)
		}
		n, err = in.DropCrewChanges(t.Context(), feed, store.Days{From: "2026-12-01", To: "2026-12-01"}, none)
		if n != 1 || err != nil {
			t.Errorf("asked for its day: %d dropped, %v; want 1", n, err)
		}
	})
}

func TestTravelRequestsOfSeveralSources(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		feed := gangway.Origin{Source: gangway.FeedSource("trips"), SeenAt: noon, Generation: db.Generation()}
		request := func(id, sub, who string, day gangway.Date) gangway.TravelRequest {
			r := gangway.TravelRequest{RequestID: id, SubRequestID: sub,
				Traveller: gangway.Traveller{ID: who, LastName: who}}
			if day != "" {
				r.Hotel = &gangway.HotelNeed{CheckIn: day}
			}
			return r
		}
		send := func(from gangway.Origin, list ...gangway.TravelRequest) {
			t.Helper()
			rows, err := store.TravelRequestRows(list)
			if err == nil {
				_, err = in.UpsertTravelRequestRows(t.Context(), rows, from)
			}
			must(t, err)
		}
		upload := gangway.Origin{Source: gangway.Uploaded, SeenAt: noon}
		is := func(step string, want ...string) {
			t.Helper()
			var got []string
			for _, id := range []string{"R1", "R2", "R3"} {
				list := sure(in.TravelRequestsOf(t.Context(), []string{id}))(t)
				for _, r := range list {
					got = append(got, r.RequestID+r.SubRequestID+" "+r.Traveller.ID)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %q; want %q", step, got, want)
			}
		}
		send(feed, request("R1", "a", "Jun", "2026-12-01"), request("R2", "", "Ana", "2026-12-05"),
			request("R3", "", "Ana", ""))
		send(upload, request("R1", "a", "Maria", "2026-12-01"), request("R1", "b", "Maria", "2026-12-02"))
		is("uploaded wins", "R1a Maria", "R1b Maria", "R2 Ana", "R3 Ana")
		// Sources disagree on who travels: if one of the two is erased, the other source's record stays.
		must(t, did(in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "Maria"}, noon,
			nil)))
		is("Maria erased", "R1a Jun", "R2 Ana", "R3 Ana")
		send(upload, request("R1", "a", "Bea", "2026-12-01"))
		must(t, did(in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "Jun"}, noon,
			nil)))
		is("Jun erased", "R1a Bea", "R2 Ana", "R3 Ana")
		if n, err := in.DeleteTravelRequests(t.Context(), "R1", nil); n != 1 || err != nil {
			t.Fatalf("taken back: %d, %v", n, err)
		}
		is("and nothing of Jun's is left", "R2 Ana", "R3 Ana")

		feed.Generation = db.Generation()
		none := func(string, string) bool { return false }
		if n, err := in.DropTravelRequests(t.Context(), feed, store.Days{From: "2026-12-01", To: "2026-12-07"},
			none); n != 1 || err != nil {
			t.Errorf("asked for a week: %d dropped, %v; want the one in it", n, err)
		}
		is("those without a date stay", "R3 Ana")
		if n, err := in.DropTravelRequests(t.Context(), feed, store.Days{}, none); n != 1 || err != nil {
			t.Errorf("asked for all: %d dropped, %v", n, err)
		}
	})
}

// whoIsIn lists the members of a crew change.
func whoIsIn(c gangway.CrewChange) string {
	text := "on:"
	for _, m := range c.OnSigners {
		text += " " + m.FirstName
	}
	text += " off:"
	for _, m := range c.OffSigners {
		text += " " + m.FirstName
	}
	text += " dropped:"
	for _, d := range c.Dropped {
		text += " " + d.FirstName
	}
	return text
}

func countOf(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	must(t, db.QueryRowContext(t.Context(), query).Scan(&n))
	return n
}
