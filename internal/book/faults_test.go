package book_test

import (
	"sync"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// wants returns a counter and a request for the cheapest refundable marine fare.
func wants(t *testing.T, db *store.DB) (*counter, book.BookAsk) {
	t.Helper()
	c := open(t, db)
	s := c.search(t, 1)
	return c, c.ask(s, c.offer(t, s, marine))
}

// TestLostHolds checks that nothing is held twice and nothing is forgotten, wherever the connection to the supplier
// breaks; TestStories has what happens to bookings.
func TestLostHolds(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("a hold whose answer was lost becomes the booking", func(t *testing.T) {
			c, ask := wants(t, db)
			c.line.Fail("hold", flighttest.LostAfter)
			refused(t, gangway.Unavailable)(c.Book(t.Context(), c.in, c.booker, ask))
			other := ask
			other.ID = book.NewID()
			refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, other))
			done(t, c.Tick(t.Context()))
			c.wantLog(t, ask.ID, "confirmed ana")
			done(t, once("hold")(t, c, gangway.Booking{}))
		})
		t.Run("a hold that never arrived is given up, and can be requested again", func(t *testing.T) {
			c, ask := wants(t, db)
			c.line.Fail("hold", flighttest.LostBefore)
			refused(t, gangway.Unavailable)(c.Book(t.Context(), c.in, c.booker, ask))
			done(t, c.Tick(t.Context()))
			if i := must(c.in.Intent(t.Context(), ask.ID))(t); i.Open || i.Outcome == store.Done || i.Outcome == "" {
				t.Fatalf("intent = %+v; want it closed and a reason", i)
			}
			ask.ID = book.NewID()
			must(c.Book(t.Context(), c.in, c.booker, ask))(t)
		})
		t.Run("an airline that cannot answer yet is asked again until it can", func(t *testing.T) {
			c, ask := wants(t, db)
			c.line.Fail("hold", flighttest.Slow)
			refused(t, gangway.Unavailable)(c.Book(t.Context(), c.in, c.booker, ask))
			for range 5 {
				c.clock.forward(time.Minute)
				done(t, c.Tick(t.Context()))
			}
			refused(t, gangway.NotFound)(c.in.Booking(t.Context(), ask.ID))
			c.line.Settle()
			c.clock.forward(10 * time.Minute)
			done(t, c.Tick(t.Context()))
			c.wantLog(t, ask.ID, "confirmed ana")
		})
		t.Run("a process that wakes up after its hold was given up releases the seats", func(t *testing.T) {
			c, ask := wants(t, db)
			asleep := false
			c.line.Through = func(name, _ string, call func() (flight.Order, error)) (flight.Order, error) {
				if name == "find" && asleep {
					return flight.Order{}, gangway.Errorf(gangway.NotFound, "no order yet")
				}
				order, err := call()
				if name == "hold" { // meanwhile another process finds no order and gives up
					asleep = true
					c.clock.forward(time.Minute)
					done(t, c.Tick(t.Context()))
					asleep = false
				}
				return order, err
			}
			refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, ask))
			if order := must(c.line.Find(t.Context(), ask.ID))(t); order.Status != flight.Withdrawn {
				t.Fatalf("the order is %s; want it withdrawn", order.Status)
			}
		})
		t.Run("a panic while its answer is read leaves it to follow-up", func(t *testing.T) {
			c, ask := wants(t, db)
			done(t, answer("hold", func(*flight.Order) error { panic("a reader is wrong") })(t, c, gangway.Booking{}))
			done(t, panics(func(t *testing.T, c *counter, _ gangway.Booking) error {
				return second(c.Book(t.Context(), c.in, c.booker, ask))
			})(t, c, gangway.Booking{}))
			c.clock.forward(time.Minute)
			done(t, c.Tick(t.Context()))
			c.wantLog(t, ask.ID, "confirmed ana")
		})
	})
}

// TestRepeatedForm checks that a form sent again while its booking is being made
// is answered with that booking, whatever has happened meanwhile.
func TestRepeatedForm(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c, ask := wants(t, db)
		asked, let := make(chan struct{}, 10), make(chan struct{})
		c.line.Through = func(name, _ string, call func() (flight.Order, error)) (flight.Order, error) {
			if name == "hold" {
				asked <- struct{}{}
				<-let
			}
			return call()
		}
		locators, errs := make([]string, 7), make([]error, 7)
		var wait sync.WaitGroup
		send := func(i int) {
			wait.Go(func() {
				again := ask
				if i == 6 {
					again.Price.Minor++ // the price has moved since
				}
				var b gangway.Booking
				b, errs[i] = c.Book(t.Context(), c.in, c.booker, again)
				locators[i] = b.Locator
			})
		}
		send(0)
		<-asked
		for i := 1; i < len(errs); i++ {
			send(i)
		}
		close(let)
		wait.Wait()
		for i, err := range errs {
			if err != nil || locators[i] != locators[0] || locators[i] == "" {
				t.Errorf("form %d is answered %q, %v; want the booking %s", i, locators[i], err, locators[0])
			}
		}
		if len(asked) != 0 {
			t.Errorf("the airline was asked %d more times; want one hold only", len(asked))
		}
	})
}

// TestRepeatedFormOfWhatIsPutOff checks that a form sent again does not wait for the
// next time the airline is asked, which is minutes away by then.
func TestRepeatedFormOfWhatIsPutOff(t *testing.T) {
	c, ask := wants(t, storetest.New(t))
	c.line.Through = func(string, string, func() (flight.Order, error)) (flight.Order, error) {
		return flight.Order{}, gangway.Errorf(gangway.Unavailable, "the line is dead")
	}
	for range 3 {
		refused(t, gangway.Unavailable)(c.Book(t.Context(), c.in, c.booker, ask))
		c.clock.forward(30 * time.Minute)
		done(t, c.Tick(t.Context()))
	}
}
