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

func states(b plan.Batch) (list []store.ItemState) {
	for _, item := range b.Items {
		list = append(list, item.State)
	}
	return list
}

func (p *port) booked(t *testing.T) int {
	t.Helper()
	list, _, err := p.in.Bookings(t.Context(), store.BookingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func TestBatch(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("an item that fails does not stop the others, and a batch begun twice begins once", func(t *testing.T) {
			p := newPort(t, db, 6)
			bs, _ := p.process(p.sells)
			asks := p.asks(t)
			asks[2].Price.Minor++
			id := book.NewID()
			for range 2 {
				done(t, bs.Book(t.Context(), p.in, p.booker, id, p.search, asks))
			}
			b := p.settled(t, bs, id, 6)
			if want := []store.ItemState{"done", "done", "refused", "done", "done", "done"}; !slices.Equal(states(b),
				want) || b.Items[2].Why == "" {
				t.Fatalf("the batch is %v, %q; want %v and why", states(b), b.Items[2].Why, want)
			}
			if n := p.booked(t); n != 5 {
				t.Errorf("%d were booked; want 5", n)
			}
			if made := b.Items[0].Made; made == nil || made.CreatedByName != "Ana Lindqvist" || made.CreatedByID !=
				p.booker.ID {
				t.Errorf("the booking is %+v; want it made by the person who asked", made)
			}
		})
		t.Run("an answer that causes a panic stops no other item", func(t *testing.T) {
			p := newPort(t, db, 3)
			asks := p.asks(t)
			bs, _ := p.process(&breaking{p.sells, asks[1].ID})
			id := book.NewID()
			done(t, bs.Book(t.Context(), p.in, p.booker, id, p.search, asks))
			b := p.settled(t, bs, id, 3)
			if want := []store.ItemState{"done", "refused", "done"}; !slices.Equal(states(b), want) {
				t.Fatalf("the batch is %v; want %v", states(b), want)
			}
		})
		t.Run("a late answer of an airline is waited for and shown", func(t *testing.T) {
			p := newPort(t, db, 2)
			asks := p.asks(t)
			bs, _ := p.process(silent{p.sells})
			id := book.NewID()
			done(t, bs.Book(t.Context(), p.in, p.booker, id, p.search, asks))
			if b := p.settled(t, bs, id, 2); !slices.Equal(states(b), []store.ItemState{"unanswered", "unanswered"}) {
				t.Fatalf("the batch is %v; want it to wait for the airline", states(b))
			}
			_, desk := p.process(p.sells)
			p.ahead.Add(int64(time.Minute))
			done(t, desk.Tick(t.Context()))
			if err := bs.TakeUp(t.Context()); err != nil { // which asks again
				t.Fatal(err)
			}
			if b := p.settled(t, bs, id, 2); !slices.Equal(states(b), []store.ItemState{"unanswered", "unanswered"}) ||
				b.Items[0].Booking == asks[0].ID {
				t.Errorf("the batch is %+v; want it requested again, and waited for", b)
			}
		})
		t.Run("another account does not see the batch", func(t *testing.T) {
			p, stranger := newPort(t, db, 1), newPort(t, db, 1)
			bs, _ := p.process(p.sells)
			id := book.NewID()
			done(t, bs.Book(t.Context(), p.in, p.booker, id, p.search, p.asks(t)))
			refused(t, gangway.NotFound)(bs.Batch(t.Context(), stranger.in, id))
			p.settled(t, bs, id, 1)
		})
	})
}

// breaking is a supplier whose answer to one hold causes a panic in its reader.
type breaking struct {
	flight.Supplier
	at string
}

func (b *breaking) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	if ask.Reference == b.at {
		panic("an unexpected answer")
	}
	return b.Supplier.Hold(ctx, ask)
}

// silent is a supplier that does not answer holds and never received them.
type silent struct{ flight.Supplier }

func (silent) Hold(context.Context, flight.HoldAsk) (flight.Order, error) {
	return flight.Order{}, gangway.Errorf(gangway.Unavailable, "the line is dead")
}
