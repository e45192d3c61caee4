package store_test

import (
	"fmt"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestUndecided holds that the statement and the rule agree about which bookings end before a duty does and need
// somebody to decide.
func TestUndecided(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		hours := []time.Duration{-3, -1, 1, 3, 30}
		n := 0
		for _, price := range hours {
			for _, hold := range hours {
				for _, auto := range []bool{false, true} {
					n++
					createBooking(t, in, fmt.Sprintf("W%05d", n), func(b *gangway.Booking) {
						b.CreatedAt, b.AutoIssue = noon.Add(-100*time.Hour), auto
						b.PriceUntil, b.TicketBy = noon.Add(price*time.Hour), noon.Add(hold*time.Hour)
						b.HoldUntil = b.TicketBy
						if hold == 3 && price == 1 {
							b.Attention = &gangway.Attention{Why: "It was not issued.", At: noon}
						}
					})
				}
			}
		}
		all := sure(in.BookingsByDeadline(t.Context(), 1000))(t)
		mailed := sure(db.EndingsToMail(t.Context(), noon, noon, 1000))(t)
		soon := map[string]bool{}
		for _, b := range mailed {
			soon[b.ID] = true
		}
		for _, b := range all {
			if soon[b.ID] != b.EndsSoon(noon) {
				t.Errorf("%s is mailed of: %v; price until %s, seats until %s, issued at %s", b.ID, soon[b.ID],
					b.PriceGood(), b.HoldUntil, b.IssuesAt())
			}
		}
		if len(mailed) == 0 {
			t.Error("nobody is mailed of anything")
		}
		for _, ahead := range []time.Duration{0, 2, 24, 99} {
			until := noon.Add(ahead * time.Hour)
			want := map[string]bool{}
			for _, b := range all {
				if b.EndsUndecided(noon, until) {
					want[b.ID] = true
				}
			}
			list := sure(in.BookingsUndecided(t.Context(), noon, until, 1000))(t)
			for _, b := range list {
				if !want[b.ID] {
					t.Errorf("until %s: %s is listed: price until %s, seats until %s, issued at %s", until, b.ID,
						b.PriceGood(), b.HoldUntil, b.IssuesAt())
				}
			}
			waits, err := in.Waits(t.Context(), noon, until)
			if err != nil || waits.Deciding != len(want) || len(list) != len(want) || len(all) != n {
				t.Errorf("until %s: %d are counted and %d listed of %d, %v; want %d", until, waits.Deciding, len(list),
					len(all), err, len(want))
			}
		}
	})
}

// TestEndings holds that what ends by itself is listed until the first person has seen it, in one list alone, and that
// it adds nothing to what the customer is told.
func TestEndings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		createBooking(t, in, "LOST01", func(b *gangway.Booking) { b.HoldUntil = noon })
		_, err := in.UpdateBooking(t.Context(), "LOST01", "", func(b *gangway.Booking) (gangway.Action, error) {
			b.Raise("The airline let go of it.", noon)
			return b.Move(gangway.EndHold, gangway.System, noon.Add(time.Minute))
		})
		must(t, err)
		list, err := in.UnseenEndings(t.Context(), 10)
		if err != nil || len(list) != 1 || list[0].Ending != gangway.SeatsReleased || list[0].ID != "LOST01" ||
			!list[0].EndedAt.Equal(noon.Add(time.Minute)) {
			t.Fatalf("UnseenEndings = %+v, %v", list, err)
		}
		waits, err := in.Waits(t.Context(), noon, noon)
		if want := (store.Waits{Ended: 1}); err != nil || waits != want || waits.Today() != 1 {
			t.Errorf("Waits = %+v, %v; want %+v", waits, err, want)
		}
		by := gangway.Stamp{By: "mara@example.com", ByName: "Mara", At: noon.Add(time.Hour)}
		for _, want := range []bool{true, false} {
			if first, err := in.SeeEnding(t.Context(), "LOST01", by); err != nil || first != want {
				t.Errorf("SeeEnding = %v, %v; want %v", first, err, want)
			}
		}
		e, err := in.EndingOf(t.Context(), "LOST01")
		if err != nil || e.Seen != by || e.Ending != gangway.SeatsReleased {
			t.Errorf("EndingOf = %+v, %v", e, err)
		}
		waits, err = in.Waits(t.Context(), noon, noon)
		if want := (store.Waits{Person: 1}); err != nil || waits != want {
			t.Errorf("once seen, Waits = %+v, %v; want %+v", waits, err, want)
		}
		createBooking(t, in, "GAVE01", func(b *gangway.Booking) { b.HoldUntil = noon.Add(time.Hour) })
		_, err = in.UpdateBooking(t.Context(), "GAVE01", "", func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "mara@example.com", noon)
		})
		must(t, err)
		list, err = in.EndedByPeople(t.Context(), 10)
		if err != nil || len(list) != 1 || list[0].ID != "GAVE01" || list[0].Ending != gangway.EndedByPerson ||
			!list[0].EndedAt.Equal(noon) {
			t.Errorf("EndedByPeople = %+v, %v", list, err)
		}
		if now, err := in.Waits(t.Context(), noon, noon); err != nil || now != waits {
			t.Errorf("after a person's release, Waits = %+v, %v; want %+v", now, err, waits)
		}
		must(t, did(in.SeeEnding(t.Context(), "GAVE01", by)))
		if list, err = in.EndedByPeople(t.Context(), 10); err != nil || len(list) != 0 {
			t.Errorf("once seen, EndedByPeople = %+v, %v", list, err)
		}
		if e, err := in.EndingOf(t.Context(), "NONE"); err != nil || e.Ending != "" {
			t.Errorf("EndingOf = %+v, %v; want none", e, err)
		}
	})
}

// TestComparing holds that a booking is compared with its plan once it is held, once it is issued and after each change
// of the plan, and that an answer about a plan that has changed meanwhile counts for nothing.
func TestComparing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		change := gangway.CrewChange{TravelRequestID: "CC-1", Vessel: "Ocean Tern", ChangeDate: "2036-12-01"}
		must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{change}, noon)))
		leaves := time.Date(2036, 11, 30, 9, 0, 0, 0, time.UTC)
		createBooking(t, in, "PLAN01", func(b *gangway.Booking) {
			b.Purpose.Change = change.Key()
			b.Itinerary.Segments = []gangway.Segment{{Departure: leaves, Arrival: leaves.Add(time.Hour)}}
		})
		waiting := func(want int) []store.ToCompare {
			t.Helper()
			list, err := db.ToCompare(t.Context(), 10)
			if err != nil || len(list) != want {
				t.Fatalf("ToCompare = %+v, %v; want %d", list, err, want)
			}
			return list
		}
		versions := func() store.ChangeVersion {
			t.Helper()
			v, err := in.ChangeVersions(t.Context(), []string{change.Key(), "none"})
			if err != nil || len(v) != 1 {
				t.Fatalf("ChangeVersions = %v, %v", v, err)
			}
			return v[change.Key()]
		}
		old := func(string) bool { return true }
		must(t, in.Compared(t.Context(), waiting(1), old, noon))
		if waits, err := in.Waits(t.Context(), noon, leaves); err != nil || waits.OldPlans != 1 || waits.Deciding != 0 {
			t.Errorf("of a hold, Waits = %+v, %v; want it in the list of old plans only", waits, err)
		}
		before := versions()
		must(t, did(in.UpdateBooking(t.Context(), "PLAN01", "", issue)))
		if issued := versions(); issued == before {
			t.Error("an action does not change the version of its crew change")
		}
		seen := waiting(1)
		before, change.Vessel = versions(), "Ocean Tern II"
		must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{change}, noon)))
		if versions() == before {
			t.Error("an upload does not change the version")
		}
		must(t, in.Compared(t.Context(), seen, old, noon))
		must(t, in.Compared(t.Context(), waiting(1), old, noon))
		waiting(0)
		waits, err := in.Waits(t.Context(), noon, noon)
		list, listErr := in.BookingsForOldPlans(t.Context(), "2036-11-29", 10)
		if err != nil || listErr != nil || waits.OldPlans != 1 || len(list) != 1 {
			t.Errorf("OldPlans = %+v, %v; %d listed, %v", waits, err, len(list), listErr)
		}
		must(t, did(in.UpdateBooking(t.Context(), "PLAN01", "", func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "mara@example.com", noon)
		})))
		if waits, err := in.Waits(t.Context(), noon, noon); err != nil || waits.Today() != 0 {
			t.Errorf("once cancelled, Waits = %+v, %v", waits, err)
		}
	})
}

// TestShiftNote holds that nobody writes over a note that they have not read.
func TestShiftNote(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		n := store.ShiftNote{Words: "The agent calls at six.", Stamp: gangway.Stamp{By: "mara@example.com", At: noon}}
		must(t, in.WriteShiftNote(t.Context(), n, 0))
		if got, err := in.ShiftNote(t.Context()); err != nil || got != n {
			t.Errorf("ShiftNote = %+v, %v; want %+v", got, err, n)
		}
		if err := in.WriteShiftNote(t.Context(), n, 0); gangway.KindOf(err) != gangway.Conflict {
			t.Errorf("over an unread note: %v; want a conflict", err)
		}
		n.Words, n.At = "", noon.Add(time.Hour)
		must(t, in.WriteShiftNote(t.Context(), n, noon.UnixMilli()))
	})
}

// TestRequestsWithoutBooking holds that only travel requests with a flight that nobody has booked are listed.
func TestRequestsWithoutBooking(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		var list []gangway.TravelRequest
		for i := range 4 {
			list = append(list, request(fmt.Sprint("R", i), "", "2026-12-01", "2026-12-01"))
		}
		list[1].Flight = nil
		must(t, did(in.UpsertTravelRequests(t.Context(), list)))
		createBooking(t, in, "BOOKED", func(b *gangway.Booking) { b.Purpose.RequestID = "R0" })
		got, more, err := in.RequestsWithoutBooking(t.Context(), "2026-12-01", "2026-12-02", 1)
		if err != nil || len(got) != 1 || got[0].RequestID != "R2" || !more {
			t.Errorf("RequestsWithoutBooking = %+v, %v, %v; want R2 and more", got, more, err)
		}
	})
}
