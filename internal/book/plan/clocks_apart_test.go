package plan_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestClocksApart checks that a replica whose clock is so far ahead that it takes
// others for dead, and takes over their batches, books nobody twice.
func TestClocksApart(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const crew = 3
		p := newPort(t, db, crew)
		slow := &slowly{Supplier: p.sells, asked: make(chan struct{}, crew), answer: make(chan struct{})}
		alive, _ := p.process(slow)
		id := book.NewID()
		done(t, alive.Book(t.Context(), p.in, p.booker, id, p.search, p.asks(t)))
		for range crew {
			<-slow.asked
		}
		early, desk := p.processAt(func() time.Time { return p.now().Add(20 * time.Second) }, p.sells)
		takeUp := func() {
			t.Helper()
			done(t, early.TakeUp(t.Context()))
			p.settled(t, early, id, crew)
		}
		takeUp()
		if err := desk.Tick(t.Context()); err != nil { // it asks the airline, which knows nothing about it
			t.Fatal(err)
		}
		takeUp()
		close(slow.answer)
		over, end := context.WithCancel(t.Context())
		end()
		alive.Run(over) // until its requests are answered

		b, err := early.Batch(t.Context(), p.in, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range b.Items {
			if item.Made == nil {
				t.Errorf("member %d is %s, %q; want a booking", item.Member, item.State, item.Why)
			}
		}
		list, _, err := p.in.Bookings(t.Context(), store.BookingQuery{})
		if err != nil || len(list) != crew {
			t.Fatalf("%d are booked, %v; want %d", len(list), err, crew)
		}
		booked := map[string]bool{}
		for _, b := range list {
			booked[b.Order] = true
		}
		for _, order := range slow.held {
			if now, err := p.sells.Order(t.Context(), order); err != nil || now.Status == flight.Held &&
				!booked[order] {
				t.Errorf("seats of %s are held for nobody: %s, %v", order, now.Status, err)
			}
		}
	})
}

// slowly is a supplier that receives a request only some time after it was sent.
type slowly struct {
	flight.Supplier
	asked, answer chan struct{}

	mu   sync.Mutex
	held []string
}

func (s *slowly) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	s.asked <- struct{}{}
	<-s.answer
	order, err := s.Supplier.Hold(ctx, ask)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held = append(s.held, order.ID)
	}
	return order, err
}
