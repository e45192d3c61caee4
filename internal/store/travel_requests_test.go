package store_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// request is a travel request with a flight on one date and a hotel from another;
// if a date is empty, so is that part.
func request(id, sub string, flight, hotel gangway.Date) gangway.TravelRequest {
	r := gangway.TravelRequest{
		RequestID: id, SubRequestID: sub, Traveller: person("7", "Reyes", "Ana"), Rank: "Cook",
		Remarks:        "no pork\nno nuts",
		AdditionalInfo: map[string]string{"MNL-AMS_flight_id": "F1", "MNL-AMS_departure_time": "10:15"},
		Vehicle:        &gangway.Vehicle{Name: "Nordlys", Flag: "NO", Type: "Vessel"}, Extra: []byte(`{"cost":"4711"}`),
	}
	if flight != "" {
		r.Flight = &gangway.FlightNeed{Origin: "MNL", Destination: "AMS", Date: flight,
			Via: []gangway.Stop{{Airport: "DXB", Date: flight}}}
	}
	if hotel != "" {
		r.Hotel = &gangway.HotelNeed{Location: "Rotterdam", CheckIn: hotel, CheckOut: hotel.AddDays(2)}
	}
	return r
}

// names returns the identifiers of list, in its order.
func names(list []store.StoredTravelRequest) string {
	var names []string
	for _, r := range list {
		names = append(names, r.RequestID+"/"+r.SubRequestID)
	}
	return strings.Join(names, " ")
}

func TestTravelRequests(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in, other := db.In(prod.Scope()), db.In(dev.Scope())
		_, err := in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{
			request("R2", "", "2026-12-02", ""), request("R1", "b", "2026-12-01", "2026-12-03"),
			request("R1", "a", "2026-12-01", ""),
			request("R3", "", "", "2026-12-01"), request("R4", "", "2026-11-30", "2026-12-02"),
		})
		must(t, err)
		t.Run("a request comes back as it was", func(t *testing.T) {
			got, err := in.TravelRequest(t.Context(), "R1", "b")
			origin := gangway.Origin{Source: gangway.Uploaded, Generation: got.Origin.Generation}
			want := store.StoredTravelRequest{
				TravelRequest: request("R1", "b", "2026-12-01", "2026-12-03"), Origin: origin}
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Fatalf("TravelRequest: %v, (-want +got)\n%s", err, diff)
			}
		})
		t.Run("days are listed including both ends", func(t *testing.T) {
			tests := []struct {
				from, to      gangway.Date
				starts, sleep string
			}{
				{"2026-12-01", "2026-12-02", "R1/a R1/b R3/ R2/", "R3/ R4/"},
				{"2026-11-30", "2026-11-30", "R4/", ""},
				{"2026-12-03", "2026-12-31", "", "R1/b"},
				{"0001-01-01", "9999-12-31", "R4/ R1/a R1/b R3/ R2/", "R3/ R4/ R1/b"},
			}
			for _, tt := range tests {
				list, err := in.TravelRequests(t.Context(), "", tt.from, tt.to, 100)
				if err != nil || names(list) != tt.starts {
					t.Errorf("TravelRequests(%s, %s) = %s, %v; want %s", tt.from, tt.to, names(list), err, tt.starts)
				}
				list, err = in.HotelRequests(t.Context(), tt.from, tt.to, 100)
				if err != nil || names(list) != tt.sleep {
					t.Errorf("HotelRequests(%s, %s) = %s, %v; want %s", tt.from, tt.to, names(list), err, tt.sleep)
				}
			}
		})
		t.Run("a hotel stays handled when the request is sent again", func(t *testing.T) {
			done := store.Handled{At: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), By: "bea@crew.example",
				Note: "two nights"}
			bea := gangway.Actor{ID: done.By}
			_, err := in.MarkHotels(t.Context(), bea, []store.HotelKey{{RequestID: "R3"}}, done.Note, done.At)
			must(t, err)
			changed := request("R3", "", "", "2026-12-05")
			counts, err := in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{changed})
			if want := (store.Counts{Received: 1, Updated: 1}); err != nil || counts != want {
				t.Fatalf("UpsertTravelRequests = %+v, %v; want %+v", counts, err, want)
			}
			got, err := in.TravelRequest(t.Context(), "R3", "")
			if err != nil || got.Handled != done || got.Hotel.CheckIn != "2026-12-05" {
				t.Fatalf("TravelRequest = %+v, %v; want it changed and still handled", got, err)
			}
			must(t, in.ReopenHotel(t.Context(), bea, "R3", "", done.At))
			if got, err := in.TravelRequest(t.Context(), "R3", ""); err != nil || got.Handled != (store.Handled{}) {
				t.Fatalf("taken back: %+v, %v; want it open again", got.Handled, err)
			}
		})
		t.Run("nobody else sees, marks or deletes it", func(t *testing.T) {
			wantKind(t, gangway.NotFound, did(other.TravelRequest(t.Context(), "R1", "a")))
			err := other.ReopenHotel(t.Context(), storetest.Operator, "R1", "a", storetest.Began)
			wantKind(t, gangway.NotFound, err)
			if n, err := other.DeleteTravelRequests(t.Context(), "R1", nil); n != 0 || err != nil {
				t.Errorf("DeleteTravelRequests = %d, %v; want 0", n, err)
			}
			for _, list := range []func() ([]store.StoredTravelRequest, error){
				func() ([]store.StoredTravelRequest, error) {
					return other.TravelRequests(t.Context(), "", "0001-01-01", "9999-12-31", 100)
				},
				func() ([]store.StoredTravelRequest, error) {
					return other.HotelRequests(t.Context(), "0001-01-01", "9999-12-31", 100)
				},
			} {
				if list, err := list(); len(list) != 0 || err != nil {
					t.Errorf("lists %s, %v; want nothing", names(list), err)
				}
			}
		})
		t.Run("one record is deleted, or all of a request", func(t *testing.T) {
			b, none := "b", "none"
			for _, step := range []struct {
				id   string
				sub  *string
				want int
			}{{"R1", &none, 0}, {"R1", &b, 1}, {"R1", &b, 0}, {"R1", nil, 1}, {"R1", nil, 0}} {
				if n, err := in.DeleteTravelRequests(t.Context(), step.id, step.sub); n != step.want || err != nil {
					t.Errorf("DeleteTravelRequests(%s, %v) = %d, %v; want %d", step.id, step.sub, n, err, step.want)
				}
			}
		})
	})
}

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
		_, err := in.MarkHotels(t.Context(), storetest.Operator, []store.HotelKey{{RequestID: "R1"}}, "", noon)
		must(t, err)
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
