package duffel_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// passenger is invented.
var passenger = gangway.Traveller{
	LastName: "Santos", FirstName: "Maria", DOB: "1990-04-30", Nationality: "PH", Gender: "F",
	DocCountry: "PH", DocNumber: "P7654321B", DocExpire: "2032-01-01", Email: "maria@example.com",
}

// A buyer is an account that buys from the model of Duffel.
type buyer struct {
	*duffel.Seller
	duffel *duffeltest.Duffel
	ledger flight.Ledger
	config duffel.Config
	log    *record

	mu  sync.Mutex
	now time.Time
}

// A record is a log that a test can read while it is being written.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func (b *buyer) time() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *buyer) forward(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

// newBuyer begins on a Monday morning. set may change the configuration.
func newBuyer(t *testing.T, set ...func(*duffel.Config)) *buyer {
	t.Helper()
	b := &buyer{now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), log: &record{}}
	b.duffel = duffeltest.New(b.time)
	server := httptest.NewServer(b.duffel)
	t.Cleanup(func() {
		server.CloseClientConnections() // a search continues after its caller has gone
		server.Close()
	})
	db := storetest.New(t)
	b.ledger = db.In(storetest.Account(t, db).Scope()).Ledger()
	b.config = duffel.Config{
		Token: duffeltest.Token, BaseURL: server.URL, Now: b.time, Phone: "+31 20 555 0100",
		Log: slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range set {
		f(&b.config)
	}
	b.open(t)
	t.Cleanup(func() {
		if text := b.log.String(); strings.Contains(text, duffeltest.Token) ||
			strings.Contains(text, passenger.DocNumber) || strings.Contains(text, passenger.LastName) {
			t.Error("the log carries a token, a passport number or a name")
		}
	})
	return b
}

// open starts the selling process anew: it knows only what is in the ledger.
func (b *buyer) open(t *testing.T) {
	t.Helper()
	d := must(duffel.New(b.config))(t)
	b.Seller = d.For(b.ledger)
}

// ask is a search between two airports, leaving in the given number of days.
func (b *buyer) ask(from, to gangway.Airport, days int) flight.Ask {
	return flight.Ask{
		Legs: []flight.Leg{{From: []flight.End{{Airport: from}}, To: []flight.End{{Airport: to}},
			Date: gangway.DateOf(b.time().AddDate(0, 0, days))}},
		Vessel: "Nordlys", Flag: "NO", MaxStops: -1,
	}
}

// find searches and returns all offers.
func (b *buyer) find(t *testing.T, ask flight.Ask) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	done(t, b.Search(t.Context(), ask, func(o []flight.Offer) { offers = append(offers, o...) }))
	return offers
}

// offer returns an offer of a brand between two airports, 30 days from now.
func (b *buyer) offer(t *testing.T, from, to gangway.Airport, brand string) flight.Offer {
	t.Helper()
	offers := b.find(t, b.ask(from, to, 30))
	i := slices.IndexFunc(offers, func(o flight.Offer) bool { return o.Terms.Brand == brand })
	if i < 0 {
		t.Fatalf("no offer of %s–%s is %s", from, to, brand)
	}
	return offers[i]
}

func holdAsk(o flight.Offer, reference string) flight.HoldAsk {
	return flight.HoldAsk{Reference: reference, Offer: o.ID, Price: o.Price.Total, Passenger: passenger,
		Contact: "desk@example.com", Vessel: "Nordlys", Flag: "NO"}
}

// hold holds an offer.
func (b *buyer) hold(t *testing.T, o flight.Offer, reference string) flight.Order {
	t.Helper()
	return must(b.Hold(t.Context(), holdAsk(o, reference)))(t)
}

// pay has the tickets of an order issued.
func (b *buyer) pay(t *testing.T, order flight.Order) flight.Order {
	t.Helper()
	o := must(b.Issue(t.Context(), order.ID, order.Price.Total))(t)
	if o.Status != flight.Ticketed {
		t.Fatalf("Issue = %s", o.Status)
	}
	return o
}

// held returns a held order.
func (b *buyer) held(t *testing.T, reference, brand string) flight.Order {
	t.Helper()
	return b.hold(t, b.offer(t, "MNL", "AMS", brand), reference)
}

// ticketed returns a ticketed order.
func (b *buyer) ticketed(t *testing.T, reference, brand string) flight.Order {
	t.Helper()
	return b.pay(t, b.held(t, reference, brand))
}

// at returns the id of an order at Duffel.
func (b *buyer) at(t *testing.T, order flight.Order) string {
	t.Helper()
	id := b.duffel.OrderWith("reference", order.Reference)
	if id == "" {
		t.Fatalf("Duffel has no order with the reference %s", order.Reference)
	}
	return id
}

// disrupt makes the airline move an order's first flights.
func (b *buyer) disrupt(t *testing.T, id string, by time.Duration) {
	t.Helper()
	o := must(b.Order(t.Context(), id))(t)
	if b.duffel.Disrupt(b.at(t, o), by) == "" {
		t.Fatalf("order %s could not be disrupted", id)
	}
}

// wantStatus fails unless the order has the status.
func (b *buyer) wantStatus(t *testing.T, id string, want flight.Status) flight.Order {
	t.Helper()
	o, err := b.Order(t.Context(), id)
	if err != nil || o.Status != want {
		t.Fatalf("Order = %s, %v; want %s", o.Status, err, want)
	}
	return o
}

// wantCalls fails unless Duffel was called so often.
func (b *buyer) wantCalls(t *testing.T, call string, want int) {
	t.Helper()
	if n := b.duffel.Calls(call); n != want {
		t.Fatalf("Duffel was called %d times to %s; want %d", n, call, want)
	}
}

// Duffel passes the suite for all suppliers.
func TestSupplier(t *testing.T) {
	flighttest.Supplier(t, func(t *testing.T) flighttest.Stage {
		b := newBuyer(t)
		return flighttest.Stage{
			Supplier: b.Seller, Now: b.time, Forward: b.forward,
			Ask:     func(days int) flight.Ask { return b.ask("MNL", "AMS", days) },
			Disturb: func(t *testing.T, order string) { b.disrupt(t, order, 2*time.Hour) },
		}
	})
}

// A configuration that cannot work is refused.
func TestNew(t *testing.T) {
	tests := []struct {
		name   string
		config duffel.Config
	}{
		{"without a token", duffel.Config{}},
		{"with a key of something else", duffel.Config{Token: "sk_live_1"}},
		{"with a token that would break a header", duffel.Config{Token: "duffel_test_a\nb"}},
		{"over an unencrypted connection", duffel.Config{Token: duffeltest.Token, BaseURL: "http://api.duffel.com"}},
		{"with a phone number without its country", duffel.Config{Token: duffeltest.Token, Phone: "020 555 0100"}},
		{"with less time than airlines need", duffel.Config{Token: duffeltest.Token, AirlineTime: time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			refused(t, gangway.Invalid)(duffel.New(tt.config))
		})
	}
	if !duffel.TestToken(duffeltest.Token) || duffel.TestToken(duffeltest.LiveToken) || duffel.TestToken("") {
		t.Error("a test token begins with duffel_test_, and no other does")
	}
}

// The token is never sent to another address.
func TestRedirect(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Error("a redirect was followed")
	}))
	defer elsewhere.Close()
	moved := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer moved.Close()
	b := newBuyer(t, func(c *duffel.Config) { c.BaseURL = moved.URL })
	refused(t, gangway.Unavailable)(nil, b.Search(t.Context(), b.ask("MNL", "AMS", 30), func([]flight.Offer) {}))
}
