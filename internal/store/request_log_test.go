package store_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// loggedAt are requests that came in at some instants, with bodies, as they are written.
func loggedAt(account gangway.Account, at ...time.Time) []store.RequestBatch {
	b := store.RequestBatch{Account: account.ID, At: at[len(at)-1]}
	for _, at := range at {
		b.Requests = append(b.Requests, gangway.LoggedRequest{ID: store.NewRequestID(at), At: at, Method: "GET",
			Path: "/bookings", Status: 200, Key: "key_1", Body: []byte("x")})
	}
	return []store.RequestBatch{b}
}

func TestRequestLogIsBounded(t *testing.T) {
	defer store.SetLoggedRequestsMost(3)() // of both databases, which are tried side by side
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		db.SealWith(storetest.Sealer(t))
		prod, dev := storetest.Accounts(t, db)
		in, day := db.In(prod.Scope()), 24*time.Hour
		kept := func(now time.Time) (requests, bodies int) {
			t.Helper()
			must(t, db.ExpireRequests(t.Context(), now))
			list := sure(in.LoggedRequests(t.Context(), false, 100))(t)
			for i, r := range list {
				if i > 0 && list[i-1].ID < r.ID {
					t.Errorf("%s comes before %s; want the newest first", list[i-1].ID, r.ID)
				}
				one := sure(in.LoggedRequest(t.Context(), r.ID))(t)
				bodies += len(one.Body)
			}
			return len(list), bodies
		}
		write := func(batches []store.RequestBatch) {
			t.Helper()
			must(t, db.LogRequests(t.Context(), batches))
		}
		write(loggedAt(prod, noon, noon.Add(time.Hour), noon.Add(day)))
		write(loggedAt(dev, noon))
		for _, tt := range []struct {
			when             string
			after            time.Duration
			requests, bodies int
		}{
			{"at once", 0, 3, 3}, {"after a day, bodies go", day + time.Minute, 3, 2},
			{"after a month, requests go", 30*day + 2*time.Hour, 1, 0},
		} {
			if n, bodies := kept(noon.Add(tt.after)); n != tt.requests || bodies != tt.bodies {
				t.Errorf("%s: %d requests and %d bodies; want %d and %d", tt.when, n, bodies, tt.requests, tt.bodies)
			}
		}
		write(loggedAt(prod, noon.Add(2*day), noon.Add(3*day), noon.Add(4*day)))
		if n, _ := kept(noon.Add(4 * day)); n != 3 {
			t.Errorf("%d requests are kept; want the 3 that an account may have", n)
		}
	})
}

// The log says how many requests it could not take, for as long as it has those of that time.
func TestMissingRequestsAreCounted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		account := storetest.Account(t, db)
		in, month := db.In(account.Scope()), 30*24*time.Hour
		want := func(at time.Time, n int) {
			t.Helper()
			if got, _, err := in.MissingRequests(t.Context(), at); err != nil || got != n {
				t.Errorf("MissingRequests = %d, %v; want %d", got, err, n)
			}
		}
		want(noon, 0)
		for _, b := range []store.RequestBatch{{Missing: 3, At: noon}, {Missing: 4, At: noon.Add(time.Hour)},
			{At: noon.Add(2 * time.Hour)}} {
			b.Account = account.ID
			must(t, db.LogRequests(t.Context(), []store.RequestBatch{b}))
		}
		want(noon.Add(2*time.Hour), 7)
		want(noon.Add(month+2*time.Hour), 0)
		must(t, db.LogRequests(t.Context(), []store.RequestBatch{{Account: account.ID, Missing: 1,
			At: noon.Add(2 * month)}}))
		want(noon.Add(2*month), 1)
	})
}

// Nothing is logged for a customer that was removed, and the others' requests are.
func TestRequestsOfRemovedCustomers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		gone, stays := storetest.Account(t, db), storetest.Account(t, db)
		must(t, did(db.RemoveCustomer(t.Context(), storetest.Operator, gone.Customer.ID, noon)))
		must(t, db.LogRequests(t.Context(), append(loggedAt(gone, noon), loggedAt(stays, noon)...)))
		for account, want := range map[gangway.Account]int{gone: 0, stays: 1} {
			list, err := db.In(account.Scope()).LoggedRequests(t.Context(), false, 10)
			if err != nil || len(list) != want {
				t.Errorf("the log has %d requests, %v; want %d", len(list), err, want)
			}
		}
	})
}
