package store_test

import (
	"encoding/json"
	"slices"
	"testing"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestEraseHandoffs holds that unclaimed hand-offs with the traveller are erased,
// even those that say less than the record does. One that may be about another
// customer's traveller is only reported.
func TestEraseHandoffs(t *testing.T) {
	maria := gangway.Traveller{ID: "E1", LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02", DocCountry: "PH",
		DocNumber: "P1234567A"}
	handedOver := map[string]gangway.Traveller{
		"as on record":                     maria,
		"the identifier alone":             {ID: "E1"},
		"identifier and name":              {ID: "E1", LastName: "Santos", FirstName: "Maria"},
		"the passport without its country": {DocNumber: "P1234567A", LastName: "Santos", FirstName: "Maria"},
		"name and birth date":              {LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02"},
		"the identifier of somebody else": {ID: "E1", LastName: "Reyes", FirstName: "Jun", DOB: "1980-05-06",
			DocCountry: "PH", DocNumber: "P7777777A"},
		"somebody else with the same name":   {ID: "X9", LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02"},
		"somebody else with another name":    {ID: "E2", LastName: "Cruz", FirstName: "Ana"},
		"nobody, as a form may be left bare": {},
	}
	stay := []string{"nobody, as a form may be left bare", "somebody else with another name",
		"somebody else with the same name", "the identifier of somebody else"}
	alike := []string{"id E1 in a hand-off that nobody has claimed", "id X9 in a hand-off that nobody has claimed"}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{maria})))
		for name, traveller := range handedOver {
			doc, err := json.Marshal(
				map[string]any{"change": gangway.CrewChange{OnSigners: []gangway.CrewMember{{Traveller: traveller}}}})
			must(t, err)
			must(t, db.SaveHandoff(t.Context(), name, "192.0.2.1/32", doc, store.DefaultHandoffCapacity, noon))
		}
		e, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E1"}, noon, nil)
		slices.Sort(e.Alike)
		if err != nil || e.HandOffs != len(handedOver)-len(stay) || !slices.Equal(e.Alike, alike) {
			t.Errorf("EraseTraveller = %+v, %v; want %d hand-offs erased, and %q reported", e, err, len(handedOver)-
				len(stay), alike)
		}
		for name := range handedOver {
			_, err := in.ClaimHandoff(t.Context(), name, noon, func([]byte) (gangway.Search, error) {
				return gangway.Search{ID: name, CreatedAt: noon}, nil
			})
			if stays := slices.Contains(stay, name); (err == nil) != stays {
				t.Errorf("the hand-off with %s is claimed: %v; want it there: %t", name, err, stays)
			}
		}
	})
}
