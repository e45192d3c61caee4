package store_test

import (
	"reflect"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestTakeAlong: a deliverer of this process has a queue as soon as it is filled, unless it has no room, the queue has
// something in it, or the outlet takes nothing; and nobody else has it then.
func TestTakeAlong(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		o, err := in.SetOutlet(t.Context(), storetest.Operator, "erp",
			func(old store.StoredOutlet) (gangway.Outlet, error) {
				o, err := storetest.PushTo("https://crew.example/sync")(old)
				o.Mapping, o.Format, o.Transport.Secrets = ".", gangway.XMLFormat, []byte(`{"auth":{"kind":"bearer"}}`)
				return o, err
			}, []string{"whsec_x"}, storetest.Began)
		if err != nil {
			t.Fatal(err)
		}
		now := noon.Add(time.Hour)
		others := func() int {
			t.Helper()
			taken, err := db.TakeQueues(t.Context(), now, now.Add(time.Minute), 10, 10, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range taken {
				if err := in.ReleaseQueue(t.Context(), l); err != nil {
					t.Fatal(err)
				}
			}
			return len(taken)
		}
		room, got, made := true, []store.DeliveryQueue{}, []*store.StoredDelivery{}
		stop := db.TakeAlong(store.Taker{
			Room: func(outlet string, due time.Time) (time.Time, bool) { return now, room && outlet == o.ID },
			Take: func(l store.DeliveryQueue, d *store.StoredDelivery) (taken func()) {
				return func() { got, made = append(got, l), append(made, d) }
			},
		})
		others() // is known to the other replicas from now on
		woken := db.Wakes(store.Deliveries)
		createBooking(t, in, "b1", func(*gangway.Booking) {})
		if len(got) != 1 || others() != 0 || len(woken) != 0 {
			t.Fatalf("%d queues were taken along, %d wake-ups; want one, which nobody else looks for", len(got),
				len(woken))
		}
		read, err := in.NextDelivery(t.Context(), got[0])
		if err != nil || read.Booking.ID != "b1" {
			t.Errorf("NextDelivery = %+v, %v; want that of the booking", read, err)
		}
		if d, err := made[0].Open(); err != nil || !reflect.DeepEqual(d, read) {
			t.Errorf("with the queue came %+v, %v; want what would be read, %+v", d, err, read)
		}
		if _, err := in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Issue, "ana@example.com", storetest.Began)
		}); err != nil || len(got) != 1 || others() != 0 {
			t.Errorf("%d queues, %v; want the same one, since it was not empty", len(got), err)
		}
		room = false
		createBooking(t, in, "b2", func(*gangway.Booking) {})
		room = true
		if err := in.PauseOutlet(t.Context(), storetest.Operator, "erp", now); err != nil {
			t.Fatal(err)
		}
		createBooking(t, in, "b3", func(*gangway.Booking) {})
		if err := in.ResumeOutlet(t.Context(), storetest.Operator, "erp", now); err != nil {
			t.Fatal(err)
		}
		stop()
		createBooking(t, in, "b4", func(*gangway.Booking) {})
		if n := others(); len(got) != 1 || n != 3 || len(woken) == 0 {
			t.Errorf("%d queues were taken along, %d are left, %d wake-ups; want 1, 3 and one", len(got), n, len(woken))
		}
		if err := in.ReleaseQueue(t.Context(), got[0]); err != nil || others() != 4 {
			t.Errorf("ReleaseQueue = %v; want it to be anybody's", err)
		}
	})
}
