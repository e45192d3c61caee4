package store_test

import (
	"testing"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// TestEraseByDocument holds that a passport number finds all its records, however
// the number was typed in each: with traces and without.
func TestEraseByDocument(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		for _, typed := range []string{"XK7Q9ZP41", "XK7 Q9ZP41", "xk7-q9zp41"} {
			for _, traces := range []string{"written", "none"} {
				db := openURL(t, url)
				in := db.In(storetest.Account(t, db).Scope())
				var list []gangway.Traveller
				for _, number := range []string{"XK7Q9ZP41", "XK7 Q9ZP41", "XK7-Q9-ZP41"} {
					list = append(list, gangway.Traveller{LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02",
						DocCountry: "PH", DocNumber: number})
				}
				list = append(list, gangway.Traveller{LastName: "Reyes", FirstName: "Jun", DOB: "1991-01-02",
					DocCountry: "PH", DocNumber: "XK7Q9ZP42"})
				if counts, err := in.UpsertTravellers(t.Context(), list); err != nil || counts.Created != 4 {
					t.Fatalf("created %+v, %v; want each number to be a record of its own, as it was sent", counts, err)
				}
				if traces != "none" {
					trace(t, db)
				}
				e, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{DocCountry: "PH",
					DocNumber: typed}, noon, nil)
				if err != nil || e.Travellers != 3 || len(e.Alike) > 0 {
					t.Errorf("%s, traces: %s: erased %+v, %v; want all three with that passport", typed, traces, e, err)
				}
			}
		}
	})
}
