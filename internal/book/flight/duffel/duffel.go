// Package duffel sells real flights through Duffel's API, version 2, behind the same port
// as the simulated network.
//
// Duffel has no idempotency keys. So what is about to be done is written into the ledger
// before Duffel is called; each order, payment, cancellation and change is requested once
// and never again; and if the answer is missing, the seller looks up the outcome.
//
// An offer that must be paid at once cannot be held. Hold then prices it again and keeps it
// in the ledger until it expires, and Issue makes the order and pays for it in one step.
// Nothing is bought before somebody agrees to pay.
package duffel

import (
	"cmp"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/world"

	"golang.org/x/sync/singleflight"
)

// Name is the supplier's name as stored with bookings.
const Name = "duffel"

// BaseURL is the address of Duffel's API.
const BaseURL = "https://api.duffel.com"

// Config says how to reach Duffel and how much to use it. Only the token is required.
type Config struct {
	Token   string
	BaseURL string           // empty: Duffel's own
	Client  *http.Client     // nil: one of our own; redirects are not followed either way
	Now     func() time.Time // nil: time.Now
	Log     *slog.Logger     // nil: slog.Default
	Phone   string           // E.164, for passengers without a phone number of their own
	Pay     string           // what orders are paid with; empty: "balance"
	Factors *world.Factors   // for emissions that Duffel does not state; nil: those embedded in the program

	// Watch is told of each call that was sent, with the status of its answer, 0 if there was none; nil: nobody is.
	Watch func(method, path string, status int, took time.Duration)

	// Beyond a number of searches for each booking, Duffel charges for each search.
	Searches int           // most searches at Duffel for one search of ours; zero: 6
	Daily    int           // most searches for an account and day; zero: 1500
	KeepFor  time.Duration // how long an answer is reused for the same search; zero: 5 minutes

	// AirlineTime is how long airlines may take to answer a search; zero: 20 seconds.
	AirlineTime time.Duration

	// Patience is how long a call that books may take; zero: as long as Duffel asks clients to wait.
	Patience time.Duration
}

// A Duffel is one organisation's access to Duffel, under one token.
type Duffel struct {
	Config
	base   *url.URL
	client *http.Client
	phone  string
	locks  locks

	asking singleflight.Group // searches under way, by their slots

	mu     sync.Mutex
	closed time.Time // when Duffel accepts calls again
	kept   map[string]searchAnswer
}

// New returns Duffel with a token.
func New(c Config) (*Duffel, error) {
	c.BaseURL = cmp.Or(c.BaseURL, BaseURL)
	c.Pay = cmp.Or(c.Pay, "balance")
	c.Searches, c.Daily = cmp.Or(c.Searches, 6), cmp.Or(c.Daily, 1500)
	c.KeepFor, c.AirlineTime = cmp.Or(c.KeepFor, 5*time.Minute), cmp.Or(c.AirlineTime, 20*time.Second)
	c.Patience = cmp.Or(c.Patience, bookingTime)
	c.Factors = cmp.Or(c.Factors, world.DefaultFactors())
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Log = cmp.Or(c.Log, slog.Default())
	if !wellFormed(c.Token) {
		return nil, gangway.Errorf(gangway.Invalid, "a Duffel token begins with duffel_test_ or duffel_live_")
	}
	if c.AirlineTime < 2*time.Second || c.AirlineTime > time.Minute {
		return nil, gangway.Errorf(gangway.Invalid, "airlines have between 2 and 60 seconds to answer a search, not %s",
			c.AirlineTime)
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "https" && !(base.Scheme == "http" &&
		loopback(base.Hostname())) {
		return nil, gangway.Errorf(gangway.Invalid, "the address of Duffel must begin with https://")
	}
	d := &Duffel{Config: c, base: base, kept: map[string]searchAnswer{}}
	if c.Phone != "" {
		if d.phone = phoneNumber(c.Phone); d.phone == "" {
			return nil, gangway.Errorf(gangway.Invalid,
				"the phone number needs its country code, as in +31 20 555 0100")
		}
	}
	client := http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 8, IdleConnTimeout: 90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2: true,
	}}
	if c.Client != nil {
		client = *c.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	d.client = &client
	return d, nil
}

// TestToken reports whether a token is for Duffel's test mode, in which nothing is bought.
// Any other token may spend money.
func TestToken(token string) bool { return strings.HasPrefix(token, "duffel_test_") }

var tokenShape = regexp.MustCompile(`^duffel_(test|live)_[A-Za-z0-9_-]+$`)

func wellFormed(token string) bool { return tokenShape.MatchString(token) }

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// For returns the seller for the account of a ledger.
func (d *Duffel) For(ledger flight.Ledger) *Seller { return &Seller{Duffel: d, ledger: ledger} }

// A Seller is Duffel for one account: a flight.Supplier.
type Seller struct {
	*Duffel
	ledger flight.Ledger
}

var _ flight.Supplier = (*Seller)(nil)

// Name is the supplier's name.
func (s *Seller) Name() string { return Name }

// Simulated reports whether the token is for Duffel's test mode.
func (s *Seller) Simulated() bool { return TestToken(s.Token) }

// now returns the time in UTC, as offers and orders have it.
func (d *Duffel) now() time.Time { return d.Now().UTC() }

// locks makes those who work on the same order in this process wait for each other. Across
// processes the ledger's versions do that.
type locks struct {
	mu   sync.Mutex
	busy map[string]chan struct{}
}

// take waits for the lock of an order and returns what releases it.
func (t *locks) take(ctx context.Context, of string) (end func(), err error) {
	for {
		t.mu.Lock()
		busy, taken := t.busy[of]
		if !taken {
			if t.busy == nil {
				t.busy = map[string]chan struct{}{}
			}
			done := make(chan struct{})
			t.busy[of] = done
			t.mu.Unlock()
			return func() {
				t.mu.Lock()
				delete(t.busy, of)
				t.mu.Unlock()
				close(done)
			}, nil
		}
		t.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
