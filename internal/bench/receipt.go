package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/wire"
)

// The load under which receipts are measured: the number of customers, and how often an action
// happens among all of them.
const (
	receivers   = 50
	actionEvery = 10 * time.Millisecond
)

// loopback are the operator's settings with which the receivers here are called.
var loopback = transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

// measureReceipt compares how long an action takes from its commit to the customer's system with how long the same
// document takes there that was just put on disk, as one row, and is then posted; each at 100 a second, in turns. How
// long a POST takes that no row comes before is told beside it.
func measureReceipt(ctx context.Context, p place, s scale) ([]line, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := newReceiver()
	if err != nil {
		return nil, err
	}
	defer r.server.Close()
	db, _, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	bookings, err := prepareBookings(ctx, db, r.address, s.actions)
	if err != nil {
		return nil, err
	}
	url, err := p.fresh(ctx)
	if err != nil {
		return nil, err
	}
	bare, err := newBareLog(ctx, url)
	if err != nil {
		return nil, err
	}
	defer bare.close()

	delivering := sync.WaitGroup{}
	delivering.Go(func() {
		deliver.New(deliver.Config{DB: db, Kinds: kinds.Outlets, Options: loopback, Now: time.Now,
			Log: slog.New(slog.DiscardHandler)}).Run(ctx)
	})
	defer delivering.Wait()
	defer cancel()

	var floor, posts, ours []time.Duration
	turn := time.NewTicker(actionEvery)
	defer turn.Stop()
	var working sync.WaitGroup
	var mu sync.Mutex
	var failed error
	measure := func(times *[]time.Duration, id string, do func() (since time.Time, err error)) {
		came := r.expect(id)
		since, err := do()
		var at time.Time
		if err == nil {
			select {
			case at = <-came:
			case <-time.After(20 * time.Second):
				err = fmt.Errorf("%s never came", id)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = err
			return
		}
		*times = append(*times, max(0, at.Sub(since)))
	}
	for _, b := range bookings {
		<-turn.C
		working.Go(func() {
			measure(&ours, b.ID, func() (time.Time, error) {
				_, err := b.in.CreateBooking(ctx, b.ID, b.Booking, b.action)
				return time.Now(), err
			})
		})
		time.Sleep(actionEvery / 3)
		working.Go(func() {
			measure(&posts, "posted "+b.ID, func() (time.Time, error) {
				since := time.Now()
				return since, r.post(ctx, "posted "+b.ID, b.document)
			})
		})
		time.Sleep(actionEvery / 3)
		working.Go(func() {
			measure(&floor, "bare "+b.ID, func() (time.Time, error) {
				if err := bare.keep(ctx, b.ID, b.document); err != nil {
					return time.Time{}, err
				}
				since := time.Now()
				return since, r.post(ctx, "bare "+b.ID, b.document)
			})
		})
	}
	working.Wait()
	if failed != nil {
		return nil, failed
	}
	lines := []line{
		receiptLine("commit to receipt, p50", 2, 3*time.Millisecond, median(floor), median(ours)),
		receiptLine("commit to receipt, p99", 3, 30*time.Millisecond, quantile(floor, 0.99), quantile(ours, 0.99)),
	}
	for i, alone := range []time.Duration{median(posts), quantile(posts, 0.99)} {
		lines[i].spread += fmt.Sprintf("; a POST without a row %s, of which ours is %.1f times", short(alone),
			float64(lines[i].ours)/float64(alone))
	}
	return lines, nil
}

// receiptLine compares two waits: ours may be so many times the floor. What we aim at stands beside it.
func receiptLine(measure string, times float64, aim, floor, ours time.Duration) line {
	return line{measure: measure, floor: floor, ours: ours, ratio: float64(ours) / float64(floor), target: times,
		atMost: true, spread: "aim " + short(aim)}
}

// A prepared booking only has to be committed.
type prepared struct {
	gangway.Booking
	in       store.Scoped
	action   gangway.Action
	document []byte // as it will be pushed
}

// prepareBookings makes customers with an outlet each, and bookings for them.
func prepareBookings(ctx context.Context, db *store.DB, address string, n int) ([]prepared, error) {
	setter := deliver.Setter{Kinds: kinds.Outlets, Options: loopback, Now: time.Now}
	list := make([]prepared, n)
	var accounts []store.Scoped
	for i := range receivers {
		_, account, err := db.CreateCustomer(ctx, operator, fmt.Sprintf("Customer %d", i), time.Now())
		if err != nil {
			return nil, err
		}
		in := db.In(account.Scope())
		if _, err := setter.Set(ctx, in, operator, gangway.DefaultOutlet,
			deliver.PostTo(fmt.Sprintf("%s/%d", address, i))); err != nil {
			return nil, err
		}
		accounts = append(accounts, in)
	}
	for i := range list {
		var err error
		if list[i], err = prepareBooking(ctx, accounts[i%len(accounts)], i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func prepareBooking(ctx context.Context, in store.Scoped, i int) (b prepared, err error) {
	b.in, b.Booking = in, benchBooking(i)
	if b.action, err = b.Move(gangway.Book, b.CreatedBy, b.CreatedAt); err != nil {
		return b, err
	}
	if b.document, err = wire.Booking(b.Booking, []gangway.Action{b.action}); err != nil {
		return b, err
	}
	intent := store.Intent{ID: b.ID, Booking: b.ID, Kind: "book", Doc: []byte("{}"), CreatedAt: b.CreatedAt,
		Lease: b.CreatedAt}
	return b, in.BeginBooking(ctx, intent, store.Hold{Search: b.ID})
}

// benchBooking is a booking of ordinary size: two flights, baggage, metadata.
func benchBooking(i int) gangway.Booking {
	leaves := time.Now().Add(10 * 24 * time.Hour).Truncate(time.Minute)
	member := crewMember(i)
	return gangway.Booking{
		ID: fmt.Sprintf("booking%06d", i), Locator: fmt.Sprintf("%06d", i), CreatedAt: time.Now(),
		CreatedBy: "ana@example.com", CreatedByName: "Ana Lindqvist",
		Passenger: member,
		PricedItinerary: gangway.PricedItinerary{
			Itinerary: gangway.Itinerary{Segments: []gangway.Segment{
				{Carrier: "EK", FlightNumber: "EK333", Origin: "MNL", Destination: "DXB", Departure: leaves,
					Arrival: leaves.Add(9 * time.Hour), Cabin: gangway.Economy},
				{Carrier: "EK", FlightNumber: "EK147", Origin: "DXB", Destination: "AMS",
					Departure: leaves.Add(12 * time.Hour), Arrival: leaves.Add(19 * time.Hour), Cabin: gangway.Economy},
			}},
			Baggage: []gangway.Allowance{{Origin: "MNL", Destination: "AMS", Pieces: 2, WeightKg: 23}},
			Terms: gangway.Terms{FareType: gangway.Marine, Cancellations: gangway.Refundable,
				Changes: gangway.FreeChange},
			Price: gangway.Price{Total: gangway.Money{Minor: 48205, Currency: "USD"}},
		},
		Purpose: gangway.Purpose{Side: gangway.OnSigner, Airport: "AMS", Vessel: "Nordlys", Flag: "NO",
			TravelRequestID: "CC-7"},
	}
}

// A receiver stands for all customers' systems: it records when a document arrives.
type receiver struct {
	address string
	server  *http.Server
	client  http.Client
	mu      sync.Mutex
	waiting map[string]chan time.Time
}

func newReceiver() (*receiver, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{address: "http://" + listener.Addr().String(), waiting: map[string]chan time.Time{}}
	r.client.Transport = &http.Transport{MaxIdleConnsPerHost: 64}
	r.server = &http.Server{Handler: r}
	go r.server.Serve(listener)
	return r, nil
}

// ServeHTTP receives a document and sends an empty answer.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	at, id := time.Now(), req.Header.Get("X-Bare")
	if id == "" {
		_, rest, _ := bytes.Cut(body, []byte(`"id":"booking`))
		id = "booking" + string(rest[:6])
	}
	r.mu.Lock()
	came := r.waiting[id]
	delete(r.waiting, id)
	r.mu.Unlock()
	if came != nil {
		came <- at
	}
	w.WriteHeader(http.StatusNoContent)
}

// expect returns a channel for the time at which the document of id arrives.
func (r *receiver) expect(id string) <-chan time.Time {
	came := make(chan time.Time, 1)
	r.mu.Lock()
	r.waiting[id] = came
	r.mu.Unlock()
	return came
}

// post posts a document with nothing around it.
func (r *receiver) post(ctx context.Context, id string, document []byte) error {
	req, err := http.NewRequestWithContext(ctx, "POST", r.address, bytes.NewReader(document))
	if err != nil {
		return err
	}
	req.Header.Set("X-Bare", id)
	res, err := r.client.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}
