package plan_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// kept requests for everybody the flight whose seats are kept longest.
func (p *port) kept(t *testing.T) (asks []book.BookAsk) {
	t.Helper()
	_, desk := p.process(p.sells)
	best := map[int]flight.Offer{}
	done(t, desk.Search(t.Context(), p.in, p.search, func(f book.FoundOffers) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, o := range f.Offers {
			if o.TicketBy.After(best[f.Member].TicketBy) {
				best[f.Member] = o
			}
		}
	}))
	for i := range p.search.Members {
		asks = append(asks, book.BookAsk{ID: book.NewID(), Search: p.search.ID, Member: i, Offer: best[i].ID,
			Price: best[i].Price.Total})
	}
	return asks
}

// seated books everybody.
func (p *port) seated(t *testing.T) (list []gangway.Booking) {
	t.Helper()
	_, desk := p.process(p.sells)
	for _, ask := range p.kept(t) {
		list = append(list, must(desk.Book(t.Context(), p.in, p.booker, ask))(t))
	}
	return list
}

// later has everybody of the port, who is booked as list says, fly some days later instead.
func (p *port) later(t *testing.T, list []gangway.Booking) (asks []book.MoveAsk) {
	t.Helper()
	ends := p.quotes(t, book.ActRelease, list)
	p.search.ID, p.search.Members = book.NewID(), slices.Clone(p.search.Members)
	for i := range p.search.Members {
		p.search.Members[i].Legs = []gangway.Leg{{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-06"}}
	}
	done(t, p.in.SaveSearch(t.Context(), p.search))
	for i, ask := range p.kept(t) {
		asks = append(asks, book.MoveAsk{ID: ask.ID, Way: book.WayAnew, Booking: list[i].ID, Terms: ends[i].Terms,
			New: &ask})
	}
	return asks
}

// live are the bookings of the port that stand, by person.
func (p *port) live(t *testing.T) map[string][]gangway.Booking {
	t.Helper()
	list, _, err := p.in.Bookings(t.Context(), store.BookingQuery{Live: true})
	done(t, err)
	by := map[string][]gangway.Booking{}
	for _, b := range list {
		by[b.Passenger.FirstName] = append(by[b.Passenger.FirstName], b)
	}
	return by
}

// TestMoves holds what is promised of a run that changes what many people have booked.
func TestMoves(t *testing.T) {
	const day = gangway.Date("2026-12-05")
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("submitted twice at two replicas, of which one dies in the middle, everybody has one seat, the new one",
			func(t *testing.T) {
				p := newPort(t, db, 4)
				asks := p.later(t, p.seated(t))
				hung, ends := make(chan struct{}, 4), make(chan struct{})
				t.Cleanup(func() { close(ends) })
				stopped := func() time.Time { return began }
				dead, _ := p.processAt(stopped, p.through("hold", func(n int64, call func() (flight.Order,
					error)) (flight.Order, error) {
					order, err := call()
					if n > 1 {
						hung <- struct{}{}
						<-ends
						return flight.Order{}, gangway.Errorf(gangway.Unavailable, "nobody listens any more")
					}
					return order, err
				}))
				id := book.NewID()
				done(t, dead.Move(t.Context(), p.in, p.booker, id, "", asks))
				p.settled(t, dead, id, 1)
				for range 3 {
					<-hung
				}
				bs, desk := p.process(p.sells)
				done(t, bs.Move(t.Context(), p.in, p.booker, id, "", asks))
				p.ahead.Add(int64(20 * time.Second)) // the dead one's leases end
				done(t, bs.TakeUp(t.Context()))
				p.settled(t, bs, id, 4)
				for range 3 {
					p.ahead.Add(int64(4 * time.Minute))
					done(t, desk.Tick(t.Context()))
				}
				b := must(bs.Batch(t.Context(), p.in, id))(t)
				for i, item := range b.Items {
					if b.Act != plan.Moves || item.State != store.ItemDone || item.Way != book.WayAnew ||
						item.Made == nil || item.Made.Replaces.Open() || item.Terms != asks[i].Terms {
						t.Errorf("%+v; want it done, and settled", item)
					}
				}
				for who, list := range p.live(t) {
					if len(list) != 1 || gangway.DateOf(list[0].Itinerary.Arrival()) < day {
						t.Errorf("%s has %d bookings, arriving %s; want one, the new one", who, len(list),
							list[0].Itinerary.Arrival())
					}
				}
				if n := len(p.live(t)); n != 4 {
					t.Errorf("%d have seats; want all", n)
				}
			})
		t.Run("a hold that the airline never received is asked for again, and then ends the old one",
			func(t *testing.T) {
				p := newPort(t, db, 2)
				asks := p.later(t, p.seated(t))
				bs, desk := p.process(p.lost(1))
				id := book.NewID()
				done(t, bs.Move(t.Context(), p.in, p.booker, id, "", asks))
				p.settled(t, bs, id, 2)
				for range 3 {
					p.ahead.Add(int64(20 * time.Second))
					done(t, desk.Tick(t.Context()))
					done(t, bs.TakeUp(t.Context()))
					p.settled(t, bs, id, 2)
				}
				for who, list := range p.live(t) {
					if len(list) != 1 || gangway.DateOf(list[0].Itinerary.Arrival()) < day {
						t.Errorf("%s has %d bookings, arriving %s; want one, the new one", who, len(list),
							list[0].Itinerary.Arrival())
					}
				}
			})
		t.Run("what was begun is finished after an hour, by whoever, and nothing else begins", func(t *testing.T) {
			p := newPort(t, db, 2)
			asks := p.later(t, p.seated(t))
			dead, desk := p.process(p.through("hold", func(_ int64, call func() (flight.Order, error)) (flight.Order,
				error) {
				call()
				return flight.Order{}, gangway.Errorf(gangway.Unavailable, "the line broke")
			}))
			if _, err := desk.Move(t.Context(), p.in, p.booker, asks[0]); gangway.KindOf(err) != gangway.Unavailable {
				t.Fatal(err)
			}
			gone, end := context.WithCancel(t.Context())
			end()
			dead.Run(gone) // it has stopped working
			id := book.NewID()
			done(t, dead.Move(t.Context(), p.in, p.booker, id, "", asks))
			must(db.UpdateUser(t.Context(), storetest.Operator, p.booker.Customer, p.booker.Email,
				gangway.UserDisabled, began, func(u *gangway.User, _ []gangway.User) error {
					u.Disabled = true
					return nil
				}))(t)
			p.ahead.Add(int64(2 * time.Hour))
			bs, next := p.process(p.sells)
			done(t, next.Tick(t.Context()))
			done(t, bs.TakeUp(t.Context()))
			b := p.settled(t, bs, id, 2)
			done(t, next.Tick(t.Context()))
			if b.Items[0].State != store.ItemDone || b.Items[1].State != store.ItemRefused || !b.Items[1].Unbegun {
				t.Errorf("%+v; want the first done and the second not begun", b.Items)
			}
			for who, list := range p.live(t) {
				anew := gangway.DateOf(list[0].Itinerary.Arrival()) >= day
				if len(list) != 1 || anew != strings.HasSuffix(who, "A") {
					t.Errorf("%s has %d bookings, arriving %s", who, len(list), list[0].Itinerary.Arrival())
				}
			}
		})
	})
}
