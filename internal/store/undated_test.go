package store_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// onVessel is r on another vessel; flight and hotel give it a flight and a hotel
// without a date.
func onVessel(vessel string, r gangway.TravelRequest, flight, hotel bool) gangway.TravelRequest {
	r.Vehicle = &gangway.Vehicle{Name: vessel}
	if flight {
		r.Flight = &gangway.FlightNeed{Origin: "MNL", Destination: "AMS"}
	}
	if hotel {
		r.Hotel = &gangway.HotelNeed{Location: "Rotterdam", CheckOut: "2026-12-09"}
	}
	return r
}

func TestUndatedRequests(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in, other := db.In(prod.Scope()), db.In(dev.Scope())
		must(t, did(in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{
			onVessel("MV Nordlys", request("R1", "", "", ""), true, true),
			onVessel("Ocean Tern", request("R2", "b", "", ""), true, false),
			onVessel("Nordlys", request("R3", "", "2026-12-01", ""), false, true),
			onVessel("100% Tern", request("R4", "", "", "2026-12-02"), true, false),
			onVessel("Nordlys", request("R5", "", "2026-12-01", "2026-12-02"), false, false),
		})))
		tests := []struct {
			vessel string
			limit  int
			want   string
			all    int
		}{
			{"", 10, "R1/ R2/b R4/", 3}, {"", 2, "R1/ R2/b", 3}, {"", 0, "", 3},
			{"nord", 10, "R1/", 1}, {"tern", 10, "R2/b R4/", 2}, {"%", 10, "", 0}, {"100%", 10, "R4/", 1},
			{"ern", 10, "", 0},
		}
		for _, tt := range tests {
			list, all, err := in.UndatedFlights(t.Context(), tt.vessel, tt.limit)
			if err != nil || names(list) != tt.want || all != tt.all {
				t.Errorf("UndatedFlights(%q, %d) = %s of %d, %v; want %s of %d", tt.vessel, tt.limit, names(list), all,
					err, tt.want, tt.all)
			}
		}
		hotels := func(handled bool, limit int, want string, all int) {
			t.Helper()
			list, n, err := in.UndatedHotels(t.Context(), handled, limit)
			if err != nil || names(list) != want || n != all {
				t.Errorf("UndatedHotels(%t, %d) = %s of %d, %v; want %s of %d", handled, limit, names(list), n, err,
					want, all)
			}
		}
		hotels(false, 10, "R1/ R3/", 2)
		hotels(false, 1, "R1/", 2)
		must(t, in.MarkHotel(t.Context(), storetest.Operator, "R1", "", "", noon))
		hotels(false, 10, "R3/", 1)
		hotels(true, 10, "R1/", 1)

		createBooking(t, in, "b1", func(b *gangway.Booking) { b.Purpose.RequestID = "R1" })
		gone := createBooking(t, in, "b2", func(b *gangway.Booking) {
			b.Purpose.RequestID, b.Purpose.SubRequestID = "R2", "b"
		})
		must(t, did(in.UpdateBooking(t.Context(), gone.ID, "", func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "ana@example.com", noon)
		})))
		if list, _, err := in.UndatedFlights(t.Context(), "", 10); err != nil || names(list) != "R2/b R4/ R1/" {
			t.Errorf("UndatedFlights = %s, %v; want the one that is booked at the end", names(list), err)
		}
		if list, err := in.BookingsOfRequests(t.Context(), []string{"R1", "R3", "R4"}); err != nil || len(list) != 1 ||
			list[0].ID != "b1" {
			t.Errorf("BookingsOfRequests = %+v, %v; want b1", list, err)
		}
		if list, all, err := other.UndatedFlights(t.Context(), "", 10); err != nil || len(list)+all != 0 {
			t.Errorf("another environment has %d of %d, %v; want none", len(list), all, err)
		}
		must(t, did(in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{request("R1", "", "2026-12-05",
			"2026-12-06")})))
		if list, _, err := in.UndatedFlights(t.Context(), "", 10); err != nil || names(list) != "R2/b R4/" {
			t.Errorf("UndatedFlights = %s, %v; want those that still have no date", names(list), err)
		}
	})
}

// TestRequestsStandOnTheDayTheyBegin holds that a request is listed on the day of
// its first flight, in whichever of the two ways its dates are meant.
func TestRequestsStandOnTheDayTheyBegin(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		final := request("R1", "", "2026-12-04", "")
		final.Flight.Via[0].Date = "2026-12-02"
		must(t, did(in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{final})))
		if list, err := in.TravelRequests(t.Context(), "", "2026-12-02", "2026-12-02", 100); err != nil ||
			names(list) != "R1/" {
			t.Errorf("TravelRequests = %s, %v; want the flight to the stop on the 2nd", names(list), err)
		}
	})
}
