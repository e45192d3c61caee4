package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestReplicas runs two replicas on one PostgreSQL database and has people, programs and the clock request the same
// things from both at the same time.
func TestReplicas(t *testing.T) {
	const crew = 12
	w := newReplicaPair(t)
	w.bookTwice(w.findFlights(crew))

	t.Run("the same form books once", func(t *testing.T) {
		eventually(t, "everybody is booked", func() bool { return len(w.bookings()) >= crew })
		var who []string
		for _, b := range w.bookings() {
			who = append(who, b.Passenger.ID)
		}
		slices.Sort(who)
		if len(slices.Compact(slices.Clone(who))) != crew || len(who) != crew {
			t.Fatalf("booked: %v; want each of %d once", who, crew)
		}
	})
	w.delivered(1)

	t.Run("scheduled work is done once", func(t *testing.T) {
		// When the last booking is due to be issued automatically: by then those with
		// less time have been issued too, or their holds have ended.
		var last time.Time
		for _, b := range w.bookings() {
			if at := b.IssueAt(); at.After(last) {
				last = at
			}
		}
		w.ahead.Store(int64(time.Until(last) + time.Second))
		w.delivered(2)
		issued := 0
		for _, b := range w.bookings() {
			history := sure(w.in.History(t.Context(), b.ID))(t)
			if len(history) != 2 || history[0].Name != gangway.Confirmed || history[1].By != gangway.System ||
				history[1].Name != b.State {
				t.Errorf("booking %s: %+v; want it booked by a person and then issued or ended by the system, once",
					b.Locator, history)
			}
			if b.State == gangway.Issued {
				issued++
			}
		}
		if issued == 0 {
			t.Error("nothing was issued by the system")
		}
	})
	t.Run("each action is pushed once, in order", func(t *testing.T) {
		for _, b := range w.bookings() {
			got, again := w.customer.received(t, b.ID)
			if want := []gangway.State{gangway.Confirmed, b.State}; again > 0 || !slices.Equal(got, want) {
				t.Errorf("booking %s: pushed %v, %d of them again; want %v once", b.Locator, got, again, want)
			}
		}
	})
	t.Run("each action is pulled once, and either replica repeats a pull of the other", func(t *testing.T) {
		docs := make([][]byte, len(w.at))
		pull := func(at addresses, name int) (doc []byte) {
			_, doc, err := call(http.MethodGet, fmt.Sprint(at.base, "/bookings?pull=", name), w.key, nil)
			if err != nil {
				t.Error(err)
			}
			return doc
		}
		var both sync.WaitGroup
		for i, at := range w.at {
			both.Go(func() { docs[i] = pull(at, i) })
		}
		both.Wait()
		pulled := map[string][]gangway.State{}
		for i, doc := range docs {
			if again := pull(w.at[1-i], i); !bytes.Equal(again, doc) {
				t.Errorf("pull %d is repeated by the other replica as %.200s; want %.200s", i, again, doc)
			}
			for _, b := range sure(readBookings(doc))(t) {
				pulled[b.ID] = append(pulled[b.ID], b.actions()...)
			}
		}
		for _, b := range w.bookings() {
			if got, want := pulled[b.ID], []gangway.State{gangway.Confirmed, b.State}; !slices.Equal(got, want) {
				t.Errorf("booking %s: pulled %v; want %v", b.Locator, got, want)
			}
		}
	})
}

// A replicaPair is two replicas with a customer, and a person signed in to each.
type replicaPair struct {
	t        *testing.T
	database string
	ahead    atomic.Int64 // how far their clock is ahead
	at       []addresses
	browsers []*browser
	in       store.Scoped
	id       string // of the customer
	key      string
	outlet   string
	customer *receiver
}

func newReplicaPair(t *testing.T) *replicaPair {
	t.Helper()
	w := &replicaPair{t: t, database: storetest.PostgresURL(t), customer: newReceiver(t, func() {})}
	var db *store.DB
	for range 2 {
		var at addresses
		at, db = replica(t, w.database, w.now)
		w.at = append(w.at, at)
		w.browsers = append(w.browsers, newBrowser(t, at.app.String()))
	}
	w.settleIn(db)
	return w
}

// settleIn makes the customer, with its outlet and a person, who signs in with each browser.
func (w *replicaPair) settleIn(db *store.DB) {
	t := w.t
	t.Helper()
	made := sure(createCustomer(t.Context(), storetest.Operator, db, "Halcyon Tankers", w.now()))(t)
	w.in, w.id, w.key = db.In(made.prod.Scope()), made.Customer, made.Production.APIKey
	storetest.Settings(t, w.in, gangway.Settings{AutoIssue: true})
	w.outlet = pushTo(t, w.in, w.customer.URL, w.now()).ID
	hire(t, db, made.Customer, ines, gangway.Booker)
	for _, b := range w.browsers {
		must(t, b.signIn(ines, tideTables))
	}
}

func (w *replicaPair) now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

// findFlights uploads a crew to one replica, searches with the other, and returns the form that books each member, at a
// fare whose price is good until its seats end, so that the system issues it.
func (w *replicaPair) findFlights(crew int) []bookForm {
	w.t.Helper()
	path := w.browsers[1].searchFor(w.t, crew, w.at[0].base.String(), w.key, w.now())
	var forms []bookForm
	for m := range crew {
		p := sure(w.browsers[m%2].open(fmt.Sprintf("%s?wait=1&bags=0&member=%d", path, m)))(w.t)
		to, fields, ok := p.form("/book")
		if !ok {
			w.t.Fatalf("member %d has no form to be booked with: %d %.500s", m, p.status, p.html)
		}
		forms = append(forms, bookForm{to, fields})
	}
	return forms
}

type bookForm struct {
	to     string
	fields url.Values
}

// bookTwice sends each form to both replicas at once.
func (w *replicaPair) bookTwice(forms []bookForm) {
	var bookers sync.WaitGroup
	for _, f := range forms {
		for _, b := range w.browsers {
			bookers.Go(func() {
				if _, err := b.send(f.to, f.fields); err != nil {
					w.t.Error(err)
				}
			})
		}
	}
	bookers.Wait()
}

func (w *replicaPair) bookings() []gangway.Booking {
	w.t.Helper()
	list, _, err := w.in.Bookings(w.t.Context(), store.BookingQuery{Limit: 1000})
	must(w.t, err)
	return list
}

// delivered waits until so many actions of each booking have been pushed.
func (w *replicaPair) delivered(each int) {
	w.t.Helper()
	eventually(w.t, fmt.Sprintf("%d actions of each booking are delivered", each), func() bool {
		return !slices.ContainsFunc(w.bookings(), func(b gangway.Booking) bool {
			got, _ := w.customer.received(w.t, b.ID)
			return len(got) < each
		})
	})
}

// replica runs one replica until the end of the test.
func replica(t *testing.T, database string, now func() time.Time) (addresses, *store.DB) {
	t.Helper()
	db := openStore(t, database)
	at, _ := serverOf(t, serverParts{db: db, delay: 10 * time.Millisecond, now: now})
	return at, db
}
