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

// TestSearchesGoWithTheirBookings holds that searches that led to bookings are
// looked at only once, and still go with the last of their bookings.
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
			for _, id := range []string{"one", "two", "young", "late"} {
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
		made("one", noon, "2026-11-10")
		made("two", noon, "2026-11-10", "2026-11-20")
		made("young", later.AddDate(0, 0, -30), "2026-11-10")
		expire(later, 0)
		if seen, want := db.SearchesSeen(), later.AddDate(0, 0, -61); !seen.Equal(want) {
			t.Errorf("searches made before %v are not looked at again; want %v", seen, want)
		}
		erase("2026-11-15", 3)
		there("two", "young")
		erase("2026-11-25", 1)
		there("young")

		// A search that becomes old later, or was made a little earlier than where the last look ended, is found.
		made("late", later.AddDate(0, 0, -60).Add(-time.Hour))
		expire(later, 1)
		expire(later.AddDate(0, 0, 31), 1)
		there()
	})
}
