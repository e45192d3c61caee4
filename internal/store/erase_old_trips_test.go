package store_test

import (
	"fmt"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

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
