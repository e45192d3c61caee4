package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/erasure"
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
			must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, storetest.Began)))
		}
		want := func(place gangway.Place, date gangway.Date) {
			t.Helper()
			c, err := in.CrewChange(t.Context(), "id:CC-1")
			must(t, err)
			if p, d := c.Where(); p != place || d != date {
				t.Fatalf("the ship is at %q on %s; want %q on %s", p, d, place, date)
			}
		}
		send("2026-12-05", "Nordlys")
		must(t, in.MoveCrewChange(t.Context(), "id:CC-1", gangway.ShipMove{Place: "SIN", Date: "2026-12-02",
			By: "a@example.com", At: storetest.Began}))
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

// A shipPlan plans crew changes of one vessel, without identifiers.
type shipPlan struct {
	t  *testing.T
	db *store.DB
	in store.Scoped
	at time.Time // of the latest upload

	generation int64 // of each upload, instead of the store's
}

// crewOf is a crew change whose people, one letter each, join.
func crewOf(date gangway.Date, people string) gangway.CrewChange {
	c := gangway.CrewChange{Vessel: "Nordlys", Flag: "NO", ChangeDate: date}
	for _, p := range people {
		c.OnSigners = append(c.OnSigners, gangway.CrewMember{Traveller: gangway.Traveller{ID: string(p),
			LastName: "One", FirstName: string(p)}})
	}
	return c
}

// send uploads crew changes, written "2026-12-10 ABCD", from the customer's system or a feed.
func (p *shipPlan) send(source gangway.Source, changes ...string) store.Counts {
	p.t.Helper()
	var list []gangway.CrewChange
	for _, text := range changes {
		date, people, _ := strings.Cut(text, " ")
		list = append(list, crewOf(gangway.Date(date), people))
	}
	rows, err := store.CrewChangeRows(list)
	must(p.t, err)
	p.at = p.at.Add(time.Minute)
	counts, err := p.in.UpsertCrewChangeRows(p.t.Context(), rows, gangway.Origin{Source: source, SeenAt: p.at,
		Generation: p.generation})
	must(p.t, err)
	return counts
}

// wants fails unless these crew changes are planned, by date: "2026-12-10 ABCD", with a question mark where people are
// asked, and what is booked for each. It returns their keys.
func (p *shipPlan) wants(want ...string) (keys []string) {
	p.t.Helper()
	keys, err := p.in.CrewChangeKeys(p.t.Context(), "", "2026-01-01", "2027-12-31", 100)
	must(p.t, err)
	asked, err := p.in.Asked(p.t.Context())
	must(p.t, err)
	var got []string
	for _, key := range keys {
		c, err := p.in.CrewChange(p.t.Context(), key)
		if err != nil || c.Key() != key {
			p.t.Fatalf("the crew change %q has the key %q: %v", key, c.Key(), err)
		}
		text := string(c.ChangeDate) + " "
		for _, m := range c.OnSigners {
			text += m.ID
		}
		if asked[key] {
			text += "?"
		}
		bookings, _, err := p.in.Bookings(p.t.Context(), store.BookingQuery{Change: key})
		must(p.t, err)
		for _, b := range bookings {
			if b.Purpose.Change != key {
				p.t.Errorf("the booking %s is of %q and listed for %q", b.ID, b.Purpose.Change, key)
			}
			text += " " + b.ID
		}
		got = append(got, text)
	}
	if !slices.Equal(got, want) {
		p.t.Fatalf("planned are %q; want %q", got, want)
	}
	return keys
}

func (p *shipPlan) book(id, key string) {
	p.t.Helper()
	createBooking(p.t, p.in, id, func(b *gangway.Booking) {
		b.CreatedAt, b.Purpose.Change = p.at.Add(time.Second), key
		b.Passenger = gangway.Traveller{ID: "A", LastName: "One", FirstName: "A"}
	})
}

func eachShipPlan(t *testing.T, do func(p *shipPlan)) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		do(&shipPlan{t, db, db.In(storetest.Account(t, db).Scope()), noon, 0})
	})
}

// TestShipThatMoved holds what becomes of a crew change without an identifier that is sent for another date.
func TestShipThatMoved(t *testing.T) {
	eachShipPlan(t, func(p *shipPlan) {
		t, up := p.t, gangway.Uploaded
		p.send(up, "2026-12-10 ABCD")
		key := p.wants("2026-12-10 ABCD")[0]
		p.book("b1", key)
		if got := p.send(up, "2026-12-13 ABCE"); got != (store.Counts{Received: 1, Updated: 1}) {
			t.Errorf("a move counts as %+v", got)
		}
		if now := p.wants("2026-12-13 ABCE b1")[0]; now != key {
			t.Errorf("the key became %q", now)
		}
		c, _ := p.in.CrewChange(t.Context(), key)
		if _, date := c.Where(); date != "2026-12-13" || len(c.Dropped) != 1 || c.Moves[0].Why !=
			"3 days apart, 3 of 4 people the same" {
			t.Errorf("the plan is for %s, %d people were dropped, and the moves are %+v", date, len(c.Dropped), c.Moves)
		}
		// Only its present date names it.
		for date, want := range map[gangway.Date]string{
			"2026-12-10": "this crew change moved to 2026-12-13: name it by that date", "2026-12-11": ""} {
			n, err := p.in.DeleteCrewChangeNamed(t.Context(), crewOf(date, ""))
			if got := fmt.Sprint(err); n != 0 || !strings.Contains(got, want) || (err == nil) != (want == "") {
				t.Errorf("delete by %s: %d, %v; want %q", date, n, err, want)
			}
		}
		// The former date with other people is another one, whose key is its own; an exact date wins over it.
		p.send(up, "2026-12-10 WXYZ")
		keys := p.wants("2026-12-10 WXYZ", "2026-12-13 ABCE b1")
		if keys[0] == key || keys[1] != key {
			t.Errorf("the keys are %q", keys)
		}
		p.send(up, "2026-12-10 WXYQ", "2026-12-13 ABCE")
		p.wants("2026-12-10 WXYQ", "2026-12-13 ABCE b1")
		if n, err := p.in.DeleteCrewChangeNamed(t.Context(), crewOf("2026-12-10", "")); n != 1 || err != nil {
			t.Errorf("delete the other: %d, %v", n, err)
		}
		// With the same people it moves back, and then people are asked.
		p.send(up, "2026-12-10 ABCE")
		if now := p.wants("2026-12-10 ABCE b1")[0]; now != key {
			t.Errorf("the key became %q", now)
		}
		p.send(up, "2026-12-13 ABCE")
		keys = p.wants("2026-12-10 ABCE? b1", "2026-12-13 ABCE?")
		p.book("c2", keys[1])
		questions, err := p.in.ChangeQuestions(t.Context(), key)
		if err != nil || len(questions) != 1 || questions[0].Why != "this move was taken back before" {
			t.Fatalf("asked is %+v, %v", questions, err)
		}
		for _, want := range []gangway.Kind{0, gangway.Conflict} {
			q := questions[0]
			err = p.in.AnswerQuestion(t.Context(), storetest.Operator, q.Older.Key(), q.Newer.Key(), true, p.at)
			if (want != 0) != (err != nil) || err != nil && gangway.KindOf(err) != want {
				t.Fatalf("answer: %v; want %v", err, want)
			}
		}
		if now := p.wants("2026-12-13 ABCE c2 b1")[0]; now != key {
			t.Errorf("the key became %q", now)
		}
		c, _ = p.in.CrewChange(t.Context(), key)
		if why := c.Moves[len(c.Moves)-1].Why; why != "3 days apart, 4 of 4 people the same" {
			t.Errorf("it moved because %q", why)
		}
		if n, err := p.in.DeleteCrewChangeNamed(t.Context(), crewOf("2026-12-13", "")); n != 1 || err != nil {
			t.Errorf("delete by its date: %d, %v", n, err)
		}
		p.wants()

		p.generation = p.db.Generation() // two replicas take uploads in the same microsecond
		p.send(up, "2026-12-10 ABCD")
		p.send(up, "2026-12-13 ABCD")
		p.wants("2026-12-13 ABCD c2 b1")
	})
}

// TestMovesByTheAccountsClock holds that by the account's clock it is decided who has flown and what is past, though
// programs and feeds come in without it.
func TestMovesByTheAccountsClock(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		_, dev := storetest.Accounts(t, db)
		p := &shipPlan{t, db, db.In(dev.Scope()), noon, 0}
		p.send(gangway.Uploaded, "2026-12-02 ABCD")
		p.send("feed:plan", "2026-12-22 WXYZ")
		for i, key := range p.wants("2026-12-02 ABCD", "2026-12-22 WXYZ") {
			p.book(fmt.Sprint("b", i), key) // it leaves at noon of 2 December
			must(t, did(p.in.UpdateBooking(t.Context(), fmt.Sprint("b", i), "", issue)))
		}
		p.advance(30*24*time.Hour + 15*time.Hour) // to 3 December, 03:02
		p.send(gangway.Uploaded, "2026-12-05 ABCD")
		p.wants("2026-12-02 ABCD? b0", "2026-12-05 ABCD?", "2026-12-22 WXYZ b1")
		p.advance(2 * 24 * time.Hour) // to 5 December
		p.send(gangway.Uploaded, "2026-12-08 EFGH")
		p.send("feed:plan", "2026-12-10 WXYZ")
		p.wants("2026-12-02 ABCD? b0", "2026-12-05 ABCD?", "2026-12-08 EFGH", "2026-12-10 WXYZ?", "2026-12-22 WXYZ? b1")
		p.advance(4*24*time.Hour + 9*time.Hour) // to 9 December, noon
		p.send(gangway.Uploaded, "2026-12-11 EFGH")
		p.wants("2026-12-02 ABCD? b0", "2026-12-05 ABCD?", "2026-12-08 EFGH", "2026-12-10 WXYZ?", "2026-12-11 EFGH",
			"2026-12-22 WXYZ? b1")
	})
}

func (p *shipPlan) advance(d time.Duration) {
	p.t.Helper()
	to, err := p.in.AdvanceClock(p.t.Context(), storetest.Operator, d, p.at)
	if err == nil {
		_, err = p.in.MoveClock(p.t.Context(), to)
	}
	must(p.t, err)
}

// TestMoveUndone holds that bookings made before a move return to the former date, that later ones stay with the new
// one, and that the move is not made again.
func TestMoveUndone(t *testing.T) {
	eachShipPlan(t, func(p *shipPlan) {
		t, up := p.t, gangway.Uploaded
		p.send(up, "2026-12-10 ABCD")
		key := p.wants("2026-12-10 ABCD")[0]
		p.book("b1", key)
		p.send(up, "2026-12-13 ABCE")
		p.book("c2", key)
		wantKind(t, gangway.Conflict, p.in.UndoMove(t.Context(), storetest.Operator, key, p.at.AddDate(0, 0, 30)))
		must(t, p.in.UndoMove(t.Context(), storetest.Operator, key, p.at.AddDate(0, 0, 29)))
		keys := p.wants("2026-12-10 ABCD? b1", "2026-12-13 ABCE? c2")
		if keys[0] != key {
			t.Errorf("the keys are %q; want %q first", keys, key)
		}
		p.send(up, "2026-12-13 ABCE")
		p.send(up, "2026-12-10 ABCD")
		p.wants("2026-12-10 ABCD? b1", "2026-12-13 ABCE? c2")
		must(t, p.in.AnswerQuestion(t.Context(), storetest.Operator, key, keys[1], false, p.at.AddDate(0, 0, 29)))
		p.send(up, "2026-12-13 ABCE")
		p.wants("2026-12-10 ABCD b1", "2026-12-13 ABCE c2")
		var what []gangway.AuditEvent
		log, err := p.db.Audit(t.Context(), store.AuditQuery{}, 100)
		for _, e := range log {
			if strings.HasPrefix(string(e.What), "crew_change.") {
				what = append(what, e.What)
			}
		}
		if want := []gangway.AuditEvent{gangway.CrewChangeMoved, gangway.CrewChangeMoveUndone, gangway.CrewChangeAsked,
			gangway.CrewChangesTwo}; err != nil || !slices.Equal(what, want) {
			t.Errorf("the audit log has %v, %v; want %v", what, err, want)
		}
	})
}

// TestNoTwoCrewChangesAreLeft holds for random uploads without identifiers: no two crew changes of a vessel that were
// sent apart, at most 21 days apart, share a quarter of their people without a question.
func TestNoTwoCrewChangesAreLeft(t *testing.T) {
	eachShipPlan(t, func(p *shipPlan) {
		for seed := range uint64(40) {
			r, vessel, told := rand.New(rand.NewPCG(seed, 26)), fmt.Sprint("Ship ", seed), ""
			settled := map[[2]string]bool{}
			for range 5 {
				var list []gangway.CrewChange
				for _, day := range r.Perm(30)[:1+r.IntN(2)] {
					c := crewOf(gangway.Date("2026-12-02").AddDays(day), "")
					c.Vessel = vessel
					for _, i := range r.Perm(8)[:1+r.IntN(7)] {
						who := gangway.Traveller{ID: fmt.Sprint(i), LastName: "One", FirstName: fmt.Sprint(i)}
						c.OnSigners = append(c.OnSigners, gangway.CrewMember{Traveller: who})
					}
					list = append(list, c)
					told += fmt.Sprintf("%s %s\n", c.ChangeDate, whoIsIn(c))
				}
				p.at = p.at.Add(time.Minute)
				if _, err := p.in.UpsertCrewChanges(p.t.Context(), list, p.at); err != nil {
					p.t.Fatalf("%v after\n%s", err, told)
				}
				keys, err := p.in.CrewChangeKeys(p.t.Context(), gangway.Fold(vessel), "2026-01-01", "2027-12-31", 100)
				must(p.t, err)
				var stored, sent []gangway.CrewChange
				for _, key := range keys {
					c, err := p.in.CrewChange(p.t.Context(), key)
					questions, wrong := p.in.ChangeQuestions(p.t.Context(), key)
					if err != nil || wrong != nil {
						p.t.Fatal(err, wrong)
					}
					stored = append(stored, c)
					for _, s := range list {
						if s.ChangeDate == c.ChangeDate {
							sent = append(sent, c)
						}
					}
					for _, q := range questions {
						settled[[2]string{q.Older.Key(), q.Newer.Key()}] = true
						settled[[2]string{q.Newer.Key(), q.Older.Key()}] = true
					}
				}
				for _, a := range sent {
					for _, b := range sent {
						settled[[2]string{a.Key(), b.Key()}] = true
					}
				}
				for i, a := range stored {
					for _, b := range stored[:i] {
						same := 4 * (a.Size() - a.Missing(gangway.Search{Members: joining(b)})[gangway.OnSigner])
						if same > 0 && same >= max(a.Size(), b.Size()) && b.ChangeDate.DaysTo(a.ChangeDate) <= 21 &&
							!settled[[2]string{a.Key(), b.Key()}] {
							p.t.Fatalf("nobody is asked about %s and %s after\n%s", b.ChangeDate, a.ChangeDate, told)
						}
					}
				}
			}
		}
	})
}

func joining(c gangway.CrewChange) (list []gangway.SearchMember) {
	for _, m := range c.OnSigners {
		list = append(list, gangway.SearchMember{Traveller: m.Traveller, Side: gangway.OnSigner})
	}
	return list
}

// TestShipThatMayHaveMoved holds what the database knows against a move: who has flown, and other sources.
func TestShipThatMayHaveMoved(t *testing.T) {
	eachShipPlan(t, func(p *shipPlan) {
		up, feed := gangway.Uploaded, gangway.FeedSource("ships")
		p.send(up, "2026-12-10 ABCD")
		p.send(feed, "2026-12-12 ABCD")
		keys := p.wants("2026-12-10 ABCD?", "2026-12-12 ABCD?")
		must(p.t, p.in.AnswerQuestion(p.t.Context(), storetest.Operator, keys[0], keys[1], true, p.at))
		p.send(up, "2026-12-14 ABCD") // the row is the feed's by now
		keys = p.wants("2026-12-12 ABCD?", "2026-12-14 ABCD?")
		must(p.t, p.in.AnswerQuestion(p.t.Context(), storetest.Operator, keys[0], keys[1], true, p.at))
		key := p.wants("2026-12-14 ABCD")[0]
		p.send(feed, "2026-12-10 ABCX") // what the feed says of the first date stays beside the upload's
		p.wants("2026-12-14 ABCD")
		createBooking(p.t, p.in, "flown", func(b *gangway.Booking) {
			b.Purpose.Change, b.Passenger = key, gangway.Traveller{ID: "A", LastName: "One", FirstName: "A"}
			b.Itinerary.Segments[0].Departure = noon.Add(-time.Hour)
		})
		must(p.t, did(p.in.UpdateBooking(p.t.Context(), "flown", "", issue)))
		p.send(up, "2026-12-16 ABCD")
		p.wants("2026-12-14 ABCD? flown", "2026-12-16 ABCD?")
		if q, err := p.in.ChangeQuestions(p.t.Context(), key); err != nil || q[0].Why !=
			"somebody has flown for it already" {
			p.t.Errorf("asked is %+v, %v", q, err)
		}
	})
}

// TestErasedBeforeAMoveIsUndone holds that somebody who was erased does not return with what was before a move.
func TestErasedBeforeAMoveIsUndone(t *testing.T) {
	eachShipPlan(t, func(p *shipPlan) {
		p.send(gangway.Uploaded, "2026-12-10 ABCD")
		p.send(gangway.Uploaded, "2026-12-13 ABCE")
		trace(p.t, p.db)
		who := erasure.DataSubject{Name: "One, D"}
		e, err := p.in.EraseTraveller(p.t.Context(), storetest.Operator, who, noon, nil)
		if err != nil || e.CrewChanges != 1 {
			p.t.Fatalf("erased %+v, %v", e, err)
		}
		key := p.wants("2026-12-13 ABCE")[0]
		must(p.t, p.in.UndoMove(p.t.Context(), storetest.Operator, key, p.at))
		p.wants("2026-12-10 ABC?", "2026-12-13 ABCE?")
	})
}

// TestRotationsStayAsSent holds that the dates of one upload are never taken for each other, nor asked about, also when
// they are sent again with other people.
func TestRotationsStayAsSent(t *testing.T) {
	eachShipPlan(t, func(p *shipPlan) {
		for _, people := range []string{"ABCD", "ABCE"} {
			var dates []string
			for _, days := range []int{0, 7, 14, 28, 42} {
				dates = append(dates, string(gangway.Date("2026-12-02").AddDays(days))+" "+people)
			}
			p.send(gangway.Uploaded, dates...)
			p.wants(dates...)
		}
	})
}
