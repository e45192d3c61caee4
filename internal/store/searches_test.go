package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestSearches(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		in := db.In(prod.Scope())
		at := storetest.Began
		save := func(s gangway.Search) gangway.Search {
			t.Helper()
			must(t, in.SaveSearch(t.Context(), s))
			return s
		}
		var all []gangway.Search
		for i := range 3 {
			all = append(all, save(gangway.Search{
				ID: fmt.Sprint("s", i), By: "booker@example.com", CreatedAt: at.Add(time.Duration(i) * time.Minute),
				Members: []gangway.SearchMember{{Traveller: gangway.Traveller{LastName: "SANTOS"},
					Legs: []gangway.Leg{{Origin: "MNL", Destination: "SIN", Date: "2026-04-01"}}}},
			}))
		}
		save(gangway.Search{ID: "other", By: "other@example.com", CreatedAt: at.Add(time.Hour)})

		t.Run("a search is found again", func(t *testing.T) {
			got, err := in.Search(t.Context(), "s1")
			if diff := cmp.Diff(all[1], got); err != nil || diff != "" {
				t.Fatalf("Search = %v, differs by\n%s", err, diff)
			}
		})
		t.Run("what was corrected replaces what was there", func(t *testing.T) {
			all[1].Members[0].Traveller.FirstName = "MARIA"
			save(all[1])
			got, err := in.Search(t.Context(), "s1")
			if err != nil || got.Members[0].Traveller.FirstName != "MARIA" {
				t.Fatalf("Search = %+v, %v; want MARIA", got, err)
			}
		})
		t.Run("forty people choose at once, and no choice is lost", func(t *testing.T) {
			s := save(gangway.Search{ID: "crew", By: "booker@example.com", Members: make([]gangway.SearchMember, 40)})
			var wait sync.WaitGroup
			for i := range s.Members {
				wait.Go(func() {
					if _, err := in.UpdateSearch(t.Context(), s.ID, func(s *gangway.Search) error {
						s.Members[i].Chosen = fmt.Sprint("flight ", i)
						return nil
					}); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			got, err := in.Search(t.Context(), s.ID)
			for i, m := range got.Members {
				if err != nil || m.Chosen != fmt.Sprint("flight ", i) {
					t.Fatalf("member %d flies %q, %v", i, m.Chosen, err)
				}
			}
		})
		t.Run("a change that is refused changes nothing", func(t *testing.T) {
			refusal := errors.New("no")
			_, err := in.UpdateSearch(t.Context(), "s2", func(s *gangway.Search) error {
				s.Vessel = "OTHER"
				return refusal
			})
			if got, _ := in.Search(t.Context(), "s2"); !errors.Is(err, refusal) || got.Vessel != "" {
				t.Fatalf("UpdateSearch = %v, vessel %q", err, got.Vessel)
			}
		})
		t.Run("the latest of one user come first", func(t *testing.T) {
			got, err := in.RecentSearches(t.Context(), "booker@example.com", 2)
			if err != nil || len(got) != 2 || got[0].ID != "s2" || got[1].ID != "s1" {
				t.Fatalf("RecentSearches = %+v, %v; want s2, s1", got, err)
			}
		})
		t.Run("another environment sees none", func(t *testing.T) {
			wantKind(t, gangway.NotFound, did(db.In(dev.Scope()).Search(t.Context(), "s1")))
			if got, err := db.In(dev.Scope()).RecentSearches(t.Context(), "booker@example.com", 9); err != nil ||
				len(got) != 0 {
				t.Fatalf("RecentSearches = %+v, %v; want none", got, err)
			}
		})
	})
}

// TestSearchesOfACrewChangeAreBegunOnce holds that people who begin the same search
// at the same time share one, but only within an account.
func TestSearchesOfACrewChangeAreBegunOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		const people = 6
		for i := range people {
			u := gangway.User{ID: fmt.Sprint("u", i), Customer: prod.Customer.ID, Role: gangway.Booker,
				Email: fmt.Sprintf("booker%d@example.com", i), Name: "Booker"}
			must(t, db.CreateUser(t.Context(), storetest.Operator, u, "hash", storetest.Began))
		}
		begin := func(account gangway.Account, by int, after time.Duration) string {
			t.Helper()
			s := gangway.Search{ID: fmt.Sprint("s", by, after, account.Environment), Change: `id:CC "50%"_1`,
				By: fmt.Sprintf("booker%d@example.com", by), CreatedAt: storetest.Began.Add(after), Airport: "SIN",
				Members: []gangway.SearchMember{{Traveller: gangway.Traveller{LastName: "SANTOS"}}}}
			begun, err := db.In(account.Scope()).BeginSearch(t.Context(), s, s.CreatedAt.Add(-10*time.Minute))
			if err != nil {
				t.Error(err)
			}
			return begun.ID
		}
		if _, err := db.In(prod.Scope()).BeginSearch(t.Context(), gangway.Search{ID: "s", Change: "id:none"},
			storetest.Began); gangway.KindOf(err) != gangway.NotFound {
			t.Fatalf("a missing crew change: %v; want NotFound", err)
		}
		for _, account := range []gangway.Account{prod, dev} {
			must(t, did(db.In(account.Scope()).UpsertCrewChanges(t.Context(), []gangway.CrewChange{{
				TravelRequestID: `CC "50%"_1`, Vessel: "NORDLYS", Flag: "NO", ChangeDate: "2026-12-01",
				OnSigners: []gangway.CrewMember{{Traveller: gangway.Traveller{LastName: "SANTOS"}}},
			}}, storetest.Began)))
		}
		ids := make([]string, people)
		var all sync.WaitGroup
		for i := range people {
			all.Go(func() { ids[i] = begin(prod, i, 0) })
		}
		all.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Fatalf("begun at once: %v; want one search", ids)
			}
		}
		if id := begin(prod, 1, 9*time.Minute); id != ids[0] {
			t.Errorf("nine minutes later it is %s; want %s", id, ids[0])
		}
		if id := begin(prod, 1, 10*time.Minute); id == ids[0] {
			t.Errorf("ten minutes later it is still %s; want another one", id)
		}
		if id := begin(dev, 1, 0); id == ids[0] {
			t.Errorf("the other environment was given %s; want one of its own", id)
		}
	})
}
