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
		must(t, err)
		createBooking(t, in, "b1", func(*gangway.Booking) {})
		if b, err := in.OutletBacklog(t.Context(), o.ID); err != nil || b.Waiting != 1 || b.Oldest.IsZero() {
			t.Fatalf("OutletBacklog = %+v, %v; want one that waits", b, err)
		}
		now := storetest.Began.Add(time.Hour)
		must(t, in.PauseOutlet(t.Context(), storetest.Operator, o.Name, now))
		if taken, err := db.TakeQueues(t.Context(), now, 10, 10, nil); err != nil ||
			len(taken) != 0 {
			t.Errorf("TakeQueues = %v, %v; want nothing of an outlet that is paused", taken, err)
		}
		for _, name := range []string{"", "erp", o.ID} {
			if found, err := in.FindOutlet(t.Context(), name); err != nil || found.ID != o.ID || !found.Paused {
				t.Errorf("FindOutlet(%q) = %+v, %v; want the outlet, paused", name, found, err)
			}
		}
		wantKind(t, gangway.NotFound, did(in.FindOutlet(t.Context(), "crm")))
		wantKind(t, gangway.NotFound, did(db.In(dev.Scope()).DeleteOutlet(t.Context(), storetest.Operator, o.ID, true,
			now)))
		wantKind(t, gangway.Conflict, did(in.DeleteOutlet(t.Context(), storetest.Operator, o.ID, false, now)))
		if lost, err := in.DeleteOutlet(t.Context(), storetest.Operator, o.ID, true, now); err != nil ||
			lost.Waiting != 1 {
			t.Errorf("DeleteOutlet = %+v, %v; want one discarded", lost, err)
		}
		if list, err := in.DeliveryStatuses(t.Context(), "b1"); err != nil || len(list) != 0 {
			t.Errorf("deliveries = %v, %v; want none", list, err)
		}
	})
}
