package book_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

var always = gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}}

func TestFourEyes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		boss := gangway.User{ID: "usr_boss", Email: "Boss@Example.com", Name: "Helen Abreu", Role: gangway.Admin}
		own := func(t *testing.T, settings gangway.Settings) (*counter, gangway.Booking) {
			t.Helper()
			c := open(t, db)
			storetest.Settings(t, c.in, settings)
			c.booker = boss
			return c, c.booked(t, marine)
		}
		t.Run("nobody approves their own booking", func(t *testing.T) {
			c, b := own(t, always)
			renamed := gangway.User{ID: "usr_boss", Email: "helen@example.com", Role: gangway.Approver}
			folded := gangway.User{ID: "another", Email: "boss@example.com", Role: gangway.Admin}
			for _, u := range []gangway.User{boss, renamed, folded} {
				if _, err := c.Approve(t.Context(), c.in, u, b.ID); gangway.KindOf(err) != gangway.Denied ||
					!strings.Contains(err.Error(), "yourself") {
					t.Errorf("Approve by %+v = %v; want Denied", u, err)
				}
			}
			approved, err := c.Approve(t.Context(), c.in, c.approver, b.ID)
			if err != nil || approved.Approval.DecidedByName != "Boris Okafor" {
				t.Fatalf("Approve by another = %+v, %v; want it approved, with the name", approved.Approval, err)
			}
		})
		t.Run("unless the account allows it", func(t *testing.T) {
			settings := always
			settings.OwnApproval = true
			c, b := own(t, settings)
			must(c.Approve(t.Context(), c.in, boss, b.ID))(t)
		})
		t.Run("everybody may decline their own booking", func(t *testing.T) {
			c, b := own(t, always)
			must(c.Decline(t.Context(), c.in, boss, b.ID, "a mistake"))(t)
		})
	})
}

// The names of who decided and who cancelled are stored, because people leave.
func TestNamesAreKept(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db)
		c.booker.ID, c.booker.Customer = "usr_ana", must(c.in.Account(t.Context()))(t).Customer.ID
		done(t, db.CreateUser(t.Context(), storetest.Operator, c.booker, "", c.clock.Now()))
		b := c.issued(t)
		done(t, cancel(t, c, b))
		if b = c.now(t, b.ID); b.CancelledByName != "Ana Lindqvist" || b.CreatedByID != "usr_ana" ||
			b.Previous != gangway.Issued {
			t.Fatalf("cancelled by %q, made by %q, was %s; want the names, and what it was", b.CancelledByName,
				b.CreatedByID, b.Previous)
		}
		storetest.Settings(t, c.in, always)
		b = c.booked(t, marine)
		c.clock.to(b.HoldUntil.Add(time.Second))
		done(t, c.Tick(t.Context()))
		if b = c.now(t, b.ID); b.State != gangway.Declined || b.Approval.DecidedBy != gangway.System ||
			b.Approval.Reason == "" || b.Approval.DecidedAt.IsZero() {
			t.Fatalf("nobody decided: %s, %+v; want it declined by the system, with the reason", b.State, b.Approval)
		}
	})
}

func TestBookkeeping(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db)
		b := c.issued(t)
		refused(t, gangway.Conflict)(c.SetNoShow(t.Context(), c.in, c.booker, b.ID, true))
		c.clock.to(b.Itinerary.Departure().Add(time.Hour))
		for _, missed := range []bool{true, false} {
			b, err := c.SetNoShow(t.Context(), c.in, c.booker, b.ID, missed)
			if err != nil || b.NoShow == nil || b.NoShow.Missed != missed || b.NoShow.ByName != "Ana Lindqvist" ||
				!b.NoShow.At.Equal(c.clock.Now()) {
				t.Fatalf("SetNoShow(%v) = %+v, %v", missed, b.NoShow, err)
			}
		}
		must(c.AddInvoices(t.Context(), c.in, c.approver, b.ID, "INV-7, INV-8"))(t)
		b, err := c.RemoveInvoice(t.Context(), c.in, c.booker, b.ID, "INV-7")
		if err != nil || strings.Join(b.InvoiceNumbers(), " ") != "INV-8" || b.Invoices[0].By != "boris@example.com" ||
			b.Invoices[0].Removed.By != "ana@example.com" {
			t.Fatalf("invoices = %+v, %v; want INV-8, and who entered and removed INV-7", b.Invoices, err)
		}
		c.wantLog(t, b.ID, "confirmed ana", "issued ana") // entering is no action
	})
}
