package plan_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// An item that was in progress when something broke, and that the airline never
// received, is requested again by the batch, but not forever.
func TestBatchAsksAgainForWhatWasLost(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		// lose books two people whose first n requests are lost on the way. Each is
		// followed up, and the batch taken over as often as needed.
		lose := func(t *testing.T, n int64, late time.Duration) (p *port, b outcomes, asked []string) {
			p = newPort(t, db, 2)
			asks := p.asks(t)
			lossy := &losing{Supplier: p.sells, n: n}
			bs, desk := p.process(lossy)
			id := book.NewID()
			done(t, bs.Book(t.Context(), p.in, p.booker, id, p.search, asks))
			p.settled(t, bs, id, 2)
			p.ahead.Add(int64(late))
			for range 2 * min(n+1, 6) {
				p.ahead.Add(int64(20 * time.Second))
				done(t, desk.Tick(t.Context()))
				done(t, bs.TakeUp(t.Context()))
				p.settled(t, bs, id, 2)
			}
			got := must(bs.Batch(t.Context(), p.in, id))(t)
			for _, item := range got.Items {
				b.states, b.whys = append(b.states, item.State), append(b.whys, item.Why)
				asked = append(asked, item.Booking)
			}
			return p, b, asked
		}
		t.Run("it is booked once, under a new identifier", func(t *testing.T) {
			p, b, ids := lose(t, 1, 0)
			if want := []store.ItemState{"done", "done"}; !slices.Equal(b.states, want) || p.booked(t) != 2 {
				t.Fatalf("the batch is %v with %d booked, %v; want both", b.states, p.booked(t), b.whys)
			}
			for _, id := range ids {
				if intent, err := p.in.Intent(t.Context(), id); err != nil || intent.Outcome != store.Done {
					t.Errorf("its booking's intent is %+v, %v; want it done", intent, err)
				}
			}
		})
		t.Run("an item that is lost every time is left to a person", func(t *testing.T) {
			p, b, _ := lose(t, 1000, 0)
			want := []store.ItemState{"refused", "refused"}
			if !slices.Equal(b.states, want) || p.booked(t) != 0 || b.whys[0] != book.NeverReceived {
				t.Errorf("the batch is %v, %q with %d booked; want none, and why", b.states, b.whys, p.booked(t))
			}
		})
		t.Run("an item that was interrupted too long ago is not requested again", func(t *testing.T) {
			p, b, _ := lose(t, 1, 2*time.Hour)
			if !slices.Contains(b.whys, book.NeverReceived) || p.booked(t) == 2 {
				t.Errorf("the batch is %v, %q with %d booked; want the lost item left", b.states, b.whys, p.booked(t))
			}
		})
	})
}

// outcomes are the results of all items.
type outcomes struct {
	states []store.ItemState
	whys   []string
}

// losing is a supplier that does not receive the first requests.
type losing struct {
	flight.Supplier
	n     int64
	asked atomic.Int64
}

func (l *losing) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	if l.asked.Add(1) <= l.n {
		return flight.Order{}, gangway.Errorf(gangway.Unavailable, "the line is down")
	}
	return l.Supplier.Hold(ctx, ask)
}
