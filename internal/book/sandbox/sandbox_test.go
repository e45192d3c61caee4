package sandbox_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/sandbox"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A box is a sandbox with a development account to play with.
type box struct {
	*sandbox.Sandbox
	desk    *book.Desk
	db      *store.DB
	account gangway.Account
	now     time.Time // real time
}

var by = gangway.ByCommand("ines", "bridge")

func open(t *testing.T, db *store.DB) *box {
	t.Helper()
	_, dev := storetest.Accounts(t, db)
	b := &box{db: db, account: dev, now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)}
	now := func() time.Time { return b.now }
	network := calltest.Must(sim.New(sim.Config{Now: now}))(t)
	sells := func(_ context.Context, in store.Scoped, _ string) (flight.Supplier, error) {
		return network.Sandbox(in.Ledger(), 0, in.Scope().Ahead), nil
	}
	b.desk = book.New(book.Config{DB: db, Suppliers: sells, Now: now, Log: slog.New(slog.DiscardHandler)})
	b.Sandbox = sandbox.New(b.desk, now, slog.New(slog.DiscardHandler))
	return b
}

// in is the account with its clock as it is now.
func (b *box) in(t *testing.T) store.Scoped {
	t.Helper()
	account := calltest.Must(b.db.Account(t.Context(), b.account.ID))(t)
	return b.db.In(account.Scope())
}

func (b *box) send(t *testing.T, state gangway.SandboxState) sandbox.Played {
	t.Helper()
	sent, err := b.Send(t.Context(), b.in(t), by, nil, state)
	if err != nil {
		t.Fatalf("Send(%s) = %v", state, err)
	}
	return sent
}

func (b *box) advance(t *testing.T, d time.Duration) sandbox.Advanced {
	t.Helper()
	done, err := b.Advance(t.Context(), b.in(t), by, d)
	if err != nil {
		t.Fatalf("Advance(%s) = %v", d, err)
	}
	return done
}

// moveClock moves the clock, and does nothing of what is due.
func (b *box) moveClock(t *testing.T, d time.Duration) {
	t.Helper()
	to, err := b.in(t).AdvanceClock(t.Context(), by, d, b.now)
	if err == nil {
		_, err = b.in(t).MoveClock(t.Context(), to)
	}
	calltest.Done(t, err)
}

func (b *box) booking(t *testing.T, locator string) gangway.Booking {
	t.Helper()
	found := calltest.Must(b.in(t).BookingByLocator(t.Context(), locator))(t)
	return found
}

// Every state can be asked for, and the actions that lead there are made by the desk, one after the other.
func TestSend(t *testing.T) {
	type states = []gangway.State
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		b := open(t, db)
		want := map[gangway.SandboxState]states{
			"approval_required": {gangway.ApprovalRequired},
			"confirmed":         {gangway.Confirmed},
			"issued":            {gangway.Confirmed, gangway.Issued},
			"change_pending":    {gangway.Confirmed, gangway.Issued, gangway.ChangePending},
			"refund_pending":    {gangway.Confirmed, gangway.Issued, gangway.RefundPending},
			"cancelled":         {gangway.Confirmed, gangway.Cancelled},
			"declined":          {gangway.ApprovalRequired, gangway.Declined},
			"changed":           {gangway.Confirmed, gangway.Issued, gangway.ChangePending, gangway.Issued},
			"refunded":          {gangway.Confirmed, gangway.Issued, gangway.RefundPending, gangway.Cancelled},
		}
		for _, state := range gangway.SandboxStates() {
			sent := b.send(t, state)
			if !slices.Equal(sent.Actions, want[state]) {
				t.Errorf("Send(%s) made %v; want %v", state, sent.Actions, want[state])
			}
			got, last := b.booking(t, sent.Locator), sent.Actions[len(sent.Actions)-1]
			if got.ID != sent.Booking || got.State != last {
				t.Errorf("Send(%s) is booking %s, %s", state, got.ID, got.State)
			}
		}
	})
}

// A policy of the account applies to what is sent too: it is approved, by another than who booked it.
func TestSendUnderPolicy(t *testing.T) {
	b := open(t, storetest.New(t))
	_, err := b.in(t).UpdateSettings(t.Context(), by, b.now, func(s *gangway.Settings) error {
		s.Approval.Mode = gangway.ApproveAlways
		return nil
	})
	calltest.Done(t, err)
	sent := b.send(t, "changed")
	want := []gangway.State{gangway.ApprovalRequired, gangway.Confirmed, gangway.Issued, gangway.ChangePending,
		gangway.Issued}
	if !slices.Equal(sent.Actions, want) {
		t.Errorf("Send made %v; want %v", sent.Actions, want)
	}
}

// The clock drives the account's bookings: a refund comes, a hold ends, each at its own time, and what is done
// later is done by that clock.
func TestAdvance(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		b := open(t, db)
		refund, held := b.send(t, "refund_pending"), b.send(t, "confirmed")
		asked := b.booking(t, refund.Locator).CancelledAt
		ends := b.booking(t, held.Locator).HoldUntil
		if done := b.advance(t, time.Hour); len(done.Bookings) != 0 || !done.Clock.Equal(b.now.Add(time.Hour)) {
			t.Fatalf("an hour later: %+v", done)
		}
		done := b.advance(t, 99*time.Hour)
		if len(done.Bookings) != 2 || !done.Clock.Equal(b.now.Add(100*time.Hour)) {
			t.Fatalf("100 hours later: %+v", done)
		}
		for locator, due := range map[string]time.Time{refund.Locator: asked.Add(72 * time.Hour), held.Locator: ends} {
			history := calltest.Must(b.in(t).History(t.Context(), b.booking(t, locator).ID))(t)
			last := history[len(history)-1]
			if late := last.At.Sub(due); last.Name != gangway.Cancelled || late < 0 || late > 15*time.Minute {
				t.Errorf("%s was %s at %s; want cancelled at %s or soon after", locator, last.Name, last.At, due)
			}
		}
		issued := b.booking(t, b.send(t, "issued").Locator)
		if made := issued.CreatedAt; !made.Equal(done.Clock) {
			t.Errorf("a booking was made at %s; want %s", made, done.Clock)
		}
		if _, err := b.Advance(t.Context(), b.in(t), by, -time.Hour); gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("Advance(-1h) = %v; want Invalid", err)
		}
	})
}

// Where much is due on the way, the clock goes on in one step in the end, and what is left is done there.
func TestAdvanceFar(t *testing.T) {
	b := open(t, storetest.New(t))
	for range 4 {
		b.send(t, "refund_pending")
	}
	if done := b.advance(t, 720*time.Hour); len(done.Bookings) != 4 || !done.Clock.Equal(b.now.Add(720*time.Hour)) {
		t.Errorf("to %d of 4 bookings something happened by %s", len(done.Bookings), done.Clock)
	}
}

// Whoever does the scheduled work for all accounts goes by each one's clock, and takes nothing twice.
func TestScheduledWorkFollowsTheClock(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		b := open(t, db)
		held := b.booking(t, b.send(t, "confirmed").Locator)
		b.moveClock(t, held.HoldUntil.Sub(b.now)-time.Second)
		for _, want := range []gangway.State{gangway.Confirmed, gangway.Cancelled} {
			calltest.Done(t, b.desk.Tick(t.Context()))
			if got := b.booking(t, held.Locator).State; got != want {
				t.Errorf("it is %s; want %s", got, want)
			}
			b.moveClock(t, time.Second)
		}
	})
}

// Several who move one clock at once add up, and each has an entry in the audit log that begins where another ends.
// What is due meanwhile happens at its time. One that was broken off is not lost.
func TestAdvanceAtOnce(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		b := open(t, db)
		held := b.booking(t, b.send(t, "confirmed").Locator)
		in := b.in(t)
		done := make(chan error)
		for range 4 {
			go func() {
				_, err := b.Advance(t.Context(), in, by, 30*time.Hour)
				done <- err
			}()
		}
		for range 4 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if _, err := in.AdvanceClock(t.Context(), by, 2*time.Hour, b.now); err != nil { // and killed after that
			t.Fatal(err)
		}
		if ahead := b.in(t).Scope().Ahead; ahead != 120*time.Hour {
			t.Errorf("the clock is %s ahead; want 120h", ahead)
		}
		calltest.Must(b.Advance(t.Context(), in, by, time.Hour))(t)
		if ahead := b.in(t).Scope().Ahead; ahead != 123*time.Hour {
			t.Errorf("the clock is %s ahead; want 123h", ahead)
		}
		entries, err := db.Audit(t.Context(), store.AuditQuery{Customer: b.account.Customer.ID,
			What: gangway.SandboxAdvanced}, 10)
		if err != nil || len(entries) != 6 {
			t.Fatalf("%d entries, %v; want 6", len(entries), err)
		}
		ends := map[any]any{}
		for _, e := range entries {
			ends[e.Before["clock"]] = e.After["clock"]
		}
		at := b.now
		for _, hours := range []time.Duration{30, 30, 30, 30, 2, 1} {
			from := at.Format(time.RFC3339)
			at = at.Add(hours * time.Hour)
			if to := at.Format(time.RFC3339); ends[from] != to {
				t.Errorf("an entry says that the clock went from %s to %v; want %s", from, ends[from], to)
			}
		}
		history := calltest.Must(b.in(t).History(t.Context(), held.ID))(t)
		last := history[len(history)-1]
		if late := last.At.Sub(held.HoldUntil); last.Name != gangway.Cancelled || late < 0 || late > 15*time.Minute {
			t.Errorf("it was %s at %s; want cancelled at %s or soon after", last.Name, last.At, held.HoldUntil)
		}
	})
}

// An airline that was told to cancel, delay or retime a flight does so, and the booking waits for the answer: each is
// more than what is accepted without a person.
func TestDisrupt(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		b := open(t, db)
		for _, d := range gangway.Disruptions {
			sent := b.send(t, "issued")
			done, err := b.Disrupt(t.Context(), b.in(t), by, sent.Locator, d)
			if err != nil {
				t.Fatalf("Disrupt(%s) = %v", d, err)
			}
			if len(done.Actions) != 1 || done.Actions[0] != gangway.ChangePending {
				t.Errorf("Disrupt(%s) made %v; want change_pending", d, done.Actions)
			}
			got := b.booking(t, sent.Locator)
			if got.Notice == nil || got.State != gangway.ChangePending || !got.Change.ByAirline {
				t.Errorf("after %s the booking is %s with the notice %+v", d, got.State, got.Notice)
			}
		}
		gone := b.send(t, "cancelled")
		_, err := b.Disrupt(t.Context(), b.in(t), by, gone.Locator, "delay")
		if gangway.KindOf(err) != gangway.Conflict {
			t.Errorf("Disrupt of what was cancelled = %v; want Conflict", err)
		}
		if _, err := b.Disrupt(t.Context(), b.in(t), by, "NOSUCH", "delay"); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("Disrupt of no booking = %v; want NotFound", err)
		}
	})
}

// Nothing of it is done in production, nor where another supplier sells; the reason is said.
func TestRefused(t *testing.T) {
	b := open(t, storetest.New(t))
	prod, _, err := b.db.Accounts(t.Context(), b.account.Customer.ID)
	calltest.Done(t, err)
	tryAll := func(in store.Scoped, want gangway.Kind) {
		t.Helper()
		_, sent := b.Send(t.Context(), in, by, nil, "issued")
		_, advanced := b.Advance(t.Context(), in, by, time.Hour)
		_, disrupted := b.Disrupt(t.Context(), in, by, "K7Q2MX", "cancel")
		_, moved := in.MoveClock(t.Context(), time.Hour)
		for _, err := range []error{sent, advanced, disrupted, moved} {
			if gangway.KindOf(err) != want {
				t.Errorf("err = %v; want kind %v", err, want)
			}
		}
	}
	tryAll(b.db.In(prod.Scope()), gangway.Denied)
	if _, err := b.in(t).UpdateSettings(t.Context(), by, b.now, func(s *gangway.Settings) error {
		s.Supplier = "duffel"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	tryAll(b.in(t), gangway.Conflict)
}

// What was done is in the audit log, at real time.
func TestAudited(t *testing.T) {
	b := open(t, storetest.New(t))
	b.advance(t, 26*time.Hour)
	sent := b.send(t, "issued")
	calltest.Must(b.Disrupt(t.Context(), b.in(t), by, sent.Locator, "retime"))(t)
	entries, err := b.db.Audit(t.Context(), store.AuditQuery{Customer: b.account.Customer.ID, Newest: true}, 3)
	calltest.Done(t, err)
	want := []gangway.AuditEvent{gangway.SandboxDisrupted, gangway.SandboxSent, gangway.SandboxAdvanced}
	for i, e := range entries {
		if e.What != want[i] || e.By != by || !e.At.Equal(b.now) || e.Environment != gangway.Development {
			t.Errorf("entry %d is %+v; want %s by %s at %s", i, e, want[i], by.Who(), b.now)
		}
	}
}
