package apptest

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
)

// A Receiver is a customer's system that bookings are pushed to. It answers with a status that may be changed; with
// 429 it asks for an hour.
type Receiver struct {
	*httptest.Server
	Status atomic.Int32
	Says   string // to everything; set it before anything is sent
}

// Receive starts a receiver that takes everything, and an outlet of a name in the site's production account that
// pushes to it.
func Receive(t *testing.T, s *Site, name string) *Receiver {
	t.Helper()
	c := &Receiver{Says: `{"said": "by the crew system"}`}
	c.Status.Store(http.StatusOK)
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.Status.Load() == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "3600")
		}
		w.WriteHeader(int(c.Status.Load()))
		_, _ = io.WriteString(w, c.Says)
	}))
	t.Cleanup(c.Close)
	Must(Production(s).SetOutlet(t.Context(), storetest.Operator, name, storetest.PushTo(c.URL),
		[]string{deliver.NewSecret()}, s.Now().Add(-48*time.Hour)))(t)
	return c
}

// Private is the networks that outlets may reach in tests.
var Private = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// Deliver delivers at a time until something is so.
func (s *Site) Deliver(t *testing.T, at time.Time, allow []netip.Prefix, until func(in store.Scoped) bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), Patience)
	defer stop()
	d := deliver.New(deliver.Config{DB: s.DB, Now: func() time.Time { return at }, Kinds: kinds.Outlets,
		Options: transport.Options{Allow: allow}, Log: slog.New(slog.DiscardHandler)})
	done := make(chan struct{})
	go func() { defer close(done); d.Run(ctx) }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !until(Production(s)) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			outlets, err := Production(s).Outlets(context.WithoutCancel(ctx))
			t.Fatalf("it did not become so; the outlets: %+v, %v", outlets, err)
		}
	}
	stop()
	<-done
}

// Outlet is the outlet of a name in the site's production account.
func (s *Site) Outlet(t *testing.T, name string) gangway.Outlet {
	t.Helper()
	return Must(Production(s).Outlet(t.Context(), name))(t)
}
