package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// fleet creates n bookings that share names, vessels, times and days, to test how
// the order is decided between equals.
func fleet(t *testing.T, in store.Scoped, n int) {
	t.Helper()
	for i := range n {
		createBooking(t, in, fmt.Sprintf("F%05d", i), func(b *gangway.Booking) {
			b.Passenger = gangway.Traveller{LastName: []string{"Santos", "Sant Ana", "Okafor"}[i%3], FirstName: "Maria"}
			b.Purpose.Vessel = []string{"Ocean Tern", "Ocean Gull", "Santana"}[i%3]
			b.Tickets = []string{fmt.Sprintf("217%010d", i%7), fmt.Sprintf("217%010d", 100+i)}
			b.CreatedAt = noon.Add(time.Duration(i/4) * time.Hour)
			b.Itinerary.Segments[0].Departure = noon.AddDate(0, 1, i%5)
		})
	}
}

// TestBookingPages reads every list page by page, forward and back: no booking
// comes twice, none is missing, and the order stays the same.
func TestBookingPages(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		const all = 23
		fleet(t, in, all)
		march := gangway.DateOf(noon.AddDate(0, 1, 1))
		for _, tt := range []struct {
			name string
			q    store.BookingQuery
			want int
		}{
			{"all", store.BookingQuery{}, all},
			{"state", store.BookingQuery{State: gangway.Confirmed}, all},
			{"vessel", store.BookingQuery{Vessel: "ocean"}, 16},
			{"who booked", store.BookingQuery{By: "ana@example.com"}, all},
			{"from a day on", store.BookingQuery{From: march}, 18},
			{"up to a day", store.BookingQuery{To: march}, 10},
			{"several filters", store.BookingQuery{Vessel: "ocean", From: march, State: gangway.Confirmed,
				By: "ana@example.com"}, 13},
			{"a surname, and a vessel", store.BookingQuery{Find: "sant"}, all},
			{"a ticket of several bookings", store.BookingQuery{Find: "217000"}, all},
			{"a search", store.BookingQuery{Search: "s1"}, all},
		} {
			t.Run(tt.name, func(t *testing.T) {
				var pages [][]string
				read := func(at string) store.BookingPage {
					q := tt.q
					q.At, q.Limit = at, 4
					page := sure(in.BookingPage(t.Context(), q))(t)
					return page
				}
				ids := func(page store.BookingPage) (list []string) {
					for _, b := range page.List {
						list = append(list, b.ID)
					}
					return list
				}
				page := read("")
				if page.Before != "" {
					t.Errorf("there is something before the first page")
				}
				for {
					pages = append(pages, ids(page))
					if page.After == "" {
						break
					}
					page = read(page.After)
				}
				got := slices.Concat(pages...)
				if sorted := slices.Compact(slices.Sorted(slices.Values(got))); len(got) != tt.want || len(sorted) !=
					tt.want {
					t.Fatalf("%d bookings on its pages, %d of them different; want %d", len(got), len(sorted), tt.want)
				}
				for i := len(pages) - 2; i >= 0; i-- {
					if page = read(page.Before); !slices.Equal(ids(page), pages[i]) {
						t.Fatalf("back on page %d: %v; want %v", i, ids(page), pages[i])
					}
				}
				if page.Before != "" {
					t.Errorf("back at the beginning, there is something before it")
				}
			})
		}
		t.Run("a booking made meanwhile moves nothing", func(t *testing.T) {
			first := sure(in.BookingPage(t.Context(), store.BookingQuery{Limit: 4}))(t)
			createBooking(t, in, "G00001", func(b *gangway.Booking) { b.CreatedAt = noon.AddDate(1, 0, 0) })
			second, err := in.BookingPage(t.Context(), store.BookingQuery{Limit: 4, At: first.After})
			if err != nil || second.List[0].ID == first.List[3].ID || second.List[0].ID != "F00018" {
				t.Fatalf("the second page begins with %s, %v; want F00018", second.List[0].ID, err)
			}
		})
		t.Run("a made-up position is the beginning", func(t *testing.T) {
			for _, at := range []string{"x", "e30", "eyJzIjo5LCJwIjpbXX0", "eyJzIjowLCJwIjpbIngiLCJ5Il19"} {
				page, err := in.BookingPage(t.Context(), store.BookingQuery{Limit: 1, At: at})
				if err != nil || len(page.List) != 1 || page.List[0].ID != "G00001" {
					t.Errorf("%s: %+v, %v; want the newest", at, page.List, err)
				}
			}
		})
	})
}

// TestBookingsByWord finds bookings by any word of the passenger's name and by
// its spelling on the ticket, once each, and page by page like any others.
func TestBookingsByWord(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		shevchenko := gangway.Traveller{ID: "1", LastName: "Шевченко", FirstName: "Олена Марія"}
		dela := gangway.Traveller{ID: "crew-2", LastName: "Dela Cruz", FirstName: "Juan Miguel"}
		// The surname begins with the word, and so does the given name.
		miguel := gangway.Traveller{ID: "3", LastName: "Miguel", FirstName: "Miguela"}
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{shevchenko, dela, miguel})))
		wordAll(t, db)
		for i := range 9 {
			createBooking(t, in, fmt.Sprintf("W%05d", i), func(b *gangway.Booking) {
				b.Passenger = []gangway.Traveller{shevchenko, dela, miguel}[i%3]
				b.Purpose.Vessel = "Ocean Tern"
			})
		}
		trace(t, db)
		for find, want := range map[string]int{
			"MIGUEL/MIGUELA": 3, "SHEVCHENKO/OLENA MARIIA MS": 3, "Dela Cruz/Juan": 3, "CRUZ/SHEV": 0, "crew-2": 3,
			"crew-9": 0, "/": 0,
			"Shev": 3, "шевч": 3, "shevchenko olena": 3, "Марія": 3, "cruz": 3, "Cruz, Juan": 3, "miguel": 6,
			"juan shev": 0, "ocean": 9, "W00004": 1, "nobody": 0,
		} {
			got := findAll(t, in, store.BookingQuery{Find: find})
			if len(got) != want {
				t.Errorf("%s finds %d bookings; want %d", find, len(got), want)
			}
		}
		page, err := in.BookingPage(t.Context(), store.BookingQuery{Find: "shev", Vessel: "gull"})
		if err != nil || len(page.List) != 0 || page.MoreNames {
			t.Errorf("with another vessel %d are found, %v; want none", len(page.List), err)
		}
		var alike []gangway.Traveller
		for i := range 101 {
			alike = append(alike, gangway.Traveller{ID: fmt.Sprint("z", i), LastName: fmt.Sprint("Sailor", i),
				FirstName: "Zeno"})
		}
		must(t, did(in.UpsertTravellers(t.Context(), alike)))
		must(t, did(db.WriteTravellerWords(t.Context())))
		if page, err = in.BookingPage(t.Context(), store.BookingQuery{Find: "zeno"}); err != nil || !page.MoreNames {
			t.Errorf("101 travellers have the word, but the page does not say that there are more: %v", err)
		}
	})
}

// TestMostUrgentFirst holds that the earliest deadlines are on the page, however
// many bookings wait and however old they are.
func TestMostUrgentFirst(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		for i := range 9 { // the older, the more urgent
			createBooking(t, in, fmt.Sprintf("U%05d", i), func(b *gangway.Booking) {
				b.CreatedAt = noon.Add(time.Duration(i) * time.Hour)
				b.TicketBy, b.HoldUntil = noon.Add(time.Duration(24+i)*time.Hour),
					noon.Add(time.Duration(48-i)*time.Hour)
			})
		}
		createBooking(t, in, "PRICE1", func(b *gangway.Booking) {
			b.PriceUntil, b.TicketBy, b.HoldUntil = noon.Add(time.Hour), noon.AddDate(0, 0, 3), noon.AddDate(0, 0, 3)
		})
		createBooking(t, in, "DONE01", func(b *gangway.Booking) { b.TicketBy = noon })
		must(t, did(in.UpdateBooking(t.Context(), "DONE01", "", issue)))
		list, err := in.BookingsByDeadline(t.Context(), 3)
		if err != nil || len(list) != 3 || list[0].ID != "PRICE1" || list[1].ID != "U00000" || list[2].ID != "U00001" {
			t.Fatalf("BookingsByDeadline = %d, %v; want PRICE1, U00000, U00001", len(list), err)
		}
		waits, err := in.Waits(t.Context(), time.Time{}, time.Time{})
		if want := (store.Waits{Deadline: 10}); err != nil || waits != want {
			t.Fatalf("Waits = %+v, %v; want %+v", waits, err, want)
		}
		waits, err = in.Waits(t.Context(), noon, noon.Add(25*time.Hour))
		if err != nil || waits.Deciding != 2 {
			t.Fatalf("Waits = %+v, %v; want 2 of which it is not decided", waits, err)
		}
	})
}

// TestListsAreBounded holds that lists of crew changes and of travel requests by
// day end at a limit, and so do the bookings of each of several crew changes.
func TestListsAreBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		var changes []gangway.CrewChange
		var requests []gangway.TravelRequest
		for i := range 5 {
			changes = append(changes, gangway.CrewChange{TravelRequestID: fmt.Sprint("CC-", i), Vessel: "Ocean Tern",
				ChangeDate: "2026-12-01"})
			requests = append(requests, request(fmt.Sprint("R", i), "", "2026-12-01", "2026-12-01"))
		}
		must(t, did(in.UpsertCrewChanges(t.Context(), changes, noon)))
		must(t, did(in.UpsertTravelRequests(t.Context(), requests)))
		if list, err := in.CrewChangeKeys(t.Context(), "", "2026-12-01", "2026-12-01", 3); err != nil ||
			len(list) != 3 {
			t.Errorf("CrewChangeKeys = %d, %v; want 3", len(list), err)
		}
		if list, err := in.TravelRequests(t.Context(), "", "2026-12-01", "2026-12-01", 3); err != nil ||
			len(list) != 3 {
			t.Errorf("TravelRequests = %d, %v; want 3", len(list), err)
		}
		if list, err := in.HotelRequests(t.Context(), "2026-12-01", "2026-12-01", 3); err != nil || len(list) != 3 {
			t.Errorf("HotelRequests = %d, %v; want 3", len(list), err)
		}
		for i := range 6 {
			createBooking(t, in, fmt.Sprintf("C%05d", i), func(b *gangway.Booking) {
				b.Purpose.Change, b.CreatedAt = changes[i%2].Key(), noon.Add(time.Duration(i)*time.Hour)
			})
		}
		found, err := in.BookingsOfChanges(t.Context(), []string{changes[0].Key(), changes[1].Key(), changes[2].Key()},
			2)
		if err != nil || len(found) != 2 || len(found[changes[0].Key()]) != 2 || found[changes[0].Key()][0].ID !=
			"C00004" || found[changes[1].Key()][1].ID != "C00003" {
			t.Errorf("BookingsOfChanges = %+v, %v; want the newest two of each", found, err)
		}
	})
}

// TestFewFit holds that bookings that pass several filters together are found,
// however many others lie between them: a page ends early and says so.
func TestFewFit(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		fillBookings(t, raw(t, url), in.Scope().Account)
		q := store.BookingQuery{Vessel: "vessel", State: gangway.ApprovalRequired, By: "person10", Limit: 50}
		found, cut := 0, false
		for range 100 {
			page := sure(in.BookingPage(t.Context(), q))(t)
			found, cut = found+len(page.List), cut || page.Cut
			if q.At = page.After; q.At == "" {
				break
			}
		}
		if want := manyBookings / 150; found < want || found > want+1 || !cut {
			t.Fatalf("%d are found, ended early %v; want about %d, and pages that end early", found, cut, want)
		}
	})
}
