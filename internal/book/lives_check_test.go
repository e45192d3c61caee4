package book_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/gangway"
)

// leadsTo lists which state may follow which in a booking's log. It is copied from
// docs/choices.md by hand and not from the code, so that each checks the other.
var leadsTo = map[gangway.State][]gangway.State{
	gangway.None: {gangway.Confirmed, gangway.ApprovalRequired},
	gangway.ApprovalRequired: {gangway.Confirmed, gangway.Declined, gangway.Cancelled, gangway.Issued,
		gangway.RefundPending},
	gangway.Confirmed:     {gangway.Issued, gangway.Cancelled, gangway.ChangePending, gangway.RefundPending},
	gangway.Issued:        {gangway.ChangePending, gangway.Cancelled, gangway.RefundPending},
	gangway.ChangePending: {gangway.Confirmed, gangway.Issued, gangway.Cancelled, gangway.RefundPending},
	gangway.RefundPending: {gangway.Cancelled},
}

// quiet repairs the connection, lets the automated user finish what was begun and
// check every booking, and then checks that everything agrees.
func (l *life) quiet() {
	l.kill("")
	for _, call := range []string{"hold", "issue", "cancel", "change", "accept"} {
		l.line.Fail(call, flighttest.None)
	}
	l.line.Settle()
	l.w.duffel.Load().Settle()
	waits := []time.Duration{0, 16 * time.Second, time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour,
		6 * time.Hour, 25 * time.Hour}
	for round := 0; ; round++ {
		l.do("everything is checked", func() error {
			if err := l.work(); err != nil {
				return err
			}
			for _, b := range l.all() {
				if err := l.in.LookNow(l.t.Context(), b.ID, l.clock.Now()); err != nil {
					return err
				}
			}
			return l.work()
		})
		open := l.open()
		if open == "" {
			break
		}
		if round == len(waits) {
			l.t.Errorf("an hour of quiet and a day later, %s", open)
			return
		}
		l.clock.forward(waits[round])
	}
	l.check()
}

// open returns what is not settled yet.
func (l *life) open() string {
	for _, id := range l.asked {
		if i, err := l.in.Intent(l.t.Context(), id); err == nil && i.Open {
			return "the intent to book " + id + " is open"
		}
	}
	for _, b := range l.all() {
		if i, open, _ := l.in.OpenIntent(l.t.Context(), b.ID); open {
			return "the intent to " + i.Kind + " booking " + b.Locator + " is open"
		}
		order, err := l.behind.Order(l.t.Context(), b.Order)
		if err != nil || order.Status == flight.Pending {
			return "the supplier cannot say how the order of booking " + b.Locator + " stands"
		}
	}
	return ""
}

// check compares everything that is known about each booking.
func (l *life) check() {
	live := map[int]gangway.Booking{}
	for _, b := range l.all() { // the newest first
		order, err := l.behind.Order(l.t.Context(), b.Order)
		if err != nil {
			l.t.Errorf("booking %s has no order: %v", b.Locator, err)
			continue
		}
		l.checkOrder(b, order)
		l.checkMoney(b, order)
		l.checkLog(b)
		if other, twice := live[b.Purpose.Member]; twice && b.Live() &&
			(other.Replaces == nil || other.Replaces.Booking != b.ID) {
			l.t.Errorf("bookings %s and %s stand for one traveller", other.Locator, b.Locator)
		}
		if b.Live() {
			live[b.Purpose.Member] = b
		}
		if b.Replaces.GoesOn() && (!b.Live() || b.State == gangway.Issued ||
			!must(l.in.Booking(l.t.Context(), b.Replaces.Booking))(l.t).Live()) {
			l.t.Errorf("booking %s is %s and has not settled what becomes of %s", b.Locator, b.State,
				b.Replaces.Locator)
		}
		// A declined booking may be checked once more, for seats that were not released.
		if b.State == gangway.Cancelled && !b.CheckAt.IsZero() {
			l.t.Errorf("booking %s is %s and will be checked again at %s", b.Locator, b.State, b.CheckAt)
		}
		if b.Live() && b.State != gangway.Issued && b.CheckAt.IsZero() {
			l.t.Errorf("booking %s is %s and will never be checked again", b.Locator, b.State)
		}
	}
	l.checkOrphans()
	l.checkReport()
	for _, c := range must(l.w.db.Verify(l.t.Context()))(l.t) {
		if c.Breaches > 0 {
			l.t.Errorf("%s is broken: %+v", c.Check, c.First)
		}
	}
}

// checkOrder compares a booking with its order. They may differ only if a person
// was asked for.
func (l *life) checkOrder(b gangway.Booking, order flight.Order) {
	gone := []flight.Status{flight.Withdrawn, flight.Lapsed, flight.Refused}
	var want []flight.Status
	switch b.State {
	case gangway.ApprovalRequired, gangway.Confirmed:
		want = []flight.Status{flight.Held}
	case gangway.Issued:
		want = []flight.Status{flight.Ticketed}
	case gangway.ChangePending:
		want = []flight.Status{flight.Held}
		if b.Change == nil {
			l.t.Errorf("booking %s is change_pending without a change", b.Locator)
		} else if b.Change.Was == gangway.Issued {
			want = []flight.Status{flight.Ticketed}
		}
	case gangway.Declined:
		want = append(gone, flight.Held)
	default:
		want = gone
	}
	if !slices.Contains(want, order.Status) && b.Attention == nil {
		l.t.Errorf("booking %s is %s and its order is %s", b.Locator, b.State, order.Status)
	}
	if b.State == gangway.RefundPending && b.Attention == nil &&
		(order.Refund == nil || !order.Refund.SettledAt.IsZero()) {
		l.t.Errorf("booking %s is refund_pending, and the supplier says of the refund %+v", b.Locator, order.Refund)
	}
	if b.State == gangway.Issued && order.Status == flight.Ticketed && !slices.Equal(b.Tickets, order.Tickets) {
		l.t.Errorf("booking %s has tickets %q, its order %q", b.Locator, b.Tickets, order.Tickets)
	}
}

// checkMoney adds up a booking's money and compares it with the supplier's.
func (l *life) checkMoney(b gangway.Booking, order flight.Order) {
	paid := b.PaidSoFar()
	if b.Ticketed() && order.Status == flight.Ticketed && order.Price != b.Price {
		l.t.Errorf("booking %s costs %+v, its order %+v", b.Locator, b.Price, order.Price)
	}
	back, known := b.RefundTotal()
	if r := order.Refund; b.State == gangway.RefundPending && r != nil && !r.Unknown && (!known || back != r.Amount) {
		l.t.Errorf("booking %s: the refund is %s (%v); the supplier says %s", b.Locator, back, known, r.Amount)
	}
	if kept, sure := b.Kept(); sure && kept.Add(back) != paid {
		l.t.Errorf("booking %s: %s kept and %s refunded do not add up to the %s paid", b.Locator, kept, back, paid)
	}
}

// checkLog follows a booking's log.
func (l *life) checkLog(b gangway.Booking) {
	history, err := l.in.History(l.t.Context(), b.ID)
	if err != nil || len(history) == 0 {
		l.t.Errorf("booking %s has no history: %v", b.Locator, err)
		return
	}
	state := gangway.None
	for i, a := range history {
		if a.Seq != i+1 || !slices.Contains(leadsTo[state], a.Name) {
			l.t.Errorf("booking %s: action %d (%d) is %s after %q", b.Locator, i+1, a.Seq, a.Name, state)
		}
		if i > 0 && a.At.Before(history[i-1].At) {
			l.t.Errorf("booking %s: action %d is before the one before it", b.Locator, i+1)
		}
		state = a.Name
	}
}

// checkOrphans fails for seats or tickets that belong to no booking.
func (l *life) checkOrphans() {
	for _, id := range l.asked {
		if _, err := l.in.Booking(l.t.Context(), id); gangway.KindOf(err) != gangway.NotFound {
			continue
		}
		order, err := l.behind.Find(l.t.Context(), id)
		if err == nil && (order.Status == flight.Held || order.Status == flight.Ticketed) {
			l.t.Errorf("order %s is %s, and no booking has it", order.ID, order.Status)
		}
	}
}

// end lets two months pass, checks that nothing waits any more, and takes the
// life's bookings out of the way of the next life.
func (l *life) end() {
	for range 2 {
		l.clock.forward(30 * 24 * time.Hour)
		l.quiet()
	}
	l.checkColumns()
	for _, b := range l.all() {
		history := must(l.in.History(l.t.Context(), b.ID))(l.t)
		l.w.moves.count(history)
		switch {
		case b.State == gangway.Confirmed, b.State == gangway.ApprovalRequired, b.State == gangway.ChangePending &&
			!b.Change.ByAirline:
			l.t.Errorf("two months later booking %s is still %s", b.Locator, b.State)
		}
		done(l.t, l.in.LookAgain(l.t.Context(), b, time.Time{}))
	}
}

// moves counts the moves that bookings made in all lives.
type moves struct {
	mu   sync.Mutex
	seen map[string]int
}

// count adds the moves that a booking made.
func (m *moves) count(history []gangway.Action) {
	m.mu.Lock()
	defer m.mu.Unlock()
	state := gangway.None
	for _, a := range history {
		m.seen[string(state)+" to "+string(a.Name)]++
		state = a.Name
	}
}

// wantAll fails for moves that no booking ever made: lives that do not reach
// everything prove little.
func (m *moves) wantAll(t *testing.T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for from, list := range leadsTo {
		for _, to := range list {
			if m.seen[string(from)+" to "+string(to)] == 0 {
				t.Errorf("no booking ever moved from %q to %s", from, to)
			}
		}
	}
	t.Logf("moves made: %v", m.seen)
}
