package book_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

var always = gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}}

func TestNothingIsIssuedUnasked(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		held := func(t *testing.T, auto bool) (*counter, gangway.Booking) {
			t.Helper()
			c := open(t, db, plain)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, func(o flight.Offer) bool {
				return marine(o) && o.TicketBy.Sub(o.PriceUntil) > time.Hour && !o.PriceUntil.IsZero()
			}))
			ask.AutoIssue = auto
			b, err := c.Book(t.Context(), c.in, c.booker, ask)
			if err != nil || b.AutoIssue != auto {
				t.Fatalf("Book = issued automatically %v, %v; want %v", b.AutoIssue, err, auto)
			}
			return c, b
		}
		t.Run("automatic issue comes before the price ends", func(t *testing.T) {
			c, b := held(t, true)
			if at := b.IssueAt(); !at.Before(b.PriceUntil) || !b.PriceUntil.Before(b.TicketBy) {
				t.Fatalf("issued at %s; want it before the price ends at %s, ahead of the seats at %s", at,
					b.PriceUntil, b.TicketBy)
			}
			c.clock.to(b.IssueAt().Add(time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+system)
		})
		t.Run("chosen after booking, it is issued", func(t *testing.T) {
			c, b := held(t, false)
			now, err := c.SetAutoIssue(t.Context(), c.in, c.booker, b.ID, true)
			if err != nil || now.AutoIssueSet == nil || now.AutoIssueSet.ByName != "Ana Lindqvist" || now.Version !=
				b.Version {
				t.Fatalf("SetAutoIssue = %+v, %v; want who chose, and no action", now.AutoIssueSet, err)
			}
			c.clock.to(b.IssueAt().Add(time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+system)
		})
		t.Run("with automatic issue switched off, the hold is left to end", func(t *testing.T) {
			c, b := held(t, true)
			must(c.SetAutoIssue(t.Context(), c.in, c.booker, b.ID, false))(t)
			c.clock.to(b.HoldUntil.Add(-time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana)
			c.clock.to(b.HoldUntil.Add(time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "cancelled"+system)
		})
		stayed := func(t *testing.T, c *counter, b gangway.Booking) {
			t.Helper()
			if now, err := c.PriceToIssue(t.Context(), c.in, b); err != nil || now.Total.Minor > b.Price.Total.Minor {
				t.Fatalf("after its guarantee it costs %s, %v; this test wants a price that has not risen from %s",
					now.Total, err, b.Price.Total)
			}
		}
		t.Run("once the price has ended automatic issue cannot be chosen, even if the price stayed the same",
			func(t *testing.T) {
				c, b := held(t, false)
				c.clock.to(b.PriceUntil)
				stayed(t, c, b)
				_, err := c.SetAutoIssue(t.Context(), c.in, c.booker, b.ID, true)
				if gangway.KindOf(err) != gangway.Conflict || !strings.Contains(err.Error(), "was good until") {
					t.Fatalf("SetAutoIssue after the price ended = %v; want a Conflict that says so", err)
				}
				c.tick(t)
				c.wantLog(t, b.ID, "confirmed"+ana)
				now := must(c.PriceToIssue(t.Context(), c.in, b))(t)
				must(c.Issue(t.Context(), c.in, c.booker, b.ID, now.Total))(t)
			})
		t.Run("if the service was down until the price ended, a person is asked", func(t *testing.T) {
			c, b := held(t, true)
			c.clock.to(b.PriceUntil.Add(time.Minute))
			stayed(t, c, b)
			for range 3 {
				c.tick(t)
				if now := c.read(t, b.ID); now.State != gangway.Confirmed || !now.Attention.Open() ||
					!strings.Contains(now.Attention.Why, "its price was good until") {
					t.Fatalf("after its price ended the booking is %s, %+v; want it held, and a person asked",
						now.State, now.Attention)
				}
				c.clock.forward(16 * time.Minute)
			}
			must(c.Handled(t.Context(), c.in, c.booker, b.ID))(t)
			c.tick(t)
			if now := c.read(t, b.ID); now.Attention.Open() {
				t.Fatalf("a handled matter came back: %+v", now.Attention)
			}
			c.clock.to(b.HoldUntil.Add(time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "cancelled"+system)
		})
		t.Run("approved after the price ended, a person is asked", func(t *testing.T) {
			c := open(t, db, plain)
			storetest.Settings(t, c.in, always)
			s := c.search(t, 1)
			b := must(c.Book(t.Context(), c.in, c.booker, c.ask(s, c.offer(t, s, func(o flight.Offer) bool {
				return marine(o) && o.TicketBy.Sub(o.PriceUntil) > time.Hour && !o.PriceUntil.IsZero()
			}))))(t)
			c.clock.to(b.PriceUntil.Add(time.Minute))
			stayed(t, c, b)
			must(c.Approve(t.Context(), c.in, c.approver, b.ID))(t)
			c.tick(t)
			c.wantLog(t, b.ID, "approval_required"+ana, "confirmed boris@example.com")
			if now := c.read(t, b.ID); !now.Attention.Open() {
				t.Fatal("nobody is asked")
			}
		})
		t.Run("the booker's choice stands after approval", func(t *testing.T) {
			c := open(t, db, plain)
			storetest.Settings(t, c.in, always)
			b := c.booked(t, marine)
			if b, err := c.Approve(t.Context(), c.in, c.approver, b.ID); err != nil || !b.AutoIssue {
				t.Fatalf("Approve = %+v, %v; want it to be issued automatically", b, err)
			}
			c.clock.to(b.IssueAt().Add(time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "approval_required"+ana, "confirmed boris@example.com", "issued"+system)
		})
		t.Run("there is nothing to choose once tickets are issued, or for a booking made elsewhere",
			func(t *testing.T) {
				c := open(t, db, plain)
				b := c.issued(t)
				refused(t, gangway.Conflict)(c.SetAutoIssue(t.Context(), c.in, c.booker, b.ID, true))
				phoned := byPhone(c.clock.Now().AddDate(0, 0, 10))
				phoned.Tickets = nil
				b = must(c.Enter(t.Context(), c.in, c.booker, book.EntryAsk{ID: book.NewID(), Passenger: maria,
					Entry: phoned}))(t)
				refused(t, gangway.Conflict)(c.SetAutoIssue(t.Context(), c.in, c.booker, b.ID, true))
			})
	})
}

func TestFourEyes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		boss := gangway.User{ID: "usr_boss", Email: "Boss@Example.com", Name: "Helen Abreu", Role: gangway.Admin}
		own := func(t *testing.T, settings gangway.Settings) (*counter, gangway.Booking) {
			t.Helper()
			c := open(t, db, plain)
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
		c := open(t, db, plain)
		account, err := c.in.Account(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c.booker.ID, c.booker.Customer = "usr_ana", account.Customer.ID
		done(t, db.CreateUser(t.Context(), storetest.Operator, c.booker, "", c.clock.Now()))
		b := c.issued(t)
		quote := must(c.QuoteCancel(t.Context(), c.in, b.ID))(t)
		if b, err = c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID); err != nil || b.CancelledByName !=
			"Ana Lindqvist" || b.CreatedByID != "usr_ana" || b.Previous != gangway.Issued {
			t.Fatalf("Cancel = by %q, made by %q, was %s, %v; want the names, and what it was", b.CancelledByName,
				b.CreatedByID, b.Previous, err)
		}
		storetest.Settings(t, c.in, always)
		b = c.booked(t, marine)
		c.clock.to(b.HoldUntil.Add(time.Second))
		c.tick(t)
		b, err = c.in.Booking(t.Context(), b.ID)
		if err != nil || b.State != gangway.Declined || b.Approval.DecidedBy != gangway.System || b.Approval.Reason ==
			"" || b.Approval.DecidedAt.IsZero() {
			t.Fatalf("nobody decided: %s, %+v, %v; want it declined by the system, with the reason", b.State,
				b.Approval, err)
		}
	})
}

func TestBookkeeping(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db, plain)
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
		c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana) // entering is no action
	})
}
