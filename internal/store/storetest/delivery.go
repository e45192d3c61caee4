package storetest

import (
	"testing"
	"time"

	"gangway/internal/store"
)

// TakeDelivery takes the one queue that is due at now, and returns it with the delivery that is next.
func TakeDelivery(t *testing.T, db *store.DB, now time.Time) (store.DeliveryQueue, store.Delivery) {
	t.Helper()
	queues, err := db.TakeQueues(t.Context(), now, 10, 10, nil)
	if err != nil || len(queues) != 1 {
		t.Fatalf("TakeQueues = %v, %v; want one", queues, err)
	}
	next, err := db.NextDeliveries(t.Context(), queues)
	if err != nil || next[0].Err != nil || next[0].Delivery == nil {
		t.Fatalf("NextDeliveries = %v, %v; want one", next, err)
	}
	return queues[0], *next[0].Delivery
}

// SettleTry records a try to deliver d after which it has a state, and returns the error; f is nil if d was accepted.
func SettleTry(t *testing.T, db *store.DB, l store.DeliveryQueue, d store.Delivery, state string, a store.Attempt,
	f *store.DeliveryFailure) error {
	t.Helper()
	o := &store.Outcome{Queue: l, At: a.At, Failure: f,
		Results: []store.Result{{Delivery: d, State: state, Attempt: &a}}}
	db.Settle(t.Context(), o)
	return o.Err
}
