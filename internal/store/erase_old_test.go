package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestRetention holds that personal data is erased when its time after the last arrival is over, and not before.
func TestRetention(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		person := func(id string) gangway.Traveller {
			return gangway.Traveller{ID: id, LastName: "Santos " + id, FirstName: "Maria", DOB: "1990-01-02"}
		}
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{person("flew"), person("flies"),
			person("stays")})))
		landed := noon.AddDate(0, 1, 1)
		createBooking(t, in, "a1", func(b *gangway.Booking) { b.Passenger = person("flew") })
		createBooking(t, in, "b1", func(b *gangway.Booking) {
			b.Passenger = person("flies")
			b.Itinerary.Segments[0].Departure, b.Itinerary.Segments[0].Arrival = noon.AddDate(2, 0, 0),
				noon.AddDate(2, 0, 1)
		})
		createBooking(t, in, "c1", func(b *gangway.Booking) { b.Passenger = person("flew") })
		for _, id := range []string{"a1", "b1"} { // c1 is never issued, and so is not over
			must(t, did(in.UpdateBooking(t.Context(), id, "", issue)))
		}
		requests := []gangway.TravelRequest{
			{RequestID: "old", Traveller: person("flew"), Flight: &gangway.FlightNeed{Origin: "MNL", Destination: "AMS",
				Date: "2020-01-05"}},
			{RequestID: "new", Traveller: person("flew"), Flight: &gangway.FlightNeed{Origin: "MNL", Destination: "AMS",
				Date: "2090-01-05"}},
			{RequestID: "undated", Traveller: person("flew"), Flight: &gangway.FlightNeed{Origin: "MNL",
				Destination: "AMS"}},
		}
		must(t, did(in.UpsertTravelRequests(t.Context(), requests)))
		changes := []gangway.CrewChange{{Vessel: "Nordlys", ChangeDate: "2020-01-05", OnSigners: []gangway.CrewMember{
			{Traveller: person("flew")}}}, {Vessel: "Nordlys", ChangeDate: "2090-01-05"}}
		must(t, did(in.UpsertCrewChanges(t.Context(), changes, noon)))
		erase := func(now time.Time) store.Erased {
			t.Helper()
			e := sure(in.EraseOld(t.Context(), gangway.Retention(12).Until(now), now, nil))(t)
			return e
		}

		if e := erase(landed.AddDate(1, 0, -1)); e.Travellers != 0 || e.Bookings != 0 || e.Requests != 1 ||
			e.CrewChanges != 1 {
			t.Errorf("the day before: %+v; want only the request and the crew change of years ago erased", e)
		}
		at := landed.AddDate(1, 0, 1)
		if e := erase(at); e.Bookings != 1 || e.Travellers != 0 || e.Requests != 0 || e.CrewChanges != 0 {
			t.Errorf("a year later: %+v; want the booking erased, but not the traveller, who has another one", e)
		}
		if b, err := in.Booking(t.Context(), "a1"); err != nil || !b.Passenger.Erased() || b.State != gangway.Issued ||
			b.ErasedAt.IsZero() {
			t.Errorf("the booking is %+v, %v; want it issued, and its traveller erased", b, err)
		}
		if b, err := in.Booking(t.Context(), "c1"); err != nil || b.Passenger.ID != "flew" {
			t.Errorf("a booking that is not over is %+v, %v; want it as it was", b, err)
		}
		cancel := func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "ana@example.com", at)
		}
		must(t, did(in.UpdateBooking(t.Context(), "c1", "", cancel)))
		if e := erase(at); e.Bookings != 1 || e.Travellers != 1 {
			t.Errorf("once it is cancelled: %+v; want the booking and the traveller erased", e)
		}
		if e := erase(at); e.Rows() != 0 {
			t.Errorf("once more: %+v; want nothing", e)
		}
		for id, want := range map[string]gangway.Kind{"id:flies": gangway.NoError, "id:stays": gangway.NoError,
			"id:flew": gangway.NotFound} {
			if _, err := in.Traveller(t.Context(), id); gangway.KindOf(err) != want {
				t.Errorf("traveller %s: %v", id, err)
			}
		}
		if e := erase(noon.AddDate(10, 0, 0)); e.Travellers != 2 || e.Bookings != 1 {
			t.Errorf("years later: %+v; want those who never flew erased too, counted from when they were first seen",
				e)
		}
	})
}

// TestRetentionOfMovedCrewChanges holds that a crew change that a booker moved to a later day is
// kept as from that day.
func TestRetentionOfMovedCrewChanges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		crew := func(id string) gangway.CrewChange {
			return gangway.CrewChange{TravelRequestID: id, Vessel: "Nordlys", ChangeDate: gangway.DateOf(noon)}
		}
		must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{crew("as sent"), crew("later"),
			crew("sooner")}, noon)))
		for id, days := range map[string]int{"later": 40, "sooner": -3} {
			must(t, in.MoveCrewChange(t.Context(), "id:"+id, gangway.ShipMove{Date: gangway.DateOf(noon.AddDate(0, 0,
				days)), By: "ana@example.com", At: noon}))
		}
		erase := func(days, want int) {
			t.Helper()
			e, err := in.EraseOld(t.Context(), noon.AddDate(0, 0, days), noon.AddDate(1, 0, 0), nil)
			if err != nil || e.CrewChanges != want {
				t.Errorf("after %d days: %+v, %v; want %d crew changes erased", days, e, err, want)
			}
		}
		erase(0, 0)
		erase(1, 2)
		if _, err := in.CrewChange(t.Context(), "id:later"); err != nil {
			t.Errorf("the one that was moved to a later day: %v", err)
		}
		erase(40, 0)
		erase(41, 1)
	})
}

// TestRetentionLeavesWhatIsWrittenMeanwhile holds that a record which is sent again, or moved, while old
// data is erased stays as it was written.
func TestRetentionLeavesWhatIsWrittenMeanwhile(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		who := gangway.Traveller{ID: "E1", LastName: "Santos", FirstName: "Maria"}
		travellers := func(phone string) error {
			who.Phone = phone
			_, err := in.UpsertTravellers(t.Context(), []gangway.Traveller{who})
			return err
		}
		requests := func(day gangway.Date) error {
			_, err := in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{{RequestID: "R", Traveller: who,
				Flight: &gangway.FlightNeed{Origin: "MNL", Destination: "AMS", Date: day}}})
			return err
		}
		change := gangway.CrewChange{Vessel: "Nordlys", ChangeDate: "2020-01-05"}
		_, sent := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{change}, noon)
		must(t, errors.Join(travellers("1"), requests("2020-01-05"), sent))
		for table, write := range map[string]func() error{
			"traveller":      func() error { return travellers("2") },
			"travel_request": func() error { return requests("2090-01-05") },
			"crew_change": func() error {
				return in.MoveCrewChange(t.Context(), change.Key(), gangway.ShipMove{Date: "2090-01-05"})
			},
		} {
			n, err := in.EraseOldMeanwhile(t.Context(), table, noon, func() {
				if err := write(); err != nil {
					t.Error(err)
				}
			})
			if err != nil || n != 0 {
				t.Errorf("%s: %d erased that were written meanwhile, %v", table, n, err)
			}
			if n, err := in.EraseOldMeanwhile(t.Context(), table, noon, func() {}); err != nil || n != 1 {
				t.Errorf("%s: %d erased that nobody wrote meanwhile, %v; want 1", table, n, err)
			}
		}
	})
}

// TestExpire holds that what has served its purpose is not kept for ever.
func TestExpire(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		save := func(id string) {
			must(t, in.SaveSearch(t.Context(), gangway.Search{ID: id, By: "ana@example.com", CreatedAt: noon,
				Members: []gangway.SearchMember{{}}}))
		}
		save("idle")
		save("booked")
		outlet, err := in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
			storetest.PushTo("https://crew.example.com/"), nil, noon)
		must(t, err)
		createBooking(t, in, "a1", func(b *gangway.Booking) { b.Purpose.Search = "booked" })
		l, d := storetest.TakeDelivery(t, db, noon)
		must(t, storetest.SettleTry(t, db, l, d, "parked", store.Attempt{At: noon, Status: 503},
			&store.DeliveryFailure{Park: true, Probe: noon}))
		i := store.Intent{ID: "i1", Booking: "i1", Kind: "book",
			Doc: []byte(`{"booking":{"passenger":{"last_name":"Santos"}}}`), CreatedAt: noon, Lease: noon}
		must(t, in.BeginBooking(t.Context(), i, store.Hold{Search: "idle",
			Traveller: gangway.Traveller{LastName: "Santos"}}))
		must(t, in.CloseIntent(t.Context(), "i1", "Santos is too long"))
		must(t, did(in.BeginOnce(t.Context(), "A1", "once", "hash", noon)))
		if _, _, err := in.BeginBatch(t.Context(), store.Batch{ID: "all", Kind: "book", CreatedAt: noon,
			Items: []store.BatchItem{{Booking: "i2", Doc: []byte("{}")}}}, noon); err != nil {
			t.Fatal(err)
		}
		must(t, in.MakeLink(t.Context(), storetest.Operator, store.SharedLink{ID: "l1", Booking: "a1",
			Stamp: gangway.Stamp{At: noon}}, "hash"))
		must(t, in.BeginList(t.Context(), storetest.Operator, store.AgentList{ID: "s1", Change: "id:CC-1",
			Stamp: gangway.Stamp{At: noon}, Rows: map[string]string{"a1": "words"}}))
		expire := func(days int) store.Expired {
			t.Helper()
			e := sure(db.Expire(t.Context(), noon.AddDate(0, 0, days)))(t)
			return e
		}
		if e := expire(0); e.Any() {
			t.Errorf("at once: %+v; want nothing deleted", e)
		}
		if e := expire(2); e != (store.Expired{Answers: 1}) {
			t.Errorf("two days later: %+v; want answers to uploads deleted", e)
		}
		if e := expire(30); e.Any() {
			t.Errorf("thirty days later: %+v; want batches kept", e)
		}
		if e := expire(31); e != (store.Expired{Batches: 1, Answers: 1, Lanes: 1}) {
			t.Errorf("a month later: %+v; want batches, attempts to deliver and idle queues deleted", e)
		}
		parked, err := in.Parked(t.Context(), outlet.ID)
		if err != nil || len(parked) != 1 || parked[0].Attempts != 1 || !parked[0].Last.At.IsZero() {
			t.Errorf("parked are %+v, %v; want the delivery, without its attempt", parked, err)
		}
		if e := expire(61); e != (store.Expired{Searches: 1}) {
			t.Errorf("two months later: %+v; want the search that led to nothing deleted", e)
		}
		if _, err := in.Search(t.Context(), "booked"); err != nil {
			t.Errorf("a search of a booking that is to fly is gone: %v", err)
		}
		if e := expire(91); e.Intents != 2 || e.Searches != 1 {
			t.Errorf("three months later: %+v; want the closed intents deleted, and the search of what has flown", e)
		}
		if e := expire(401); e != (store.Expired{Paper: 2}) {
			t.Errorf("more than a year later: %+v; want the link and the list deleted", e)
		}
		wantKind(t, gangway.NotFound, did(in.Intent(t.Context(), "i1")))
	})
}

// TestKeptByTheLatestTrip holds that, of hundreds of travellers looked at
// together, each is kept by a trip of their own and not by a namesake's.
func TestKeptByTheLatestTrip(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		flew := func(booking string, who gangway.Traveller, landed time.Time) {
			t.Helper()
			createBooking(t, in, booking, func(b *gangway.Booking) {
				b.Passenger = who
				b.Itinerary.Segments[0].Departure, b.Itinerary.Segments[0].Arrival = landed.Add(-9*time.Hour), landed
			})
			_, err := in.UpdateBooking(t.Context(), booking, "", func(b *gangway.Booking) (gangway.Action, error) {
				return b.Move(gangway.Issue, "ana@example.com", noon)
			})
			must(t, err)
		}
		var crew []gangway.Traveller
		for i := range 450 {
			crew = append(crew, person(fmt.Sprintf("%03d", i), "Santos", fmt.Sprintf("Maria %c%c", 'A'+i/26, 'A'+i%26)))
		}
		crew = append(crew, person("old", "Reyes", "Ana"), person("new", "Reyes", "Ana"),
			person("both", "Cruz", "Bea"), person("eve", "Lim", "Cora"))
		must(t, did(in.UpsertTravellers(t.Context(), crew)))
		before := noon.AddDate(1, 0, 0)
		flew("b1", person("old", "Reyes", "Ana"), before.AddDate(0, -2, 0))
		flew("b2", person("new", "Reyes", "Ana"), before.AddDate(0, 2, 0))
		flew("b3", person("both", "Cruz", "Bea"), before.AddDate(0, -2, 0))
		flew("b4", person("both", "Cruz", "Bea"), before.AddDate(0, 2, 0))
		flew("b5", person("eve", "Lim", "Cora"), before.Add(-time.Minute))
		flew("b6", crew[449], before.AddDate(0, 2, 0))
		e, err := in.EraseOld(t.Context(), before, before.AddDate(1, 0, 0), nil)
		if err != nil || e.Travellers != 2 || e.Bookings != 3 {
			t.Errorf("EraseOld = %+v, %v; want two travellers whose last trips are over, and three trips", e, err)
		}
		for id, kept := range map[string]bool{"old": false, "eve": false, "new": true, "both": true, "449": true} {
			if _, err := in.Traveller(t.Context(), "id:"+id); (err == nil) != kept {
				t.Errorf("traveller %s: %v; want them kept: %v", id, err, kept)
			}
		}
	})
}

// TestExpireInPortions holds that old searches are found behind hundreds that
// stay, made at the same time and at other times.
func TestExpireInPortions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		for i := range 450 {
			id := fmt.Sprintf("s%03d", i)
			must(t, in.SaveSearch(t.Context(), gangway.Search{ID: id, By: "ana@example.com",
				CreatedAt: noon.AddDate(0, 0, i/300), Members: []gangway.SearchMember{{}}}))
			if i%100 != 99 {
				createBooking(t, in, "b"+id, func(b *gangway.Booking) { b.Purpose.Search = id })
			}
		}
		e, err := db.Expire(t.Context(), noon.AddDate(0, 0, 70))
		if err != nil || e.Searches != 4 {
			t.Errorf("Expire = %+v, %v; want the four that led to nothing deleted", e, err)
		}
		if _, err := in.Search(t.Context(), "s000"); err != nil {
			t.Errorf("a search that led to a booking is gone: %v", err)
		}
	})
}

// TestSearchesGoWithTheirBookings holds that searches that led to bookings go with the last of these: when it is
// erased, or two months after it flew.
func TestSearchesGoWithTheirBookings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		forget := func(string, []byte, erasure.OwnValues) ([]byte, error) { return nil, nil }
		later := noon.AddDate(0, 0, 70)
		made := func(id string, at time.Time, bookings ...gangway.Date) {
			t.Helper()
			must(t, in.SaveSearch(t.Context(), gangway.Search{ID: id, By: "ana@example.com", CreatedAt: at,
				Members: []gangway.SearchMember{{}}}))
			for i, day := range bookings {
				createBooking(t, in, fmt.Sprint(id, i), func(b *gangway.Booking) {
					landed := day.In(time.UTC).Add(9 * time.Hour)
					segment := gangway.Segment{Origin: "MNL", Destination: "AMS", Departure: landed.Add(-8 * time.Hour),
						Arrival: landed}
					b.Purpose.Search, b.Itinerary = id, gangway.Itinerary{Segments: []gangway.Segment{segment}}
				})
				_, err := in.UpdateBooking(t.Context(), fmt.Sprint(id, i), "",
					func(b *gangway.Booking) (gangway.Action, error) {
						return b.Move(gangway.Issue, "ana@example.com", at)
					})
				must(t, err)
			}
		}
		there := func(want ...string) {
			t.Helper()
			var got []string
			for _, id := range []string{"one", "two", "young", "late", "flown"} {
				if _, err := in.Search(t.Context(), id); err == nil {
					got = append(got, id)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("searches left: %v; want %v", got, want)
			}
		}
		expire := func(at time.Time, want int) {
			t.Helper()
			if e, err := db.Expire(t.Context(), at); err != nil || e.Searches != want {
				t.Errorf("Expire = %+v, %v; want %d searches", e, err, want)
			}
		}
		erase := func(day gangway.Date, want int) {
			t.Helper()
			if e, err := in.EraseOld(t.Context(), day.In(time.UTC), later, forget); err != nil || e.Bookings != want {
				t.Fatalf("EraseOld = %+v, %v; want %d bookings", e, err, want)
			}
		}
		made("one", noon, "2026-11-20")
		made("two", noon, "2026-11-20", "2026-11-30")
		made("young", later.AddDate(0, 0, -30), "2026-11-20")
		expire(later, 0)
		erase("2026-11-25", 3)
		there("two", "young")
		erase("2026-12-05", 1)
		there("young")

		made("late", later.AddDate(0, 0, -60).Add(-time.Hour))
		made("flown", noon, "2026-11-20")
		expire(later, 1)
		there("young", "flown")
		expire(later.AddDate(0, 0, 9), 1)
		there("young")
		expire(later.AddDate(0, 0, 31), 1)
		there()
	})
}
