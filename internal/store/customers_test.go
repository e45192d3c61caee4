package store_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestCustomer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
		prod, dev, err := db.CreateCustomer(t.Context(), storetest.Operator, "  Halcyon Tankers ", at)
		must(t, err)
		if prod.Environment != gangway.Production || dev.Environment != gangway.Development || prod.ID == dev.ID {
			t.Fatalf("CreateCustomer = %+v and %+v; want one account per environment", prod, dev)
		}

		t.Run("is found again by its identifier", func(t *testing.T) {
			got, err := db.Customer(t.Context(), prod.Customer.ID)
			want := gangway.Customer{ID: prod.Customer.ID, Name: "Halcyon Tankers", CreatedAt: at}
			if err != nil || got != want {
				t.Fatalf("Customer = %+v, %v; want %+v", got, err, want)
			}
		})
		t.Run("has both accounts", func(t *testing.T) {
			gotProd, gotDev, err := db.Accounts(t.Context(), prod.Customer.ID)
			if diff := cmp.Diff([]gangway.Account{prod, dev}, []gangway.Account{gotProd, gotDev}); err != nil ||
				diff != "" {
				t.Fatalf("Accounts: %v\n%s", err, diff)
			}
		})
		t.Run("an account is used once it has a record, whatever the other has", func(t *testing.T) {
			used := func() (both [2]bool) {
				t.Helper()
				for i, account := range []gangway.Account{prod, dev} {
					both[i] = sure(db.In(account.Scope()).Used(t.Context()))(t)
				}
				return both
			}
			before := used()
			must(t, did(db.In(dev.Scope()).UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "C-1",
				LastName: "Santos", FirstName: "Ana"}})))
			if after := used(); before != [2]bool{} || after != [2]bool{false, true} {
				t.Fatalf("used: %v, and then %v; want development alone then", before, after)
			}
		})
		t.Run("unknown identifiers are not found", func(t *testing.T) {
			wantKind(t, gangway.NotFound, did(db.Customer(t.Context(), "cus_none")))
			if _, _, err := db.Accounts(t.Context(), "cus_none"); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("Accounts = %v; want NotFound", err)
			}
			wantKind(t, gangway.NotFound, did(db.Account(t.Context(), "acc_none")))
		})
		t.Run("is listed by name", func(t *testing.T) {
			first, _, err := db.CreateCustomer(t.Context(), storetest.Operator, "Borealis Reefers", at)
			must(t, err)
			got, err := db.Customers(t.Context())
			if diff := cmp.Diff([]gangway.Customer{first.Customer, prod.Customer}, got); err != nil || diff != "" {
				t.Fatalf("Customers: %v\n%s", err, diff)
			}
		})
		t.Run("needs a name", func(t *testing.T) {
			if _, _, err := db.CreateCustomer(t.Context(), storetest.Operator, "  ", at); gangway.KindOf(err) !=
				gangway.Invalid {
				t.Fatalf("CreateCustomer = %v; want Invalid", err)
			}
		})
		t.Run("settings of one environment leave the other alone", func(t *testing.T) {
			want := gangway.Settings{
				Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAbove, Above: gangway.Money{Minor: 50000,
					Currency: "USD"}},
				AutoIssue: true,
			}
			storetest.Settings(t, db.In(prod.Scope()), want)
			got, err := db.In(prod.Scope()).Account(t.Context())
			if err != nil || got.Settings != want {
				t.Fatalf("Account = %+v, %v; want settings %+v", got, err, want)
			}
			got, err = db.In(dev.Scope()).Account(t.Context())
			if err != nil || got.Settings != (gangway.Settings{}) {
				t.Fatalf("Account = %+v, %v; want no settings", got, err)
			}
		})
		t.Run("concurrent changes lose nothing", func(t *testing.T) {
			in := db.In(dev.Scope())
			var wait sync.WaitGroup
			for _, change := range []func(*gangway.Settings){
				func(s *gangway.Settings) { s.AutoIssue = true },
				func(s *gangway.Settings) { s.OwnApproval = true },
				func(s *gangway.Settings) { s.Currency = "EUR" },
				func(s *gangway.Settings) { s.Phone = "+31 20 555 0100" },
			} {
				wait.Go(func() {
					if _, err := in.UpdateSettings(t.Context(), storetest.Operator, storetest.Began,
						func(s *gangway.Settings) error {
							change(s)
							return nil
						}); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			got, err := in.Account(t.Context())
			want := gangway.Settings{AutoIssue: true, OwnApproval: true, Currency: "EUR", Phone: "+31 20 555 0100"}
			if err != nil || got.Settings != want {
				t.Fatalf("Account = %+v, %v; want %+v", got.Settings, err, want)
			}
		})
		t.Run("a change that is refused changes nothing", func(t *testing.T) {
			in, refusal := db.In(dev.Scope()), gangway.Errorf(gangway.Invalid, "no")
			before, _ := in.Account(t.Context())
			_, err := in.UpdateSettings(t.Context(), storetest.Operator, storetest.Began,
				func(s *gangway.Settings) error {
					s.Phone = ""
					return refusal
				})
			after, _ := in.Account(t.Context())
			if !errors.Is(err, refusal) || after.Settings != before.Settings {
				t.Fatalf("UpdateSettings = %v, settings %+v; want the refusal and %+v", err, after.Settings,
					before.Settings)
			}
		})
		t.Run("settings need an account", func(t *testing.T) {
			_, err := db.In(gangway.Scope{Account: "acc_none"}).UpdateSettings(t.Context(), storetest.Operator,
				storetest.Began, func(*gangway.Settings) error {
					return nil
				})
			wantKind(t, gangway.NotFound, err)
		})
	})
}
