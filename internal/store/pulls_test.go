package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestPullLease(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		begin := func(t *testing.T, in store.Scoped, id string, at time.Time) bool {
			t.Helper()
			found, err := in.BeginPull(t.Context(), store.PullAsk{ID: id, Limit: 10, Now: at,
				Lease: at.Add(time.Minute)})
			must(t, err)
			return found
		}
		hold := func(t *testing.T, in store.Scoped, id string, until time.Time) time.Time {
			t.Helper()
			lease := sure(in.HoldPull(t.Context(), id, until))(t)
			return lease
		}
		t.Run("a request that abandons an answer does not take it from another that writes it", func(t *testing.T) {
			in := db.In(storetest.Account(t, db).Scope())
			createBooking(t, in, "LEASEA", nil)
			begin(t, in, "first", noon)
			mine := noon.Add(time.Minute)
			theirs := hold(t, in, "first", mine) // at the same time, and still another lease
			must(t, in.AbandonPull(t.Context(), "first", mine))
			if begin(t, in, "second", noon) {
				t.Error("its action went to another pull while somebody wrote it")
			}
			must(t, in.AbandonPull(t.Context(), "first", theirs))
			if !begin(t, in, "third", noon) {
				t.Error("nobody writes it, but its action does not come again")
			}
		})
		t.Run("a held lease does not end, and one that ended cannot be held", func(t *testing.T) {
			in := db.In(storetest.Account(t, db).Scope())
			createBooking(t, in, "LEASEB", nil)
			begin(t, in, "slow", noon)
			hold(t, in, "slow", noon.Add(3*time.Minute))
			if begin(t, in, "hasty", noon.Add(2*time.Minute)) {
				t.Error("another pull got the action of one that is still being written")
			}
			if !begin(t, in, "patient", noon.Add(4*time.Minute)) {
				t.Error("the action did not come again")
			}
			wantKind(t, gangway.Conflict, did(in.HoldPull(t.Context(), "slow", noon.Add(9*time.Minute))))
		})
		t.Run("what was written stays written", func(t *testing.T) {
			in := db.In(storetest.Account(t, db).Scope())
			createBooking(t, in, "LEASEC", nil)
			begin(t, in, "done", noon)
			must(t, in.EndPull(t.Context(), "done"))
			lease := hold(t, in, "done", noon.Add(time.Minute))
			must(t, in.AbandonPull(t.Context(), "done", lease))
			if begin(t, in, "again", noon.Add(time.Hour)) {
				t.Error("its action came again")
			}
		})
		t.Run("pulls are deleted after 30 days, a few whenever one begins", func(t *testing.T) {
			in := db.In(storetest.Account(t, db).Scope())
			for i := range 6 {
				createBooking(t, in, fmt.Sprintf("OLD%03d", i), nil)
				ask := store.PullAsk{ID: fmt.Sprint("old", i), Named: true, Limit: 10,
					Now: noon.Add(time.Duration(i) * time.Hour)}
				must(t, did(in.BeginPull(t.Context(), ask)))
			}
			later := noon.AddDate(0, 0, 31)
			for i, left := range []int{3, 0} {
				createBooking(t, in, fmt.Sprintf("NEW%03d", i), nil)
				if !begin(t, in, fmt.Sprint("new", i), later) {
					t.Fatal("nothing was found")
				}
				there := 0
				for i := range 6 {
					part := sure(in.PullPart(t.Context(), fmt.Sprint("old", i), 0, 10))(t)
					there += len(part)
				}
				if pulls, err := in.Pulls(t.Context(), later, 100); there != left || err != nil || len(pulls) != i+1 {
					t.Errorf("%d of the old pulls are left, %v are listed, %v; want %d and only the new", there, pulls,
						err, left)
				}
			}
		})
	})
}

// TestPullLimit holds that, however many bookings come to wait meanwhile, no pull
// has more than it asked for, and no booking is in two.
func TestPullLimit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		var wait sync.WaitGroup
		for w := range 4 {
			wait.Go(func() {
				for i := range 15 {
					createBooking(t, in, fmt.Sprintf("%c%d%03dX", 'A'+w, w, i), nil) // all at the same time
				}
			})
			wait.Go(func() {
				for i := range 15 {
					ask := store.PullAsk{ID: fmt.Sprintf("%d.%d", w, i), Named: true, Limit: 1 + i%3, Now: noon}
					if _, err := in.BeginPull(t.Context(), ask); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		must(t, did(in.BeginPull(t.Context(), store.PullAsk{ID: "rest", Named: true, Limit: 100, Now: noon})))
		pulls := sure(in.Pulls(t.Context(), noon, 1000))(t)
		seen := map[string]string{}
		for _, p := range pulls {
			part, err := in.PullPart(t.Context(), p.ID, 0, 1000)
			var i int
			fmt.Sscanf(p.ID, "%d.%d", new(int), &i)
			if err != nil || p.ID != "rest" && len(part) > 1+i%3 || len(part) != p.Bookings {
				t.Errorf("pull %s, asked for %d bookings, has %d and says %d, %v", p.ID, 1+i%3, len(part), p.Bookings,
					err)
			}
			for _, b := range part {
				if other := seen[b.Booking]; other != "" {
					t.Errorf("booking %s is in %s and %s", b.Booking, other, p.ID)
				}
				seen[b.Booking] = p.ID
			}
		}
		if len(seen) != 60 {
			t.Errorf("%d of 60 bookings were pulled", len(seen))
		}
	})
}
