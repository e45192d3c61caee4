package store_test

import (
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestInvitations(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		customer, at := storetest.Account(t, db).Customer, storetest.Began
		other, _, err := db.CreateCustomer(t.Context(), storetest.Operator, "Corvina Shipping", at)
		must(t, err)
		of := func(customer, email string) gangway.Invitation {
			u := sure(gangway.NewUser(customer, email, "Ana Reyes", gangway.Approver))(t)
			return gangway.Invitation{User: u, At: at}
		}
		invite := func(email, token string) error {
			return db.Invite(t.Context(), storetest.Operator, of(customer.ID, email), token)
		}
		gone := func(token string) {
			t.Helper()
			wantKind(t, gangway.NotFound, did(db.Invitation(t.Context(), token, at)))
		}
		accept := func(token string) error {
			return did(db.AcceptInvitation(t.Context(), token, "hash", "10.1.2.3", at))
		}

		t.Run("a new one replaces the one before", func(t *testing.T) {
			must(t, invite("Ana@halcyon.example", "first"))
			must(t, invite("ana@halcyon.example", "second"))
			gone("first")
			wantKind(t, gangway.NotFound, accept("first"))
			i, err := db.Invitation(t.Context(), "second", at)
			if err != nil || i.Email != "ana@halcyon.example" || i.Role != gangway.Approver ||
				i.Company != customer.Name {
				t.Fatalf("Invitation = %+v, %v", i, err)
			}
		})
		t.Run("it ends after 72 hours, and is listed for a month", func(t *testing.T) {
			began := at
			defer func() { at = began }()
			at = began.Add(gangway.InvitationLife)
			wantKind(t, gangway.NotFound, accept("second"))
			must(t, did(db.Expire(t.Context(), began.Add(29*24*time.Hour))))
			if list, err := db.Invitations(t.Context(), customer.ID); err != nil || len(list) != 1 {
				t.Fatalf("Invitations = %v, %v; want one", list, err)
			}
		})
		t.Run("of two who accept it at once, one does", func(t *testing.T) {
			var both sync.WaitGroup
			errs := make([]error, 2)
			for i := range errs {
				both.Go(func() { errs[i] = accept("second") })
			}
			both.Wait()
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("accepted at once: %v and %v; want one refused", errs[0], errs[1])
			}
			u, hash, err := db.UserByEmail(t.Context(), "ana@halcyon.example")
			if err != nil || hash != "hash" || u.Role != gangway.Approver || u.Customer != customer.ID {
				t.Fatalf("UserByEmail = %+v, %q, %v", u, hash, err)
			}
			last, err := db.Audit(t.Context(), store.AuditQuery{Customer: customer.ID, Newest: true}, 1)
			if err != nil || last[0].What != gangway.UserCreated || last[0].By != gangway.ByPerson(u, "10.1.2.3") {
				t.Fatalf("the log says %+v, %v", last, err)
			}
		})
		t.Run("nobody is invited twice, and whose people others are is not told", func(t *testing.T) {
			wantKind(t, gangway.Conflict, invite("ana@halcyon.example", "third"))
			must(t, db.Invite(t.Context(), storetest.Operator, of(other.Customer.ID, "ana@halcyon.example"), "theirs"))
			wantKind(t, gangway.Conflict, accept("theirs"))
			must(t, did(db.Invitation(t.Context(), "theirs", at)))
		})
		t.Run("a withdrawn one cannot be accepted, and others' cannot be withdrawn", func(t *testing.T) {
			withdraw := func() error {
				return db.WithdrawInvitation(t.Context(), storetest.Operator, customer.ID, "ana@halcyon.example", at)
			}
			wantKind(t, gangway.NotFound, withdraw())
			must(t, did(db.Invitation(t.Context(), "theirs", at)))
			must(t, invite("ben@halcyon.example", "fourth"))
			must(t, db.WithdrawInvitation(t.Context(), storetest.Operator, customer.ID, "BEN@halcyon.example", at))
			wantKind(t, gangway.NotFound, accept("fourth"))
		})
		t.Run("a link for a new password ends with the person, and while they are switched off", func(t *testing.T) {
			u, _, err := db.UserByEmail(t.Context(), "ana@halcyon.example")
			must(t, err)
			link := gangway.Invitation{User: u, At: at}
			must(t, db.Invite(t.Context(), storetest.Operator, link, "fifth"))
			wantKind(t, gangway.Conflict, invite(u.Email, "sixth"))
			switched := func(to gangway.AuditEvent, off bool) {
				must(t, did(db.UpdateUser(t.Context(), storetest.Operator, customer.ID, u.Email, to, at,
					func(u *gangway.User, _ []gangway.User) error { u.Disabled = off; return nil })))
			}
			switched(gangway.UserDisabled, true)
			wantKind(t, gangway.NotFound, accept("fifth"))
			switched(gangway.UserEnabled, false)
			must(t, accept("fifth"))
			must(t, db.Invite(t.Context(), storetest.Operator, link, "before"))
			must(t, did(db.SetPassword(t.Context(), storetest.Operator, customer.ID, u.Email, "other", at)))
			wantKind(t, gangway.NotFound, accept("before"))
			must(t, db.Invite(t.Context(), storetest.Operator, link, "signed in"))
			must(t, db.EndSessions(t.Context(), storetest.Operator, customer.ID, u.Email, at))
			wantKind(t, gangway.NotFound, accept("signed in"))
			boss := gangway.User{ID: "usr_boss", Customer: customer.ID, Email: "boss@halcyon.example", Name: "Bo",
				Role: gangway.Admin}
			must(t, db.CreateUser(t.Context(), storetest.Operator, boss, "hash", at))
			must(t, db.Invite(t.Context(), gangway.ByPerson(boss, "10.1.2.3"), link, "of an admin"))
			must(t, did(db.Invitation(t.Context(), "of an admin", at)))
			must(t, did(db.UpdateUser(t.Context(), storetest.Operator, customer.ID, boss.Email, gangway.UserRole, at,
				func(u *gangway.User, _ []gangway.User) error { u.Role = gangway.Booker; return nil })))
			wantKind(t, gangway.NotFound, accept("of an admin"))
			must(t, db.Invite(t.Context(), storetest.Operator, link, "seventh"))
			must(t, did(db.RemoveUser(t.Context(), storetest.Operator, customer.ID, u.Email, at,
				func(gangway.User, []gangway.User) error { return nil })))
			wantKind(t, gangway.NotFound, accept("seventh"))
			wantKind(t, gangway.NotFound, db.Invite(t.Context(), storetest.Operator, link, "eighth"))
		})
		t.Run("a removed customer's cannot be accepted", func(t *testing.T) {
			must(t, did(db.RemoveCustomer(t.Context(), storetest.Operator, other.Customer.ID, at)))
			gone("theirs")
		})
	})
}

func TestSeen(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		u := gangway.User{ID: "usr_1", Customer: storetest.Account(t, db).Customer.ID, Email: "ana@halcyon.example",
			Name: "Ana", Role: gangway.Booker}
		must(t, db.CreateUser(t.Context(), storetest.Operator, u, "hash", storetest.Began))
		for _, tt := range []struct{ after, want time.Duration }{{0, 0}, {59 * time.Minute, 0},
			{time.Hour, time.Hour}} {
			must(t, db.NoteSeen(t.Context(), u, storetest.Began.Add(tt.after)))
			var err error
			if u, err = db.User(t.Context(), u.ID); err != nil || !u.SeenAt.Equal(storetest.Began.Add(tt.want)) {
				t.Fatalf("after %v the person was seen at %v, %v; want after %v", tt.after, u.SeenAt, err, tt.want)
			}
		}
	})
}
