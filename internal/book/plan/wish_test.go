package plan

import (
	"slices"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
)

func TestWished(t *testing.T) {
	tests := []struct {
		name   string
		wishes map[string]string
		want   bool
	}{
		{"nothing wished", nil, false},
		{"departure of the whole leg", map[string]string{"MNL-AMS_departure_time": "18:10"}, true},
		{"another departure", map[string]string{"MNL-AMS_departure_time": "18:15"}, false},
		{"departure of one flight of it", map[string]string{"DXB-AMS_departure_time": "01:30"}, true},
		{"a flight of the leg", map[string]string{"MNL-AMS_flight_id": "kl 0428"}, true},
		{"another flight", map[string]string{"MNL-AMS_flight_id": "SQ917"}, false},
		{"one fits, one contradicts", map[string]string{"MNL-DXB_departure_time": "18:10",
			"DXB-AMS_flight_id": "EK147"}, false},
		{"the customer's own identifier is no flight number", map[string]string{"MNL-AMS_flight_id": "F-000931"},
			false},
		{"… and does not contradict", map[string]string{"MNL-AMS_flight_id": "F-000931",
			"MNL-AMS_departure_time": "18:10"}, true},
		{"another pair of airports", map[string]string{"AMS-MNL_departure_time": "18:10"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := wished(itinerarytest.ViaDubai(t), tt.wishes); got != tt.want {
				t.Fatalf("wished(%v) = %v; want %v", tt.wishes, got, tt.want)
			}
		})
	}
}

// TestNearestWish checks that if nothing leaves exactly when it was wished, the
// closest departure is marked, if it is close enough.
func TestNearestWish(t *testing.T) {
	at := func(hour, minute int) flight.Offer {
		it := itinerarytest.ViaDubai(t)
		d := it.Segments[0].Departure
		it.Segments = slices.Clone(it.Segments[:1])
		it.Segments[0].Departure = time.Date(d.Year(), d.Month(), d.Day(), hour, minute, 0, 0, d.Location())
		o := flight.Offer{ID: it.Segments[0].Departure.Format("15:04")}
		o.Itinerary = it
		return o
	}
	offers := []flight.Offer{at(8, 0), at(13, 40), at(16, 30)}
	for wish, want := range map[string]string{"13:00": "13:40", "16:40": "16:30", "08:00": "", "10:50": "", "": ""} {
		m := gangway.SearchMember{Wishes: map[string]string{"MNL-DXB_departure_time": wish}}
		got := ""
		for _, c := range Weigh(offers, m, gangway.Plan{}, gangway.Settings{}) {
			if c.Nearest {
				got += c.Offer.ID
			}
		}
		if got != want {
			t.Errorf("wished at %q: marked as nearest is %q; want %q", wish, got, want)
		}
	}
}
