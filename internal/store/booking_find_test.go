package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// findAll returns the identifiers of all bookings that q selects, read in pages
// of two, sorted; none may come twice.
func findAll(t *testing.T, in store.Scoped, q store.BookingQuery) (list []string) {
	t.Helper()
	q.Limit = 2
	for range 50 {
		page := sure(in.BookingPage(t.Context(), q))(t)
		for _, b := range page.List {
			if slices.Contains(list, b.ID) {
				t.Errorf("%+v: %s comes twice", q, b.ID)
			}
			list = append(list, b.ID)
		}
		if q.At = page.After; q.At == "" {
			slices.Sort(list)
			return list
		}
	}
	t.Fatalf("%+v: no end of pages", q)
	return nil
}

// TestBookingsByAnyWordOfTheVessel: the names of all ships of a company may begin with the same word.
func TestBookingsByAnyWordOfTheVessel(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		vessels := []string{"Corvina Cirrus", "Corvina Stratus", "Cirrus Star", "Ocean-Tern", "Çınar Corvina"}
		for i := range 10 {
			createBooking(t, in, fmt.Sprintf("V%05d", i), func(b *gangway.Booking) {
				b.Purpose.Vessel = vessels[i%len(vessels)]
			})
		}
		createBooking(t, in, "V00010", func(b *gangway.Booking) {
			b.Purpose.Vessel, b.Passenger = "Corvina Cirrus", gangway.Traveller{LastName: "Cirrus", FirstName: "Ana"}
		})
		for typed, want := range map[string]string{
			"Cirrus": "0 2 5 7 10", "cirr": "0 2 5 7 10", "corvina": "0 1 4 5 6 9 10", "Corvina C": "0 4 5 9 10",
			"cirrus corvina": "0 5 10", "tern": "3 8",
			"CINAR": "4 9", "stratus star": "", "irrus": "", "nobody": "", "%": "", "_": "",
		} {
			var ids []string
			for n := range strings.FieldsSeq(want) {
				ids = append(ids, fmt.Sprintf("V%05s", n))
			}
			if got := findAll(t, in, store.BookingQuery{Find: typed}); !slices.Equal(got, ids) {
				t.Errorf("find %s: %v; want %v", typed, got, ids)
			}
			if got := findAll(t, in, store.BookingQuery{Vessel: typed}); !slices.Equal(got, ids) {
				t.Errorf("vessel %s: %v; want %v", typed, got, ids)
			}
			if got := findAll(t, in, store.BookingQuery{Vessel: typed, State: gangway.Confirmed,
				By: "Ana@example.com"}); !slices.Equal(got, ids) {
				t.Errorf("vessel %s and who booked: %v; want %v", typed, got, ids)
			}
			if got := findAll(t, in, store.BookingQuery{Search: "s1", Vessel: typed}); !slices.Equal(got, ids) {
				t.Errorf("vessel %s of a search: %v; want %v", typed, got, ids)
			}
			if n, known, err := in.CountSelected(t.Context(), store.BookingQuery{Vessel: typed}); err != nil ||
				!known || n != len(ids) {
				t.Errorf("CountSelected of vessel %s = %d, %v, %v; want %d", typed, n, known, err, len(ids))
			}
		}
	})
}

// TestBookingsByWhatOthersCallThem: an airline's locator, and the customer's
// identifiers, in upper or lower case.
func TestBookingsByWhatOthersCallThem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ours, theirs := db.In(storetest.Account(t, db).Scope()), db.In(storetest.Account(t, db).Scope())
		edit := func(b *gangway.Booking) {
			b.Passenger.ID, b.PNRs = "CRV-0010", []string{"QX7ZKP", "8GHJ2W"}
			b.Purpose.Change, b.Purpose.TravelRequestID = "id:CC-2026-03", "CC-2026-03"
			b.Purpose.RequestID, b.Purpose.SubRequestID = "TR-77", "1"
		}
		createBooking(t, ours, "ours", edit)
		createBooking(t, ours, "bare", nil)
		createBooking(t, theirs, "Xtheirs", edit)
		trace(t, db)
		found := func(find string, want bool) {
			t.Helper()
			if got := findAll(t, ours, store.BookingQuery{Find: find}); slices.Contains(got, "ours") != want ||
				len(got) > 1 {
				t.Errorf("%s finds %v; want the booking found: %v", find, got, want)
			}
		}
		for _, find := range []string{
			"QX7ZKP", "qx7zkp", " 8ghj2w ", "CRV-0010", "crv-0010", "CC-2026-03", "cc-2026-03", "TR-77", "tr-77",
		} {
			found(find, true)
		}
		for _, find := range []string{"QX7ZK", "CC-2026", "crv-001", "id:CC-2026-03"} {
			found(find, false)
		}
		if got := findAll(t, ours, store.BookingQuery{Find: "qx7zkp", State: gangway.Issued}); len(got) != 0 {
			t.Errorf("in another state: %v", got)
		}
		_, err := ours.UpdateBooking(t.Context(), "ours", "", func(b *gangway.Booking) (gangway.Action, error) {
			b.PNRs = []string{"8GHJ2W", "NEWONE"}
			return issue(b)
		})
		must(t, err)
		found("newone", true)
		found("8ghj2w", true)
		found("QX7ZKP", false)
	})
}

// TestBookingsByWhoBooked: bookings are found by who booked, whom the list shows by name.
func TestBookingsByWhoBooked(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		account := storetest.Account(t, db)
		in := db.In(account.Scope())
		helen := gangway.User{ID: "usr_helen", Customer: account.Customer.ID, Email: "helen@example.com",
			Name: "Helen Abreu-Lopes", Role: gangway.Booker}
		must(t, db.CreateUser(t.Context(), gangway.BySystem(), helen, "x", noon))
		for i, by := range [][2]string{
			{"helen@example.com", "Helen Abreu"}, {"gone@example.com", "Jörg Müller"}, {"boris@example.com", ""},
			{"helen@example.com", "Helen Abreu"}, {"system", ""},
		} {
			createBooking(t, in, fmt.Sprintf("B%05d", i), func(b *gangway.Booking) {
				b.CreatedBy, b.CreatedByName = by[0], by[1]
			})
		}
		for typed, want := range map[string]string{
			"Helen Abreu": "0 3", "abreu": "0 3", "Lopes": "0 3", "helen": "0 3", "HELEN@example.com": "0 3",
			"Jorg Muller": "1", "müller": "1", "gone@example.com": "1",
			"boris@example.com": "2", "system": "4", "nobody": "", "nobody@example.com": "", "elen": "", ",": "",
		} {
			var ids []string
			for n := range strings.FieldsSeq(want) {
				ids = append(ids, fmt.Sprintf("B%05s", n))
			}
			if got := findAll(t, in, store.BookingQuery{By: typed}); !slices.Equal(got, ids) {
				t.Errorf("%s: %v; want %v", typed, got, ids)
			}
			if got := findAll(t, in, store.BookingQuery{By: typed, Vessel: "nord", From: "2026-01-01"}); !slices.Equal(
				got, ids) {
				t.Errorf("%s of a vessel: %v; want %v", typed, got, ids)
			}
			if n, known, err := in.CountSelected(t.Context(), store.BookingQuery{By: typed}); err != nil || !known ||
				n != len(ids) {
				t.Errorf("CountSelected by %s = %d, %v, %v; want %d", typed, n, known, err, len(ids))
			}
		}
	})
}
