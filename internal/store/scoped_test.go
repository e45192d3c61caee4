package store_test

import (
	"errors"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestNothingIsWrittenForARemovedCustomer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		account := storetest.Account(t, db)
		in := db.In(account.Scope())
		const token = "0011"
		must(t, db.SaveHandoff(t.Context(), token, "192.0.2.0/24", []byte(`{}`), store.DefaultHandoffCapacity,
			noon))
		must(t, did(db.RemoveCustomer(t.Context(), storetest.Operator, account.Customer.ID, noon)))
		for what, write := range map[string]func() error{
			"an upload": func() error {
				_, err := in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "E1", LastName: "Santos"}})
				return err
			},
			"a search": func() error {
				return in.SaveSearch(t.Context(), gangway.Search{ID: "sea_1", CreatedAt: noon})
			},
			"the log": func() error {
				return in.Record(t.Context(), storetest.Operator, gangway.DocumentShown, nil, noon)
			},
			"a supplier": func() error {
				return in.Ledger().Save(t.Context(), gangway.Document{ID: "o1", Doc: []byte(`{}`), Version: 1})
			},
			"a claim": func() error {
				_, err := in.ClaimHandoff(t.Context(), token, noon, func([]byte) (gangway.Search, error) {
					return gangway.Search{ID: "sea_2", CreatedAt: noon}, nil
				})
				return err
			},
			"a request that is to be carried out once": func() error {
				_, err := in.BeginOnce(t.Context(), "/passenger", "once", "hash", noon)
				return err
			},
		} {
			if err := write(); !errors.Is(err, store.ErrNoAccount) {
				t.Errorf("%s = %v; want ErrNoAccount", what, err)
			}
		}
	})
}

// TestRemovalBesideUploads holds that a removal and uploads at the same time leave nothing, whichever is first.
func TestRemovalBesideUploads(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		operator := raw(t, url)
		for range 5 {
			account := storetest.Account(t, db)
			in := db.In(account.Scope())
			began, ended := make(chan struct{}), make(chan error)
			for i := range 4 {
				go func() {
					for n := 0; ; n++ {
						_, err := in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: string(rune('A'+i)) +
							strings.Repeat("x", n%50), LastName: "Santos"}})
						if err != nil {
							ended <- err
							return
						}
						if n == 0 {
							began <- struct{}{}
						}
					}
				}()
			}
			for range 4 {
				<-began
			}
			if _, err := db.RemoveCustomer(t.Context(), storetest.Operator, account.Customer.ID, noon); err != nil {
				t.Error(err)
			}
			for range 4 {
				if err := <-ended; !errors.Is(err, store.ErrNoAccount) {
					t.Errorf("the uploads end with %v; want ErrNoAccount", err)
				}
			}
			var left int
			if err := operator.QueryRowContext(t.Context(), `SELECT count(*) FROM traveller WHERE account = $1`,
				account.ID).Scan(&left); err != nil || left != 0 {
				t.Errorf("%d travellers are left, %v; want none", left, err)
			}
		}
	})
}
