package gangway

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
)

// TestMove tries every event in every state, so that no move is lost or added
// by accident.
func TestMove(t *testing.T) {
	for event := range moves {
		if !slices.Contains(Events, event) {
			t.Errorf("%s moves bookings but is not among Events, so nothing below tries it", event)
		}
	}
	legal := map[State]map[Event]State{
		None: {Book: Confirmed, AskApproval: ApprovalRequired},
		ApprovalRequired: {
			Approve: Confirmed, Decline: Declined, EndHold: Declined, Cancel: Cancelled, CancelForRefund: RefundPending,
			FindTicketed: Issued, CancelElsewhere: Cancelled, RefundElsewhere: RefundPending,
		},
		Confirmed: {
			Issue: Issued, Cancel: Cancelled, CancelForRefund: RefundPending, EndHold: Cancelled,
			AskChange:    ChangePending,
			FindTicketed: Issued, CancelElsewhere: Cancelled, RefundElsewhere: RefundPending,
		},
		Issued: {
			Cancel: Cancelled, CancelForRefund: RefundPending, AskChange: ChangePending,
			CancelElsewhere: Cancelled, RefundElsewhere: RefundPending,
		},
		ChangePending: {CompleteChange: back, AbandonChange: back, CancelElsewhere: Cancelled,
			RefundElsewhere: RefundPending},
		RefundPending: {SettleRefund: Cancelled},
		Cancelled:     {},
		Declined:      {},
		"lost":        {},
	}
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for from, events := range legal {
		for _, was := range []State{Confirmed, Issued} {
			for _, event := range Events {
				b := Booking{Locator: "K7Q2MX", State: from, Version: 3}
				if from == ChangePending {
					b.Change = &PendingChange{Was: was}
				}
				want, ok := events[event]
				if want == back {
					want = was
				}
				got, err := b.Move(event, "desk@example.com", at)
				switch {
				case !ok && (KindOf(err) != Conflict || b.State != from || b.Version != 3):
					t.Errorf("Move(%q) from %q = %v, state %s, version %d; want Conflict and nothing changed", event,
						from, err, b.State, b.Version)
				case !ok && from != None && !strings.Contains(err.Error(), string(from)):
					t.Errorf("Move(%q) from %q says %q; want the state named", event, from, err)
				case ok && (err != nil || b.State != want || got != Action{Seq: 4, Name: want, At: at,
					By: "desk@example.com"}):
					t.Errorf("Move(%q) from %q = %+v, %v, state %s; want %s", event, from, got, err, b.State, want)
				}
				if (Booking{State: from}).Can(event) != ok {
					t.Errorf("Can(%q) from %q = %v; want %v", event, from, !ok, ok)
				}
			}
		}
	}
}

func TestNextCheck(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	held := Booking{State: Confirmed, AutoIssue: true, CreatedAt: now, TicketBy: now.Add(24 * time.Hour),
		HoldUntil: now.Add(30 * time.Hour)}
	short := held
	short.TicketBy, short.HoldUntil = now.Add(20*time.Minute), now.Add(20*time.Minute)
	priced, let, waits := held, held, held
	priced.PriceUntil = now.Add(2 * time.Hour)
	let.AutoIssue = false
	waits.State = ApprovalRequired
	tests := []struct {
		name string
		b    Booking
		at   time.Time
		want time.Time
	}{
		{"tickets are issued an hour ahead of the deadline", held, now, now.Add(23 * time.Hour)},
		{"a short hold is issued after three quarters of it", short, now, now.Add(15 * time.Minute)},
		{"tickets are issued before the price ends where the seats are held longer", priced, now,
			now.Add(90 * time.Minute)},
		{"what is not to be issued automatically waits for the end of the hold", let, now, held.HoldUntil},
		{"after the deadline only the end of the hold matters", held, now.Add(25 * time.Hour), held.HoldUntil},
		{"nobody issues while approval is awaited", waits, now, held.HoldUntil},
		{"an issued booking is left alone", Booking{State: Issued}, now, time.Time{}},
		{"a refund is asked for again and again", Booking{State: RefundPending}, now, now.Add(refundCheck)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.b.NextCheck(tt.at); !got.Equal(tt.want) {
				t.Fatalf("NextCheck = %s; want %s", got, tt.want)
			}
		})
	}
}

func TestAttention(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	move := func(b *Booking, event Event) {
		t.Helper()
		calltest.Must(b.Move(event, System, at))(t)
	}
	t.Run("what is raised goes out with the next action, and with every action until somebody has handled it",
		func(t *testing.T) {
			b := Booking{State: Confirmed, Version: 1}
			if b.UnhandledAttention() != "" || !b.Raise("The airline cancelled it.", at) {
				t.Fatalf("UnhandledAttention() = %q before anything happened", b.UnhandledAttention())
			}
			move(&b, FindTicketed)
			move(&b, AskChange)
			if b.UnhandledAttention() != "The airline cancelled it." {
				t.Fatalf("UnhandledAttention() = %q while nobody has handled it", b.UnhandledAttention())
			}
		})
	t.Run("what was handled before any action still goes out once", func(t *testing.T) {
		b := Booking{State: Confirmed, Version: 1}
		b.Raise("The airline cancelled it.", at)
		calltest.Done(t, b.Handle("ana@example.com", at))
		move(&b, FindTicketed)
		first := b.UnhandledAttention()
		b.Change = &PendingChange{Was: Issued}
		move(&b, AskChange)
		if first == "" || b.UnhandledAttention() != "" {
			t.Fatalf("UnhandledAttention() = %q, then %q; want it once", first, b.UnhandledAttention())
		}
	})
	t.Run("what was handled does not come back in the same words", func(t *testing.T) {
		b := Booking{State: Issued, Version: 2}
		b.Raise("The airline shows no tickets.", at)
		_ = b.Handle("ana@example.com", at)
		if b.Raise("The airline shows no tickets.", at) || b.Attention.Open() {
			t.Fatal("it was raised again")
		}
		if !b.Raise("The airline cancelled it.", at) || !b.Attention.Open() {
			t.Fatal("something else was not raised")
		}
	})
	t.Run("a booking that needs nobody cannot be handled", func(t *testing.T) {
		b := Booking{State: Issued, Version: 2}
		if err := b.Handle("ana@example.com", at); KindOf(err) != Conflict {
			t.Fatalf("Handle = %v; want Conflict", err)
		}
	})
	t.Run("a move on a copy leaves the booking's attention alone", func(t *testing.T) {
		b := Booking{State: Confirmed, Version: 1}
		b.Raise("The airline cancelled it.", at)
		trial := b
		move(&trial, FindTicketed)
		if b.Attention.ToldBy != 0 {
			t.Fatal("the move on a copy has changed the booking")
		}
	})
}
