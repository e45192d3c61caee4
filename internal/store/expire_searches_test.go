package store_test

import (
	"fmt"
	"testing"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestExpireInPortions holds that old searches are found behind hundreds that
// stay, made at the same moment and at others.
func TestExpireInPortions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		for i := range 450 {
			id := fmt.Sprintf("s%03d", i)
			if err := in.SaveSearch(t.Context(), gangway.Search{ID: id, By: "ana@example.com", CreatedAt: noon.AddDate(0, 0, i/300), Members: []gangway.SearchMember{{}}}); err != nil {
				t.Fatal(err)
			}
			if i%100 != 99 {
				createBooking(t, in, "b"+id, func(b *gangway.Booking) { b.Purpose.Search = id })
			}
		}
		e, err := db.Expire(t.Context(), noon.AddDate(0, 0, 70))
		if err != nil || e.Searches != 4 {
			t.Errorf("Expire = %+v, %v; want the four that nothing came of cleared away", e, err)
		}
		if _, err := in.Search(t.Context(), "s000"); err != nil {
			t.Errorf("a search that led to a booking is gone: %v", err)
		}
	})
}
