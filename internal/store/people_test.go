package store_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestPeople(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		customer := storetest.Account(t, db).Customer.ID
		ines := gangway.User{ID: "usr_1", Customer: customer, Email: "ines.paredes@halcyon.example",
			Name: "Ines Paredes", Role: gangway.Admin}
		arto := gangway.User{ID: "usr_2", Customer: customer, Email: "arto.laine@halcyon.example", Name: "Arto Laine",
			Role: gangway.Booker}
		for _, u := range []gangway.User{ines, arto} {
			must(t, db.CreateUser(t.Context(), storetest.Operator, u, "hash of "+u.ID, storetest.Began))
		}

		t.Run("a person is found however the e-mail is typed", func(t *testing.T) {
			got, hash, err := db.UserByEmail(t.Context(), " Ines.Paredes@HALCYON.example ")
			if err != nil || got != ines || hash != "hash of usr_1" {
				t.Fatalf("UserByEmail = %+v, %q, %v; want %+v", got, hash, err, ines)
			}
		})
		t.Run("a person is found by identifier", func(t *testing.T) {
			if got, err := db.User(t.Context(), "usr_2"); err != nil || got != arto {
				t.Fatalf("User = %+v, %v; want %+v", got, err, arto)
			}
		})
		t.Run("an e-mail belongs to one person", func(t *testing.T) {
			again := gangway.User{ID: "usr_3", Customer: customer, Email: "ARTO.laine@halcyon.example", Name: "Arto",
				Role: gangway.Booker}
			wantKind(t, gangway.Conflict,
				db.CreateUser(t.Context(), storetest.Operator, again, "hash", storetest.Began))
		})
		t.Run("unknown people are not found", func(t *testing.T) {
			if _, _, err := db.UserByEmail(t.Context(), "nobody@halcyon.example"); gangway.KindOf(err) !=
				gangway.NotFound {
				t.Errorf("UserByEmail = %v; want NotFound", err)
			}
			for _, email := range []string{"arto\x00.laine@halcyon.example", "arto\xff@halcyon.example"} {
				if _, _, err := db.UserByEmail(t.Context(), email); gangway.KindOf(err) != gangway.NotFound {
					t.Errorf("UserByEmail(%q) = %v; want NotFound", email, err)
				}
			}
			wantKind(t, gangway.NotFound, did(db.User(t.Context(), "usr_none")))
		})
		t.Run("a customer's people are listed by e-mail", func(t *testing.T) {
			got, err := db.Users(t.Context(), customer)
			if diff := cmp.Diff([]gangway.User{arto, ines}, got); err != nil || diff != "" {
				t.Fatalf("Users: %v\n%s", err, diff)
			}
		})
	})
}
