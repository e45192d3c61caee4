package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

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

func TestChangePeople(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		customer := storetest.Account(t, db).Customer.ID
		at := storetest.Began
		create := func(id, email string, role gangway.Role) error {
			u := gangway.User{ID: id, Customer: customer, Email: email, Name: "Ines Paredes", Role: role}
			return db.CreateUser(t.Context(), storetest.Operator, u, "hash of "+id, at)
		}
		for id, role := range map[string]gangway.Role{"usr_1": gangway.Admin, "usr_2": gangway.Admin,
			"usr_3": gangway.Booker} {
			must(t, create(id, id+"@halcyon.example", role))
		}
		disable := func(email string) error {
			_, err := db.UpdateUser(t.Context(), storetest.Operator, customer, email, gangway.UserDisabled, at,
				func(u *gangway.User, others []gangway.User) error { return u.Disable(others) })
			return err
		}

		t.Run("of two admins disabled at once, one stays", func(t *testing.T) {
			var both sync.WaitGroup
			errs := make([]error, 2)
			for i := range errs {
				both.Go(func() { errs[i] = disable(fmt.Sprintf("usr_%d@halcyon.example", i+1)) })
			}
			both.Wait()
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("disabled at once: %v and %v; want one refused", errs[0], errs[1])
			}
		})
		t.Run("a new password ends the sessions and replaces the old one", func(t *testing.T) {
			before, _, err := db.UserByEmail(t.Context(), "usr_3@halcyon.example")
			must(t, err)
			must(t, did(db.SetPassword(t.Context(), storetest.Operator, customer, "USR_3@halcyon.example",
				"another hash", at)))
			u, hash, err := db.UserByEmail(t.Context(), "usr_3@halcyon.example")
			if err != nil || hash != "another hash" || u.Round != before.Round+1 {
				t.Fatalf("UserByEmail = %+v, %q, %v; want another hash, in the next round", u, hash, err)
			}
		})
		t.Run("a person who is removed is not found, and the address is free", func(t *testing.T) {
			must(t, db.MakeFamiliar(t.Context(), "usr_3", at, "office"))
			must(t, did(db.RemoveUser(t.Context(), storetest.Operator, customer, "usr_3@halcyon.example", at,
				gangway.User.MayBeRemoved)))
			wantKind(t, gangway.NotFound, did(db.User(t.Context(), "usr_3")))
			if err := create("usr_4", "usr_3@halcyon.example", gangway.Booker); err != nil {
				t.Fatalf("the address is not free: %v", err)
			}
		})
		t.Run("another customer's people are not found", func(t *testing.T) {
			other, _, err := db.CreateCustomer(t.Context(), storetest.Operator, "Corvina Shipping", at)
			must(t, err)
			change := func(u *gangway.User, _ []gangway.User) error { u.Role = gangway.Admin; return nil }
			wantKind(t, gangway.NotFound, did(db.UpdateUser(t.Context(), storetest.Operator, other.Customer.ID,
				"usr_3@halcyon.example", gangway.UserRole, at, change)))
			wantKind(t, gangway.NotFound, did(db.SetPassword(t.Context(), storetest.Operator, other.Customer.ID,
				"usr_3@halcyon.example", "mine", at)))
			wantKind(t, gangway.NotFound, did(db.RemoveUser(t.Context(), storetest.Operator, other.Customer.ID,
				"usr_3@halcyon.example", at, gangway.User.MayBeRemoved)))
		})
		t.Run("each change is in the audit log, and what changes nothing is not", func(t *testing.T) {
			must(t, disable("usr_3@halcyon.example"))
			must(t, disable("usr_3@halcyon.example"))
			count := map[gangway.AuditEvent]int{}
			entries := sure(db.Audit(t.Context(), store.AuditQuery{Customer: customer}, 100))(t)
			for _, e := range entries {
				count[e.What]++
			}
			if count[gangway.UserDisabled] != 2 || count[gangway.UserPassword] != 1 || count[gangway.UserRemoved] != 1 {
				t.Fatalf("the log has %v; want 2 disabled, 1 password, 1 removed", count)
			}
		})
	})
}

func TestFamiliar(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		customer := storetest.Account(t, db).Customer.ID
		for _, id := range []string{"usr_1", "usr_2"} {
			u := gangway.User{ID: id, Customer: customer, Email: id + "@halcyon.example", Name: id,
				Role: gangway.Booker}
			must(t, db.CreateUser(t.Context(), storetest.Operator, u, "hash", storetest.Began))
		}
		now := storetest.Began
		signIn := func(places ...string) {
			t.Helper()
			must(t, db.MakeFamiliar(t.Context(), "usr_1", now, places...))
		}
		familiar := func(person, place string, want bool) {
			t.Helper()
			if got, err := db.Familiar(t.Context(), person, now, place); err != nil || got[0] != want {
				t.Fatalf("Familiar(%s, %s) = %v, %v; want %t", person, place, got, err, want)
			}
		}
		signIn("office", "browser")
		familiar("usr_1", "office", true)
		familiar("usr_1", "browser", true)
		familiar("usr_1", "ship", false)
		familiar("usr_2", "office", false)
		familiar("", "office", false)

		now = now.Add(179 * 24 * time.Hour)
		signIn("browser")
		now = now.Add(2 * 24 * time.Hour)
		familiar("usr_1", "office", false) // half a year ago
		familiar("usr_1", "browser", true)

		for i := range 25 {
			now = now.Add(time.Minute)
			signIn(fmt.Sprint("hotel ", i))
		}
		familiar("usr_1", "hotel 4", false) // 20 newer ones
		familiar("usr_1", "hotel 5", true)
		familiar("usr_1", "browser", false)
	})
}
