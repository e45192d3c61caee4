package store_test

import (
	"testing"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestCustomer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
		prod, dev, err := db.CreateCustomer(t.Context(), "  Halcyon Tankers ", at)
		if err != nil {
			t.Fatal(err)
		}
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
			if diff := cmp.Diff([]gangway.Account{prod, dev}, []gangway.Account{gotProd, gotDev}); err != nil || diff != "" {
				t.Fatalf("Accounts: %v\n%s", err, diff)
			}
		})
		t.Run("unknown ones are not found", func(t *testing.T) {
			if _, err := db.Customer(t.Context(), "cus_none"); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("Customer = %v; want NotFound", err)
			}
			if _, _, err := db.Accounts(t.Context(), "cus_none"); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("Accounts = %v; want NotFound", err)
			}
			if _, err := db.Account(t.Context(), "acc_none"); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("Account = %v; want NotFound", err)
			}
		})
		t.Run("is listed by name", func(t *testing.T) {
			first, _, err := db.CreateCustomer(t.Context(), "Borealis Reefers", at)
			if err != nil {
				t.Fatal(err)
			}
			got, err := db.Customers(t.Context())
			if diff := cmp.Diff([]gangway.Customer{first.Customer, prod.Customer}, got); err != nil || diff != "" {
				t.Fatalf("Customers: %v\n%s", err, diff)
			}
		})
		t.Run("needs a name", func(t *testing.T) {
			if _, _, err := db.CreateCustomer(t.Context(), "  ", at); gangway.KindOf(err) != gangway.Invalid {
				t.Fatalf("CreateCustomer = %v; want Invalid", err)
			}
		})
		t.Run("settings of one environment leave the other alone", func(t *testing.T) {
			want := gangway.Settings{
				Approval:      gangway.ApprovalPolicy{Mode: gangway.ApproveAbove, Above: gangway.Money{Minor: 50000, Currency: "USD"}},
				KeepUnissued:  true,
				PaymentMethod: "card",
			}
			if err := db.In(prod.Scope()).SaveSettings(t.Context(), want); err != nil {
				t.Fatal(err)
			}
			got, err := db.In(prod.Scope()).Account(t.Context())
			if err != nil || got.Settings != want {
				t.Fatalf("Account = %+v, %v; want settings %+v", got, err, want)
			}
			got, err = db.In(dev.Scope()).Account(t.Context())
			if err != nil || got.Settings != (gangway.Settings{}) {
				t.Fatalf("Account = %+v, %v; want no settings", got, err)
			}
		})
		t.Run("settings need an account", func(t *testing.T) {
			err := db.In(gangway.Scope{Account: "acc_none"}).SaveSettings(t.Context(), gangway.Settings{})
			if gangway.KindOf(err) != gangway.NotFound {
				t.Fatalf("SaveSettings = %v; want NotFound", err)
			}
		})
	})
}
