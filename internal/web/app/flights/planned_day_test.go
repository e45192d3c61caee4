package flights_test

import (
	"fmt"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
	"gangway/internal/web/app/flights"
)

// NextPlanned passes hotels over, counts one day alone, and says when it has not counted all.
func TestNextPlanned(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		var list []gangway.TravelRequest
		add := func(n int, day gangway.Date, vessel string) {
			for range n {
				list = append(list, gangway.TravelRequest{RequestID: fmt.Sprintf("R%04d", len(list)),
					Flight:  &gangway.FlightNeed{Origin: "MNL", Destination: "SIN", Date: day},
					Vehicle: &gangway.Vehicle{Name: vessel}})
			}
		}
		for i := range 60 { // more than are read at first
			list = append(list, gangway.TravelRequest{RequestID: fmt.Sprintf("H%04d", i),
				Hotel: &gangway.HotelNeed{Location: "Oslo", CheckIn: "2026-12-01"}})
		}
		add(3, "2026-12-02", "Nordlys")
		add(2, "2026-12-03", "Genoa Star")
		add(600, "2026-12-20", "Nordlys")
		apptest.Must(in.UpsertTravelRequests(t.Context(), list))(t)
		for _, tt := range []struct {
			vessel string
			after  gangway.Date
			want   flights.PlannedDay
		}{
			{"", "2026-11-30", flights.PlannedDay{Date: "2026-12-02", N: 3}},
			{"", "2026-12-02", flights.PlannedDay{Date: "2026-12-03", N: 2}},
			{"genoa", "2026-11-30", flights.PlannedDay{Date: "2026-12-03", N: 2}},
			{"nobody", "2026-11-30", flights.PlannedDay{}},
			{"", "2026-12-03", flights.PlannedDay{Date: "2026-12-20", N: flights.RequestsShown, More: true}},
			{"", "2026-12-20", flights.PlannedDay{}},
			{"", "2026-08-01", flights.PlannedDay{}}, // too far ahead
		} {
			got, err := flights.NextPlanned(t.Context(), in, tt.vessel, tt.after)
			if err != nil || got != tt.want {
				t.Errorf("NextPlanned(%q, %s) = %+v, %v; want %+v", tt.vessel, tt.after, got, err, tt.want)
			}
		}
	})
}
