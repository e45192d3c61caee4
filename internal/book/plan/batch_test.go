package plan_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A port is an account with a search for some people, and the processes that book
// for it.
type port struct {
	db     *store.DB
	in     store.Scoped
	ahead  atomic.Int64 // how far the clock was advanced
	sells  flight.Supplier
	mu     sync.Mutex
	search gangway.Search
	booker gangway.User
}

var began = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

func (p *port) now() time.Time { return began.Add(time.Duration(p.ahead.Load())) }

func newPort(t *testing.T, db *store.DB, crew int) *port {
	t.Helper()
	account, id := storetest.Account(t, db), book.NewID()
	p := &port{db: db, in: db.In(account.Scope()), booker: gangway.User{
		ID: id, Customer: account.Customer.ID, Email: id + "@example.com", Name: "Ana Lindqvist", Role: gangway.Booker,
	}}
	done(t, db.CreateUser(t.Context(), storetest.Operator, p.booker, "", began))
	network := must(sim.New(sim.Config{Now: p.now}))(t)
	p.sells = network.For(p.in.Ledger(), 0)
	p.search = gangway.Search{ID: book.NewID(), By: p.booker.Email, CreatedAt: p.now(), Vessel: "Nordlys", Flag: "NO",
		Date: "2026-12-01", Airport: "AMS"}
	for i := range crew {
		p.search.Members = append(p.search.Members, gangway.SearchMember{
			Traveller: gangway.Traveller{ID: fmt.Sprint("C-", i), LastName: "Santos", FirstName: "Maria " +
				string(rune('A'+i)), DOB: "1990-04-30", Nationality: "PH", Gender: "F"},
			Side: gangway.OnSigner, Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS",
				ArriveOn: "2026-12-01"}},
		})
	}
	done(t, p.in.SaveSearch(t.Context(), p.search))
	return p
}

// process starts a process of the program, with a supplier of its own if there is one.
func (p *port) process(sells flight.Supplier) (*plan.Batches, *book.Desk) {
	return p.processAt(p.now, sells)
}

// processAt starts a process with its own clock.
func (p *port) processAt(now func() time.Time, sells flight.Supplier) (*plan.Batches, *book.Desk) {
	log := slog.New(slog.DiscardHandler)
	desk := book.New(book.Config{DB: p.db, Now: now, Log: log, Suppliers: func(context.Context, store.Scoped,
		string) (flight.Supplier, error) {
		return sells, nil
	}})
	return plan.New(plan.Config{DB: p.db, Desk: desk, Now: now, Log: log}), desk
}

// asks requests the cheapest flight for everybody.
func (p *port) asks(t *testing.T) (asks []book.BookAsk) {
	t.Helper()
	_, desk := p.process(p.sells)
	best := map[int]flight.Offer{}
	err := desk.Search(t.Context(), p.in, p.search, func(f book.FoundOffers) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, o := range f.Offers {
			if b, ok := best[f.Member]; !ok || o.Price.Total.Minor < b.Price.Total.Minor {
				best[f.Member] = o
			}
		}
	})
	if err != nil || len(best) != len(p.search.Members) {
		t.Fatalf("Search = offers for %d, %v; want for everybody", len(best), err)
	}
	for i, m := range p.search.Members {
		asks = append(asks, book.BookAsk{ID: book.NewID(), Search: p.search.ID, Member: i, Offer: best[i].ID,
			Price: best[i].Price.Total, Passenger: m.Traveller})
	}
	return asks
}

// settled follows a batch until that many of its items have an outcome.
func (p *port) settled(t *testing.T, bs *plan.Batches, id string, want int) plan.Batch {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // the machine may be busy
	defer cancel()
	for changed := bs.Watch(ctx, id); ; {
		b := must(bs.Batch(t.Context(), p.in, id))(t)
		if b.Settled() >= want {
			return b
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("%d of %d are settled; want %d", b.Settled(), len(b.Items), want)
		}
	}
}

// begin has a process book for everybody.
func (p *port) begin(t *testing.T, bs *plan.Batches, asks []book.BookAsk) (id string) {
	t.Helper()
	id = book.NewID()
	done(t, bs.Book(t.Context(), p.in, p.booker, id, p.search, asks))
	return id
}

// wantSettled follows a batch until each of its items has an outcome, and fails unless these are the wanted ones, of
// which so many booked somebody.
func (p *port) wantSettled(t *testing.T, bs *plan.Batches, id string, booked int, want ...store.ItemState) plan.Batch {
	t.Helper()
	b := p.settled(t, bs, id, len(want))
	var states []store.ItemState
	for _, item := range b.Items {
		states = append(states, item.State)
	}
	if n := p.booked(t); !slices.Equal(states, want) || n != booked {
		t.Fatalf("the batch is %v with %d booked; want %v and %d", states, n, want, booked)
	}
	return b
}

func (p *port) booked(t *testing.T) int {
	t.Helper()
	list, _, err := p.in.Bookings(t.Context(), store.BookingQuery{})
	done(t, err)
	return len(list)
}

// holds returns the port's supplier, whose n-th hold, from 1, goes through do.
func (p *port) holds(do func(n int64, reference string,
	hold func() (flight.Order, error)) (flight.Order, error)) flight.Supplier {
	line := flighttest.NewFaulty(p.sells)
	var asked atomic.Int64
	line.Through = func(name, of string, call func() (flight.Order, error)) (flight.Order, error) {
		if name != "hold" {
			return call()
		}
		return do(asked.Add(1), of, call)
	}
	return line
}

// lost returns the port's supplier, which never receives its first n holds.
func (p *port) lost(n int64) flight.Supplier {
	return p.holds(func(i int64, _ string, hold func() (flight.Order, error)) (flight.Order, error) {
		if i <= n {
			return flight.Order{}, gangway.Errorf(gangway.Unavailable, "the line is dead")
		}
		return hold()
	})
}

func TestBatch(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("an item that fails does not stop the others, and a batch begun twice begins once", func(t *testing.T) {
			p := newPort(t, db, 6)
			bs, _ := p.process(p.sells)
			asks := p.asks(t)
			asks[2].Price.Minor++
			id := p.begin(t, bs, asks)
			done(t, bs.Book(t.Context(), p.in, p.booker, id, p.search, asks))
			b := p.wantSettled(t, bs, id, 5, "done", "done", "refused", "done", "done", "done")
			if made := b.Items[0].Made; b.Items[2].Why == "" || made.CreatedByName != "Ana Lindqvist" ||
				made.CreatedByID != p.booker.ID {
				t.Errorf("%q, and a booking by %q; want why, and the person who asked", b.Items[2].Why,
					made.CreatedByName)
			}
		})
		t.Run("an answer that causes a panic stops no other item", func(t *testing.T) {
			p := newPort(t, db, 3)
			asks := p.asks(t)
			bs, _ := p.process(p.holds(func(_ int64, reference string,
				hold func() (flight.Order, error)) (flight.Order, error) {
				if reference == asks[1].ID {
					panic("an unexpected answer")
				}
				return hold()
			}))
			p.wantSettled(t, bs, p.begin(t, bs, asks), 2, "done", "refused", "done")
		})
		t.Run("a late answer of an airline is waited for and shown", func(t *testing.T) {
			p := newPort(t, db, 2)
			asks := p.asks(t)
			bs, _ := p.process(p.lost(1000))
			id := p.begin(t, bs, asks)
			p.wantSettled(t, bs, id, 0, "unanswered", "unanswered")
			_, desk := p.process(p.sells)
			p.ahead.Add(int64(time.Minute))
			done(t, desk.Tick(t.Context()))
			done(t, bs.TakeUp(t.Context())) // which asks again
			if b := p.wantSettled(t, bs, id, 0, "unanswered", "unanswered"); b.Items[0].Booking == asks[0].ID {
				t.Errorf("the batch is %+v; want it requested again, and waited for", b)
			}
		})
	})
}

// An item that was in progress when something broke, and that the airline never
// received, is requested again by the batch, but not forever.
func TestBatchAsksAgainForWhatWasLost(t *testing.T) {
	for _, tt := range []struct {
		name   string
		lost   int64         // holds that are lost on the way
		late   time.Duration // until they are followed up
		booked int
	}{
		{"it is booked once, under a new identifier", 1, 0, 2},
		{"an item that is lost every time is left to a person", 1000, 0, 0},
		{"an item that was interrupted too long ago is not requested again", 1, 2 * time.Hour, 1},
	} {
		storetest.Each(t, func(t *testing.T, db *store.DB) {
			t.Run(tt.name, func(t *testing.T) {
				p := newPort(t, db, 2)
				bs, desk := p.process(p.lost(tt.lost))
				id := p.begin(t, bs, p.asks(t))
				p.settled(t, bs, id, 2)
				p.ahead.Add(int64(tt.late))
				for range 2 * min(tt.lost+1, 6) {
					p.ahead.Add(int64(20 * time.Second))
					done(t, desk.Tick(t.Context()))
					done(t, bs.TakeUp(t.Context()))
					p.settled(t, bs, id, 2)
				}
				lost := 0
				for _, item := range must(bs.Batch(t.Context(), p.in, id))(t).Items {
					if item.Why == book.NeverReceived {
						lost++
					} else if i := must(p.in.Intent(t.Context(), item.Booking))(t); i.Outcome != store.Done {
						t.Errorf("its booking's intent is %+v; want it done", i)
					}
				}
				if n := p.booked(t); n != tt.booked || lost != 2-tt.booked {
					t.Errorf("%d are booked and %d were left; want %d booked", n, lost, tt.booked)
				}
			})
		})
	}
}
