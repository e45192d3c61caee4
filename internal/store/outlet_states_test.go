package store_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestDeleteOutlet: an outlet with which deliveries would be lost is deleted only if that is said.
func TestDeleteOutlet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in := db.In(prod.Scope())
		o, err := in.SetOutlet(t.Context(), storetest.Operator, "erp", storetest.PushTo("https://crew.example/sync"),
			[]string{"whsec_x"}, storetest.Began)
		if err != nil {
			t.Fatal(err)
		}
		createBooking(t, in, "b1", func(*gangway.Booking) {})
		if b, err := in.OutletBacklog(t.Context(), o.ID); err != nil || b.Waiting != 1 || b.Oldest.IsZero() {
			t.Fatalf("OutletBacklog = %+v, %v; want one that waits", b, err)
		}
		now := storetest.Began.Add(time.Hour)
		if err := in.PauseOutlet(t.Context(), storetest.Operator, o.Name, now); err != nil {
			t.Fatal(err)
		}
		if taken, err := db.TakeQueues(t.Context(), now, 10, 10, nil); err != nil ||
			len(taken) != 0 {
			t.Errorf("TakeQueues = %v, %v; want nothing of an outlet that is paused", taken, err)
		}
		for _, name := range []string{"", "erp", o.ID} {
			if found, err := in.FindOutlet(t.Context(), name); err != nil || found.ID != o.ID || !found.Paused {
				t.Errorf("FindOutlet(%q) = %+v, %v; want the outlet, paused", name, found, err)
			}
		}
		if _, err := in.FindOutlet(t.Context(), "crm"); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("FindOutlet = %v; want NotFound", err)
		}
		if _, err := db.In(dev.Scope()).DeleteOutlet(t.Context(), storetest.Operator, o.ID, true,
			now); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("another account deletes it: %v; want NotFound", err)
		}
		if _, err := in.DeleteOutlet(t.Context(), storetest.Operator, o.ID, false, now); gangway.KindOf(err) !=
			gangway.Conflict {
			t.Errorf("DeleteOutlet = %v; want Conflict", err)
		}
		if lost, err := in.DeleteOutlet(t.Context(), storetest.Operator, o.ID, true, now); err != nil ||
			lost.Waiting != 1 {
			t.Errorf("DeleteOutlet = %+v, %v; want one discarded", lost, err)
		}
		if list, err := in.DeliveryStatuses(t.Context(), "b1"); err != nil || len(list) != 0 {
			t.Errorf("deliveries = %v, %v; want none", list, err)
		}
	})
}
