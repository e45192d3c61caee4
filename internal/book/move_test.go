package book_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A moved is maria, booked for a ship that then comes on another day, and the flights that take her there.
type moved struct {
	*counter
	search gangway.Search
	old    gangway.Booking
	offers []flight.Offer // for the new day, by price
	ask    book.MoveAsk   // a new booking of the first of them
}

// newMoved books maria for 1 December, perhaps with tickets, and has the ship come on a day.
func newMoved(t *testing.T, db *store.DB, ticketed bool, day gangway.Date) *moved {
	t.Helper()
	m := &moved{counter: open(t, db)}
	c := m.counter
	c.booker.ID = book.NewID()
	done(t, planned("CC-8")(t, c, gangway.Booking{}))
	m.old = c.now(t, c.story)
	if ticketed {
		m.old = must(c.Issue(t.Context(), c.in, c.booker, m.old.ID, m.old.Price.Total))(t)
	}
	done(t, upload("CC-8", day, maria)(t, c, m.old))
	m.search = book.SearchForCrewChange(crewChange("CC-8", day, maria), "AMS", c.booker.Email, c.clock.Now())
	m.search.Uploaded = true
	done(t, c.in.SaveSearch(t.Context(), m.search))
	m.offers = slices.DeleteFunc(c.offers(t, m.search, 0), func(o flight.Offer) bool {
		return !marine(o) || book.OneADay(m.old.Itinerary, o.Itinerary) != ""
	})
	m.ask = m.anew(t, m.offers[0])
	return m
}

// anew asks for an offer in place of what is booked, on the terms of now.
func (m *moved) anew(t *testing.T, o flight.Offer) book.MoveAsk {
	t.Helper()
	q := m.quote(t)
	done(t, q.NoEnd)
	return book.MoveAsk{ID: book.NewID(), Way: book.WayAnew, Booking: m.old.ID, Terms: q.End.ActTerms,
		New: &book.BookAsk{Search: m.search.ID, Offer: o.ID, Price: o.Price.Total}}
}

// quote is what may be done for maria now.
func (m *moved) quote(t *testing.T) (q book.MoveQuote) {
	t.Helper()
	list := []gangway.Booking{m.now(t, m.old.ID)}
	done(t, m.QuoteMoves(t.Context(), m.in, m.booker, list, func(_ int, quoted book.MoveQuote, err error) {
		done(t, err)
		q = quoted
	}))
	return q
}

// move does what is asked for and all that is due then.
func (m *moved) move(t *testing.T) gangway.Booking {
	t.Helper()
	b := must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
	done(t, m.Tick(t.Context()))
	return m.now(t, b.ID)
}

// seats is how many orders the airlines have for maria, held or ticketed.
func (m *moved) seats(t *testing.T) (n int) {
	t.Helper()
	for _, id := range []string{m.old.ID, m.ask.ID} {
		order, err := m.line.Supplier.Find(t.Context(), id)
		if err != nil && gangway.KindOf(err) != gangway.NotFound {
			t.Fatal(err)
		}
		if err == nil && (order.Status == flight.Held || order.Status == flight.Ticketed) {
			n++
		}
	}
	return n
}

// want fails unless the old booking and the new one are in these states.
func (m *moved) want(t *testing.T, old, anew gangway.State) (o, n gangway.Booking) {
	t.Helper()
	o, n = m.now(t, m.old.ID), m.now(t, m.ask.ID)
	if o.State != old || n.State != anew {
		t.Fatalf("the old booking is %s and the new one %s (%+v, %+v); want %s and %s", o.State, n.State, n.Replaces,
			n.Attention, old, anew)
	}
	return o, n
}

// left fails unless a person has to settle it, and is told so with both locators.
func (m *moved) left(t *testing.T, why string) {
	t.Helper()
	old, anew := m.now(t, m.old.ID), m.now(t, m.ask.ID)
	if a := anew.Attention; !a.Open() || !strings.Contains(a.Why, old.Locator) || !strings.Contains(a.Why,
		anew.Locator) || !strings.Contains(a.Why, why) || !old.Live() || m.seats(t) != 2 {
		t.Fatalf("attention is %+v, %d seats; want both, and why: %s", a, m.seats(t), why)
	}
}

// TestMovedAnew holds that a new booking takes the place of an old one such that nobody is ever without a seat, has two
// in the end, or is paid for twice.
func TestMovedAnew(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("a hold that does not fit any more is released once the new one is held", func(t *testing.T) {
			m := newMoved(t, db, false, "2026-12-06")
			m.move(t)
			_, b := m.want(t, gangway.Cancelled, gangway.Confirmed)
			if b.Replaces.Open() || b.AutoIssue || m.seats(t) != 1 {
				t.Fatalf("%+v, %d seats; want it settled", b.Replaces, m.seats(t))
			}
			m.wantLog(t, m.old.ID, "confirmed ana", "cancelled ana")
			again := must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
			if again.ID != b.ID || m.line.Calls("hold") != 2 {
				t.Errorf("asked for twice it is %s, %d holds; want the same booking", again.ID, m.line.Calls("hold"))
			}
		})
		t.Run("a hold that fits stays until one that is kept shorter is ticketed", func(t *testing.T) {
			m := newMoved(t, db, false, "2026-12-01")
			long := slices.IndexFunc(m.offers, func(o flight.Offer) bool { return o.TicketBy.Before(m.old.TicketBy) })
			m.clock.forward(time.Minute)
			if long >= 0 {
				m.ask = m.anew(t, m.offers[long])
			}
			b := m.move(t)
			if kept := !b.HoldUntil.Before(m.old.HoldUntil); kept != (m.now(t, m.old.ID).State == gangway.Cancelled) {
				t.Fatalf("the new one is held until %s, the old one was until %s and is %s", b.HoldUntil,
					m.old.HoldUntil, m.now(t, m.old.ID).State)
			}
			must(m.Issue(t.Context(), m.in, m.booker, b.ID, b.Price.Total))(t)
			done(t, m.Tick(t.Context()))
			m.want(t, gangway.Cancelled, gangway.Issued)
		})
		t.Run("tickets end as shown, once the new ones are issued by the system", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			if q := m.quote(t); q.EndsBy != book.WayCancel || !q.End.Void || !q.End.Until.Equal(m.old.VoidUntil) {
				t.Errorf("%+v; want that it can be voided, and until when", q.End)
			}
			m.move(t)
			old, b := m.want(t, gangway.Cancelled, gangway.Issued)
			if old.Refund == nil || old.Refund.Amount != m.ask.Terms.Amount ||
				b.PaidSoFar() != m.offers[0].Price.Total ||
				m.seats(t) != 1 || !strings.Contains(b.Replaces.Settled, old.Locator) {
				t.Fatalf("%+v came back and %s was paid: %+v", old.Refund, b.PaidSoFar(), b.Replaces)
			}
			m.wantLog(t, b.ID, "confirmed ana", "issued ana")
			m.wantLog(t, old.ID, "confirmed ana", "issued ana", "cancelled ana")
		})
		t.Run("where other terms hold than were shown, nothing is bought or ended before a person has looked",
			func(t *testing.T) {
				m := newMoved(t, db, true, "2026-12-06")
				settings := storetest.Settings
				settings(t, m.in, always)
				must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
				m.clock.forward(16 * time.Hour) // the tickets can no longer be voided
				must(m.Approve(t.Context(), m.in, m.approver, m.ask.ID))(t)
				done(t, m.Tick(t.Context()))
				m.want(t, gangway.Issued, gangway.Confirmed)
				m.left(t, "no longer be voided")
				m.clock.forward(time.Hour)
				done(t, m.Tick(t.Context()))
				m.want(t, gangway.Issued, gangway.Confirmed)
				b := m.now(t, m.ask.ID)
				must(m.Issue(t.Context(), m.in, m.booker, b.ID, b.Price.Total))(t)
				quote := must(m.QuoteCancel(t.Context(), m.in, m.old.ID))(t)
				must(m.Cancel(t.Context(), m.in, m.booker, m.old.ID, quote.ID))(t)
				done(t, m.Tick(t.Context()))
				if b = m.now(t, m.ask.ID); b.Replaces.Open() || b.Attention.Open() {
					t.Errorf("%+v, %+v; want it settled with the old booking", b.Replaces, b.Attention)
				}
			})
		t.Run("a person may keep both", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			m.line.Through = func(name, _ string, call func() (flight.Order, error)) (flight.Order, error) {
				order, err := call()
				if name == "issue" { // the airline took its time
					m.clock.forward(16 * time.Hour)
				}
				return order, err
			}
			m.move(t)
			m.want(t, gangway.Issued, gangway.Issued)
			m.left(t, "no longer be voided")
			b := must(m.Handled(t.Context(), m.in, m.booker, m.ask.ID))(t)
			done(t, m.Tick(t.Context()))
			if m.want(t, gangway.Issued, gangway.Issued); b.Replaces.Open() || b.Attention.Open() {
				t.Errorf("%+v, %+v; want it settled", b.Replaces, b.Attention)
			}
		})
		t.Run("a booking that ended meanwhile is not kept", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			storetest.Settings(t, m.in, always)
			m.move(t)
			m.clock.forward(16 * time.Hour)
			must(m.Approve(t.Context(), m.in, m.approver, m.ask.ID))(t)
			done(t, m.Tick(t.Context()))
			m.left(t, "no longer be voided")
			quote := must(m.QuoteCancel(t.Context(), m.in, m.old.ID))(t)
			must(m.Cancel(t.Context(), m.in, m.booker, m.old.ID, quote.ID))(t)
			refused(t, gangway.Conflict)(m.Handled(t.Context(), m.in, m.booker, m.ask.ID))
			done(t, m.Tick(t.Context()))
			if r := m.now(t, m.ask.ID).Replaces; r.Settled != m.old.Locator+" is no longer live." {
				t.Errorf("%+v; want what became of it", r)
			}
		})
		t.Run("the old booking stays as it was where the new one is declined, or its hold ends", func(t *testing.T) {
			for name, end := range map[string]func(*moved) error{
				"declined": func(m *moved) error {
					return second(m.Decline(t.Context(), m.in, m.approver, m.ask.ID, "too dear"))
				},
				"lapsed": func(m *moved) error {
					b, err := m.in.Booking(t.Context(), m.ask.ID)
					m.clock.to(b.HoldUntil.Add(time.Second))
					return err
				},
			} {
				m := newMoved(t, db, true, "2026-12-06")
				storetest.Settings(t, m.in, always)
				m.move(t)
				m.want(t, gangway.Issued, gangway.ApprovalRequired)
				done(t, end(m))
				done(t, m.Tick(t.Context()))
				old, b := m.want(t, gangway.Issued, gangway.Declined)
				if b.Replaces.Open() || !strings.Contains(b.Replaces.Settled, old.Locator) || m.seats(t) != 1 {
					t.Errorf("%s: %+v, %d seats; want it settled, and what was", name, b.Replaces, m.seats(t))
				}
				why := map[string]string{"declined": "Boris Okafor declined the booking: too dear."}[name]
				dearer, cheaper := b.Price.Total, b.Price.Total
				dearer.Minor, cheaper.Minor = dearer.Minor+1, cheaper.Minor-1
				r := m.quote(t).Replacement
				if r.WhyDeclined(b.Itinerary, dearer) != why || r.WhyDeclined(b.Itinerary, cheaper) != "" {
					t.Errorf("%q; want %q of what costs as much or more", r.WhyDeclined(b.Itinerary, dearer), why)
				}
				m.ask = m.anew(t, m.offersOf(t, "2026-12-06")[0])
				m.ask.New.OneADay = book.OneADay(old.Itinerary, m.counter.offers(t, m.search, 0)[0].Itinerary)
				m.move(t) // and may be replaced by another one
			}
		})
		t.Run("the old booking does not end while somebody cancels the new one", func(t *testing.T) {
			m := newMoved(t, db, false, "2026-12-06")
			cancelled := false
			m.line.Through = func(name, of string, call func() (flight.Order, error)) (flight.Order, error) {
				order, err := call()
				if b, there := m.in.Booking(t.Context(), m.ask.ID); name == "order" && there == nil && of == b.Order &&
					!cancelled {
					cancelled = true // after its order was asked for, before the old one is released
					quote := must(m.QuoteCancel(t.Context(), m.in, b.ID))(t)
					must(m.Cancel(t.Context(), m.in, m.booker, b.ID, quote.ID))(t)
				}
				return order, err
			}
			must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
			for range 3 {
				done(t, m.Tick(t.Context()))
				m.clock.forward(5 * time.Minute)
			}
			m.want(t, gangway.Confirmed, gangway.Cancelled)
			if m.seats(t) != 1 {
				t.Errorf("%d seats; want one", m.seats(t))
			}
		})
		t.Run("while one booking takes its place no other does", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			storetest.Settings(t, m.in, always)
			other := m.anew(t, m.offers[1])
			m.move(t)
			refused(t, gangway.Conflict)(m.Move(t.Context(), m.in, m.approver, other))
			if m.line.Calls("hold") != 2 {
				t.Errorf("%d holds; want two", m.line.Calls("hold"))
			}
		})
		t.Run("what takes the place of a booking that stands may be released, but not replaced", func(t *testing.T) {
			for name, left := range map[string]bool{"it goes on": false, "a person has to settle it": true} {
				m := newMoved(t, db, true, "2026-12-06")
				storetest.Settings(t, m.in, always)
				m.move(t)
				_, b := m.want(t, gangway.Issued, gangway.ApprovalRequired)
				if left {
					m.clock.forward(16 * time.Hour)
					must(m.Approve(t.Context(), m.in, m.approver, b.ID))(t)
					done(t, m.Tick(t.Context()))
					m.left(t, "no longer be voided")
				}
				first := m.old
				m.old = b
				q := m.quote(t)
				if err := q.NoAnew; gangway.KindOf(err) != gangway.Conflict || !strings.Contains(err.Error(),
					b.Locator+" replaces "+first.Locator) {
					t.Errorf("%s: %v; want both locators", name, err)
				}
				refused(t, gangway.Conflict)(m.Move(t.Context(), m.in, m.booker, m.anew(t, m.offers[1])))
				if m.line.Calls("hold") != 2 {
					t.Errorf("%s: %d holds; want two", name, m.line.Calls("hold"))
				}
				must(m.Move(t.Context(), m.in, m.booker, book.MoveAsk{ID: book.NewID(), Way: q.EndsBy, Booking: b.ID,
					Terms: q.End.ActTerms}))(t)
				done(t, m.Tick(t.Context()))
				if b = m.now(t, b.ID); b.Live() || b.Replaces.Open() || b.Attention.Open() {
					t.Errorf("%s: %s, %+v, %+v; want it released and settled", name, b.State, b.Replaces, b.Attention)
				}
				m.old = first
				if q := m.quote(t); q.NoAnew != nil || !m.now(t, first.ID).Live() {
					t.Errorf("%s: %v; want that the first one may be replaced", name, q.NoAnew)
				}
			}
		})
		t.Run("a booking on terms that were not shown is not replaced", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			m.ask.Terms.Amount.Minor++
			refused(t, gangway.Conflict)(m.Move(t.Context(), m.in, m.booker, m.ask))
			if m.line.Calls("hold") != 1 {
				t.Errorf("%d holds; want one", m.line.Calls("hold"))
			}
		})
		t.Run("a booking that fits today's plan does not end for one that does not", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			storetest.Settings(t, m.in, always)
			m.move(t)
			done(t, upload("CC-8", "2026-12-01", maria)(t, m.counter, m.old))
			must(m.Approve(t.Context(), m.in, m.approver, m.ask.ID))(t)
			done(t, m.Tick(t.Context()))
			m.want(t, gangway.Issued, gangway.Confirmed)
			m.left(t, "fits today's plan")
			surplus := func(want string) {
				t.Helper()
				if b := must(m.Surplus(t.Context(), m.in, m.now(t, m.ask.ID)))(t); b.ID != want {
					t.Errorf("%s is offered to be ended; want %s", b.ID, want)
				}
			}
			surplus(m.ask.ID)
			done(t, upload("CC-8", "2026-12-06", maria)(t, m.counter, m.old))
			surplus(m.old.ID)
		})
		t.Run("an airline that flies both on one day is told of before", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-01")
			same := m.offers[0]
			for _, o := range m.offersOf(t, "2026-12-01") {
				if book.OneADay(m.old.Itinerary, o.Itinerary) != "" {
					same = o
				}
			}
			m.ask = m.anew(t, same)
			m.ask.New.Search = m.search.ID
			refused(t, gangway.Conflict)(m.Move(t.Context(), m.in, m.booker, m.ask))
			m.ask.New.OneADay = book.OneADay(m.old.Itinerary, same.Itinerary)
			must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
		})
	})
}

// TestMovedOnceMore holds that a plan which changes after somebody was shown what to do stops everything that is not
// begun: no supplier is asked, and nothing ends for somebody who is needed again.
func TestMovedOnceMore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		stopped := func(t *testing.T, m *moved, why string) {
			t.Helper()
			before := m.line.Calls("hold") + m.line.Calls("change") + m.line.Calls("cancel")
			_, err := m.Move(t.Context(), m.in, m.booker, m.ask)
			b, after := m.now(t, m.old.ID), m.line.Calls("hold")+m.line.Calls("change")+m.line.Calls("cancel")
			if gangway.KindOf(err) != gangway.Conflict || !strings.Contains(err.Error(), why) ||
				b.State != m.old.State || before != after {
				t.Errorf("%v; it is %s after %d calls more; want it as it was, because %s", err, b.State,
					after-before, why)
			}
		}
		moves := func(t *testing.T, m *moved) { done(t, upload("CC-8", "2026-12-01", maria)(t, m.counter, m.old)) }
		t.Run("a change", func(t *testing.T) {
			for _, pending := range []bool{false, true} {
				m := newMoved(t, db, true, "2026-12-06")
				o := m.quote(t).Changes[0]
				m.ask = book.MoveAsk{ID: book.NewID(), Way: book.WayChange, Booking: m.old.ID, Terms: o.ActTerms,
					Offer: o.ID}
				if pending { // its process died before the airline was asked
					must(m.AskChange(t.Context(), m.in, m.booker, m.old.ID, o.ID))(t)
				}
				moves(t, m)
				stopped(t, m, "the ship was moved")
			}
		})
		t.Run("a replacement", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			moves(t, m)
			stopped(t, m, "the ship was moved")
		})
		t.Run("a first booking", func(t *testing.T) {
			m := newMoved(t, db, false, "2026-12-06")
			m.ask = book.MoveAsk{ID: m.ask.ID, Way: book.WayHold, New: m.ask.New}
			moves(t, m)
			stopped(t, m, "the ship was moved")
		})
		t.Run("giving up", func(t *testing.T) {
			m := newMoved(t, db, false, "2026-12-06")
			m.ask = book.MoveAsk{ID: book.NewID(), Way: book.WayRelease, Booking: m.old.ID,
				Terms: m.quote(t).End.ActTerms, Unneeded: gangway.LeftOut}
			stopped(t, m, "needed again")
			m.ask.Unneeded = ""
			must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
		})
	})
}

// offersOf has the search be for a day, and returns the offers for it.
func (m *moved) offersOf(t *testing.T, day gangway.Date) []flight.Offer {
	t.Helper()
	m.search = book.SearchForCrewChange(crewChange("CC-8", day, maria), "AMS", m.booker.Email, m.clock.Now())
	done(t, m.in.SaveSearch(t.Context(), m.search))
	return m.counter.offers(t, m.search, 0)
}

// TestMovesWhileProcessesDie kills the process before and after each call to the airline, while another replica works
// on the same database: in the end the traveller has one seat, the one for today's plan, which was paid once.
func TestMovesWhileProcessesDie(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for _, ticketed := range []bool{false, true} {
			for n := range int64(6) {
				for _, after := range []bool{false, true} {
					t.Run(fmt.Sprint("ticketed ", ticketed, " call ", n, " after ", after), func(t *testing.T) {
						killed(t, db, ticketed, n, after)
					})
				}
			}
		}
	})
}

func killed(t *testing.T, db *store.DB, ticketed bool, n int64, after bool) {
	m := newMoved(t, db, ticketed, "2026-12-06")
	var calls atomic.Int64
	m.line.Through = func(_, _ string, call func() (flight.Order, error)) (flight.Order, error) {
		dies := calls.Add(1) == n+1
		if dies && !after {
			panic(died{})
		}
		order, err := call()
		if m.seats(t) == 0 {
			t.Error("the traveller has no seat")
		}
		if dies {
			panic(died{})
		}
		return order, err
	}
	other := book.New(book.Config{DB: db, Suppliers: m.sells, Now: m.clock.Now, Log: slog.New(slog.DiscardHandler)})
	for range 12 {
		func() {
			defer func() { recover() }()
			m.Move(t.Context(), m.in, m.booker, m.ask) // as the batch repeats it
		}()
		var both sync.WaitGroup
		for _, desk := range []*book.Desk{m.Desk, other} {
			both.Go(func() { done(t, desk.Tick(t.Context())) })
		}
		both.Wait()
		m.clock.forward(4 * time.Minute)
	}
	want := gangway.Confirmed
	if ticketed {
		want = gangway.Issued
	}
	if i, err := m.in.Intent(t.Context(), m.ask.ID); err == nil && i.Outcome == book.NeverReceived {
		if m.seats(t) != 1 || m.now(t, m.old.ID).State != m.old.State {
			t.Errorf("nothing was held, and the old booking is %s", m.now(t, m.old.ID).State)
		}
		return // the batch asks under another identifier
	}
	old, b := m.want(t, gangway.Cancelled, want)
	if m.seats(t) != 1 || b.Replaces.Open() || ticketed && (b.PaidSoFar() != b.Price.Total ||
		old.Refund.Amount != m.ask.Terms.Amount) {
		t.Errorf("%d seats, %s paid, %+v", m.seats(t), b.PaidSoFar(), b.Replaces)
	}
}

// wantFor fails unless the old booking and its last record are for a ship at an airport and port on a day.
func (m *moved) wantFor(t *testing.T, want string) gangway.Booking {
	t.Helper()
	b, actions := m.now(t, m.old.ID), must(m.in.History(t.Context(), m.old.ID))(t)
	last := must(m.in.Snapshots(t.Context(), []store.PulledBooking{{Booking: b.ID, Actions: actions}}))(t)[0]
	for _, p := range []gangway.Purpose{b.Purpose, last.Purpose} {
		if got := fmt.Sprint(p.Airport, " ", p.Port, " ", p.Date); got != want || p.Change != m.old.Purpose.Change {
			t.Errorf("it is for %s, as %s; want %s", got, p.Change, want)
		}
	}
	return b
}

// TestMovedFlights holds that a change is made at the money that was shown, or waits for whoever has to agree.
func TestMovedFlights(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		chosen := func(t *testing.T, m *moved) book.MoveOffer {
			q := m.quote(t)
			done(t, q.NoChange)
			o := q.Changes[0]
			if !o.Stands.Serves() {
				t.Fatalf("the first change offered stands as %s; want one that fits today's plan", o.Stands.Standing)
			}
			m.ask = book.MoveAsk{ID: book.NewID(), Way: book.WayChange, Booking: m.old.ID, Terms: o.ActTerms,
				Offer: o.ID}
			return o
		}
		for _, ticketed := range []bool{false, true} {
			t.Run(fmt.Sprint("once, ticketed ", ticketed), func(t *testing.T) {
				m := newMoved(t, db, ticketed, "2026-12-06")
				o := chosen(t, m)
				for range 2 {
					must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
				}
				b := m.now(t, m.old.ID)
				if b.State != m.old.State || !b.Itinerary.SameTimes(o.Itinerary) || m.line.Calls("change") != 1 {
					t.Errorf("it is %s, after %d changes", b.State, m.line.Calls("change"))
				}
			})
		}
		t.Run("the record says the plan that it serves once the change is made, and the old one until then",
			func(t *testing.T) {
				for _, port := range []bool{false, true} {
					m := newMoved(t, db, true, "2026-12-06")
					want := "AMS  2026-12-06"
					if port {
						c := crewChange("CC-8", "2026-12-06")
						c.ChangeAirport, c.OnSigners = "", []gangway.CrewMember{{Traveller: maria,
							Arrive: gangway.PortCall{Airport: "NLRTM", Date: "2026-12-06"}}}
						must(m.in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, m.clock.Now()))(t)
						want = "AMS NLRTM 2026-12-06"
					}
					o := chosen(t, m)
					must(m.AskChange(t.Context(), m.in, m.booker, m.old.ID, o.ID))(t)
					m.wantFor(t, "AMS  2026-12-01")
					must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
					b := m.wantFor(t, want)
					if asked := b.Purpose.Between; port && (len(asked) != 1 || asked[0].To != "NLRTM") {
						t.Errorf("its flights were asked for between %+v; want them to the port", asked)
					}
				}
			})
		t.Run("flights that do not serve the plan leave the record as it was", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			done(t, all(askChange("2026-12-10"), confirm)(t, m.counter, m.now(t, m.old.ID)))
			m.wantFor(t, "AMS  2026-12-01")
		})
		t.Run("nothing is changed or cancelled for somebody who has left for the airport", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			chosen(t, m)
			m.clock.to(m.old.Itinerary.Departure().Add(-2 * time.Hour))
			done(t, m.QuoteMoves(t.Context(), m.in, m.booker, []gangway.Booking{m.old}, func(_ int, _ book.MoveQuote,
				err error) {
				refused(t, gangway.Conflict)(nil, err)
			}))
			for _, way := range []book.Way{book.WayChange, book.WayCancel, book.WayAnew} {
				m.ask.Way = way
				refused(t, gangway.Conflict)(m.Move(t.Context(), m.in, m.booker, m.ask))
			}
			if b := m.now(t, m.old.ID); b.Version != m.old.Version {
				t.Errorf("it is %s; want it as it was", b.State)
			}
		})
		t.Run("the slower of two people is told who is changing it", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			storetest.Settings(t, m.in, always)
			chosen(t, m)
			must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
			for _, way := range []book.Way{book.WayChange, book.WayAnew} {
				other := m.ask
				other.ID, other.Way, other.Offer, other.New = book.NewID(), way, "another", &book.BookAsk{}
				_, err := m.Move(t.Context(), m.in, m.approver, other)
				if gangway.KindOf(err) != gangway.Conflict || err.Error() != m.booker.Email+" is changing it" {
					t.Errorf("%s: %v; want who is changing it", way, err)
				}
			}
		})
		t.Run("money that was not shown changes nothing", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			chosen(t, m)
			m.ask.Terms.Amount.Minor--
			refused(t, gangway.Conflict)(m.Move(t.Context(), m.in, m.booker, m.ask))
			if b := m.now(t, m.old.ID); b.State != gangway.Issued || b.Version != m.old.Version {
				t.Errorf("it is %s; want it as it was", b.State)
			}
		})
		t.Run("it waits for an approver, who is named, unless a limit in advance allows for it", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			storetest.Settings(t, m.in, always)
			o := chosen(t, m)
			if o.Amount.Minor <= 0 {
				t.Fatal("the change costs nothing, so nobody has to agree to it")
			}
			if o.Approval.Why == "" || o.Approval.Until.IsZero() {
				t.Errorf("approval is %+v; want why and until when", o.Approval)
			}
			o.Approval.Whose = []string{"Helen", m.approver.Name}
			if own := o.Approval.Of(m.approver, always); own.Why == "" || !slices.Equal(own.Whose, []string{"Helen"}) {
				t.Errorf("for an approver's own choice approval is %+v; want that of others", own)
			}
			must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
			b := m.now(t, m.old.ID)
			if b.State != gangway.ChangePending || m.line.Calls("change") != 0 || b.Change.Approval == "" {
				t.Fatalf("it is %s; want it to wait", b.State)
			}
			waits := func(want int) {
				t.Helper()
				list := must(m.in.BookingsToApprove(t.Context(), 9))(t)
				n := must(m.in.Waits(t.Context(), m.clock.Now(), m.clock.Now()))(t).Approver
				if n != want || len(list) != n {
					t.Errorf("%d wait for an approver, %d are listed; want %d", n, len(list), want)
				}
			}
			waits(1)
			m.limit(t, o.Amount, o.Amount)
			must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
			if b := m.now(t, m.old.ID); b.State != gangway.Issued || m.line.Calls("change") != 1 {
				t.Errorf("it is %s; want it changed", b.State)
			}
			waits(0)
		})
		t.Run("a change that nobody approves is not made, which a person is told until something else is done",
			func(t *testing.T) {
				m := newMoved(t, db, true, "2026-12-06")
				storetest.Settings(t, m.in, always)
				asks := func() (o book.MoveOffer) {
					t.Helper()
					o = chosen(t, m)
					b := must(m.Move(t.Context(), m.in, m.booker, m.ask))(t)
					if b.Unchanged() != "" || b.Attention.Open() {
						t.Errorf("%q, %+v; want nothing of an earlier change", b.Unchanged(), b.Attention)
					}
					return o
				}
				const lapsed = "The change lapsed: nobody approved it in time."
				for _, end := range []struct {
					says   string
					tells  bool // a person
					blocks bool // the same flights from being proposed
					by     func() error
				}{
					{lapsed, true, false, func() error {
						m.clock.to(changeUntil(m.now(t, m.old.ID)))
						return m.Tick(t.Context())
					}},
					{lapsed, true, false, func() error {
						m.clock.to(changeUntil(m.now(t, m.old.ID)))
						return m.Tick(t.Context())
					}},
					{"Ana@example.com discarded the change.", false, false, func() error {
						return second(m.GiveUpChange(t.Context(), m.in, m.booker, m.old.ID, ""))
					}},
					{"Boris@example.com declined the change: too dear.", true, true, func() error {
						return second(m.GiveUpChange(t.Context(), m.in, m.approver, m.old.ID, "too dear"))
					}},
				} {
					o := asks()
					done(t, end.by())
					b := m.now(t, m.old.ID)
					if b.State != gangway.Issued || b.Unchanged() != end.says || b.Attention.Open() != end.tells ||
						end.tells && b.Attention.Why != end.says ||
						(b.WhyDeclined(o.Itinerary, o.Price.Total) != "") != end.blocks {
						t.Errorf("%s, %q, %+v; want %q", b.State, b.Unchanged(), b.Attention, end.says)
					}
				}
				q := m.quote(t).End
				must(m.Move(t.Context(), m.in, m.booker, book.MoveAsk{ID: book.NewID(), Way: book.WayCancel,
					Booking: m.old.ID, Terms: q.ActTerms}))(t)
				if b := m.now(t, m.old.ID); b.Live() || b.Attention.Open() {
					t.Errorf("%+v; want nothing left to do", b.Attention)
				}
			})
		t.Run("an approver's own choice waits for another approver, who may have made the booking", func(t *testing.T) {
			m := newMoved(t, db, true, "2026-12-06")
			storetest.Settings(t, m.in, always)
			chosen(t, m)
			must(m.Move(t.Context(), m.in, m.approver, m.ask))(t)
			refused(t, gangway.Denied)(m.ConfirmChange(t.Context(), m.in, m.approver, m.old.ID, m.ask.Offer))
			if b := m.now(t, m.old.ID); b.State != gangway.ChangePending || m.line.Calls("change") != 0 {
				t.Fatalf("it is %s; want it to wait", b.State)
			}
			maker := m.booker
			maker.Role = gangway.Approver
			must(m.ConfirmChange(t.Context(), m.in, maker, m.old.ID, m.ask.Offer))(t)
			if m.line.Calls("change") != 1 {
				t.Error("it was not changed")
			}
		})
	})
}

// limit approves moves in advance.
func (m *moved) limit(t *testing.T, person, change gangway.Money) {
	t.Helper()
	settings := always
	settings.Moves = gangway.MoveLimit{ID: book.NewID(), Person: person, Change: change, Until: "2026-11-30",
		By: m.approver.Email}
	storetest.Settings(t, m.in, settings)
}

// TestMovesWithinALimit holds that what an approver has approved in advance is spent once, however many runs spend it
// at the same time, and that everything beyond waits for approval as ever.
func TestMovesWithinALimit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("all runs count up together", func(t *testing.T) {
			c := open(t, db)
			crew := make([]gangway.Traveller, 4)
			for i := range crew {
				crew[i] = maria
				crew[i].ID, crew[i].FirstName = fmt.Sprint("C-", i), "Maria "+string(rune('A'+i))
				crew[i].DocNumber = fmt.Sprint("P000000", i)
			}
			done(t, upload("CC-8", "2026-12-01", crew...)(t, c, gangway.Booking{}))
			s := book.SearchForCrewChange(crewChange("CC-8", "2026-12-01", crew...), "AMS", c.booker.Email,
				c.clock.Now())
			done(t, c.in.SaveSearch(t.Context(), s))
			o := c.offers(t, s, 0)[0]
			m := &moved{counter: c}
			two := o.Price.Total
			two.Minor *= 2
			m.limit(t, o.Price.Total, two)
			var all sync.WaitGroup
			for i := range crew {
				offer := c.offers(t, s, i)[0]
				all.Go(func() {
					must(c.Move(t.Context(), c.in, c.booker, book.MoveAsk{ID: book.NewID(), Way: book.WayHold,
						New: &book.BookAsk{Search: s.ID, Member: i, Offer: offer.ID, Price: offer.Price.Total}}))(t)
				})
			}
			all.Wait()
			list, _, err := c.in.Bookings(t.Context(), store.BookingQuery{})
			done(t, err)
			n := map[gangway.State]int{}
			for _, b := range list {
				n[b.State]++
			}
			if n[gangway.Confirmed] != 2 || n[gangway.ApprovalRequired] != 2 {
				t.Errorf("%v; want two within the limit", n)
			}
			account := must(c.in.Account(t.Context()))(t)
			entries := must(db.Audit(t.Context(), store.AuditQuery{Customer: account.Customer.ID,
				What: gangway.MoveLimitUsed}, 10))(t)
			if len(entries) != 2 || entries[0].After["approved_by"] != c.approver.Email ||
				!strings.Contains(fmt.Sprint(entries[0].After["amount"]), o.Price.Total.Currency) {
				t.Errorf("the audit log has %+v; want each use, with the limit and the amount", entries)
			}
		})
		t.Run("above the limit, in another currency, or after its last day, approval is needed", func(t *testing.T) {
			for name, change := range map[string]func(*gangway.MoveLimit){
				"per person": func(l *gangway.MoveLimit) { l.Person.Minor-- },
				"currency":   func(l *gangway.MoveLimit) { l.Person.Currency, l.Change.Currency = "XTS", "XTS" },
				"ended":      func(l *gangway.MoveLimit) { l.Until = "2026-11-01" },
			} {
				m := newMoved(t, db, false, "2026-12-06")
				settings := always
				price := m.offers[0].Price.Total
				settings.Moves = gangway.MoveLimit{ID: "l", Person: price, Change: price, Until: "2026-11-02",
					By: m.approver.Email}
				change(&settings.Moves)
				storetest.Settings(t, m.in, settings)
				if b := m.move(t); b.State != gangway.ApprovalRequired ||
					m.now(t, m.old.ID).State != gangway.Confirmed {
					t.Errorf("%s: it is %s; want it to wait, and the old one to stay", name, b.State)
				}
			}
		})
		t.Run("what was spent on a person counts through all their bookings", func(t *testing.T) {
			m := newMoved(t, db, false, "2026-12-06")
			price := m.offers[0].Price.Total
			more := price
			more.Minor *= 10
			m.limit(t, price, more)
			first := m.move(t)
			m.want(t, gangway.Cancelled, gangway.Confirmed)
			log := fmt.Sprint(must(m.in.History(t.Context(), first.ID))(t))
			if !strings.Contains(log, m.approver.Email) {
				t.Error("the history does not say who approved it in advance")
			}
			m.old = first
			m.ask = m.anew(t, m.offers[1])
			m.move(t)
			m.want(t, gangway.Confirmed, gangway.ApprovalRequired)
		})
	})
}
