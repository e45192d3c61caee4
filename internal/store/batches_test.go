package store_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func crewBatch(id string, bookings ...string) store.Batch {
	b := store.Batch{ID: id, Kind: "book", Search: "s", By: gangway.User{ID: "u1", Email: "ana@example.com",
		Name: "Ana"}, CreatedAt: noon}
	for i, booking := range bookings {
		b.Items = append(b.Items, store.BatchItem{Booking: booking, Member: i,
			Doc: []byte(`{"passenger":{"id":"E1","last_name":"Santos","first_name":"Maria","dob":"1990-01-02"}}`)})
	}
	return b
}

func TestBatches(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		begin := func(t *testing.T, b store.Batch, until time.Time) (store.BatchLease, bool) {
			t.Helper()
			l, fresh, err := in.BeginBatch(t.Context(), b, until)
			must(t, err)
			return l, fresh
		}
		take := func(t *testing.T, now time.Time) []store.BatchLease {
			t.Helper()
			list := sure(db.TakeBatches(t.Context(), now, now.Add(time.Minute), 100))(t)
			return list
		}
		t.Run("a batch is begun once, and kept as it was begun", func(t *testing.T) {
			if _, fresh := begin(t, crewBatch("once", "a", "b"), noon.Add(time.Hour)); !fresh {
				t.Fatal("it existed before it was begun")
			}
			if _, fresh := begin(t, crewBatch("once", "c"), noon.Add(time.Hour)); fresh {
				t.Fatal("it was begun a second time")
			}
			b, err := in.Batch(t.Context(), "once")
			if err != nil || len(b.Items) != 2 || b.Items[1].Booking != "b" || b.Items[1].Member != 1 ||
				b.Items[1].State != store.ItemOpen || b.By.Name != "Ana" || !b.CreatedAt.Equal(noon) {
				t.Fatalf("Batch = %+v, %v; want it as it was begun", b, err)
			}
			if begun, err := in.HasBatch(t.Context(), "once"); err != nil || !begun {
				t.Errorf("HasBatch = %v, %v", begun, err)
			}
			stranger := db.In(storetest.Account(t, db).Scope())
			wantKind(t, gangway.NotFound, did(stranger.Batch(t.Context(), "once")))
		})
		t.Run("when its lease has ended, one process of many takes it", func(t *testing.T) {
			l, _ := begin(t, crewBatch("lease", "d"), noon.Add(time.Minute))
			if list := take(t, noon); len(list) != 0 {
				t.Fatalf("while somebody works on it, %d were taken", len(list))
			}
			var mu sync.Mutex
			var taken []store.BatchLease
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					list := take(t, noon.Add(2*time.Minute))
					mu.Lock()
					defer mu.Unlock()
					taken = append(taken, list...)
				})
			}
			all.Wait()
			if len(taken) != 1 || taken[0].ID != "lease" {
				t.Fatalf("taken: %+v; want it once", taken)
			}
			if err := in.HoldBatch(t.Context(), l, noon.Add(time.Hour)); !errors.Is(err, store.ErrBatchLost) {
				t.Errorf("the earlier holder still holds it: %v", err)
			}
			must(t, in.ReleaseBatch(t.Context(), taken[0]))
			if list := take(t, noon.Add(2*time.Minute)); len(list) != 1 {
				t.Errorf("once released, %d are taken; want it", len(list))
			}
		})
		t.Run("the first outcome stays, whoever waits is woken, and a finished batch is not taken", func(t *testing.T) {
			begin(t, crewBatch("settle", "e", "f"), noon)
			wake, stop := db.Await(store.BatchTopic("settle"))
			defer stop()
			settle := func(booking string, state store.ItemState, why string) {
				t.Helper()
				must(t, in.SettleItem(t.Context(), "settle", booking, state, why))
			}
			settle("e", store.ItemRefused, "the price is now another")
			<-wake
			settle("e", store.ItemDone, "")
			settle("f", store.ItemDone, "")
			b, err := in.Batch(t.Context(), "settle")
			if err != nil || b.Items[0].State != store.ItemRefused || b.Items[0].Outcome !=
				"the price is now another" || b.Items[1].State != store.ItemDone {
				t.Fatalf("Batch = %+v, %v; want the first outcomes", b, err)
			}
			for _, l := range take(t, noon.Add(time.Hour)) {
				if l.ID == "settle" {
					t.Error("a finished batch was taken")
				}
			}
		})
		t.Run("it shows the booking and the state of the intent", func(t *testing.T) {
			begin(t, crewBatch("made", "g1", "h1"), noon)
			createBooking(t, in, "g1", nil)
			i := store.Intent{ID: "h1", Booking: "h1", Kind: "book", Doc: []byte(`{}`), CreatedAt: noon, Lease: noon}
			must(t, in.BeginBooking(t.Context(), i, store.Hold{Search: "made"}))
			must(t, in.CloseIntent(t.Context(), "h1", "no seats"))
			b, err := in.Batch(t.Context(), "made")
			if err != nil || b.Items[0].Made == nil || b.Items[0].Made.ID != "g1" || b.Items[1].Made != nil ||
				b.Items[1].Intent == nil || b.Items[1].Intent.Outcome != "no seats" {
				t.Fatalf("Batch = %+v, %v; want its booking and its intent", b, err)
			}
		})
	})
}

// TestEraseFromBatches holds that a traveller booked in a batch is found and
// erased, with and without traces, and together with the booking.
func TestEraseFromBatches(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for _, traced := range []bool{false, true} {
			in := db.In(storetest.Account(t, db).Scope())
			if _, _, err := in.BeginBatch(t.Context(), crewBatch("all", "x", "y"), noon); err != nil {
				t.Fatal(err)
			}
			if traced {
				trace(t, db)
			}
			erase := func() (store.Erased, error) {
				return in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E1"}, noon, nil)
			}
			must(t, in.SettleItem(t.Context(), "all", "x", store.ItemRefused, "Santos, Maria: too long"))
			wantKind(t, gangway.Conflict, did(erase()))
			must(t, in.SettleItem(t.Context(), "all", "y", store.ItemDone, ""))
			if e, err := erase(); err != nil || e.Batches != 2 {
				t.Fatalf("EraseTraveller = %+v, %v; want both items", e, err)
			}
			b := sure(in.Batch(t.Context(), "all"))(t)
			for i, why := range []string{"the traveller was erased", ""} {
				if string(b.Items[i].Doc) != "{}" || b.Items[i].Outcome != why {
					t.Errorf("item %d is %s %q; want it empty", i, b.Items[i].Doc, b.Items[i].Outcome)
				}
			}
			wantKind(t, gangway.NotFound, did(erase()))
		}
	})
}

// TestOldBookingsLeaveBatches holds that the item of a batch is emptied when its booking is erased.
func TestOldBookingsLeaveBatches(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		if _, _, err := in.BeginBatch(t.Context(), crewBatch("all", "z1"), noon); err != nil {
			t.Fatal(err)
		}
		must(t, in.SettleItem(t.Context(), "all", "z1", store.ItemDone, ""))
		createBooking(t, in, "z1", nil)
		later := noon.AddDate(2, 0, 0)
		cancel := func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "ana@example.com", noon)
		}
		must(t, did(in.UpdateBooking(t.Context(), "z1", "", cancel)))
		if e, err := in.EraseOld(t.Context(), later, later, nil); err != nil || e.Bookings != 1 {
			t.Fatalf("EraseOld = %+v, %v; want the booking", e, err)
		}
		if b, err := in.Batch(t.Context(), "all"); err != nil || string(b.Items[0].Doc) != "{}" {
			t.Errorf("Batch = %+v, %v; want it empty", b, err)
		}
	})
}

func TestBatchesAreFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		if _, found, err := in.LastBatch(t.Context(), "s"); found || err != nil {
			t.Fatalf("found %v, %v; want none", found, err)
		}
		begin := func(id string, at time.Time, bookings ...string) {
			b := crewBatch(id, bookings...)
			b.Change, b.CreatedAt = "id:CC-1", at
			if _, _, err := in.BeginBatch(t.Context(), b, at.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		begin("first", noon, "a", "b")
		begin("second", noon.Add(time.Minute), "c")
		must(t, in.SettleItem(t.Context(), "second", "c", store.ItemDone, ""))
		if b, found, err := in.LastBatch(t.Context(), "s"); err != nil || !found || b.ID != "first" || b.Pending != 2 ||
			b.All != 2 || b.By.Name != "Ana" {
			t.Errorf("last = %+v, %v, %v; want the first, which is being worked on", b, found, err)
		}
		if m, err := in.BatchesUnderWay(t.Context()); err != nil || len(m) != 1 || m["id:CC-1"].ID != "first" {
			t.Errorf("under way = %+v, %v; want the first for its crew change", m, err)
		}
		for _, booking := range []string{"a", "b"} {
			must(t, in.SettleItem(t.Context(), "first", booking, store.ItemRefused, "gone"))
		}
		if b, _, err := in.LastBatch(t.Context(), "s"); err != nil || b.ID != "second" || b.Pending != 0 {
			t.Errorf("last = %+v, %v; want the second", b, err)
		}
		if m, err := in.BatchesUnderWay(t.Context()); err != nil || len(m) != 0 {
			t.Errorf("under way = %+v, %v; want none", m, err)
		}
		stranger := db.In(storetest.Account(t, db).Scope())
		if _, found, err := stranger.LastBatch(t.Context(), "s"); found || err != nil {
			t.Errorf("another account finds it: %v, %v", found, err)
		}
	})
}
