package settings_test

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

	"gangway"
	"gangway/internal/deliver"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/web/app/apptest"
)

// TestTroubles pushes a booking to a customer whose system is broken, and then
// gone: an admin reads it on every page, until it is well again.
func TestTroubles(t *testing.T) {
	s := apptest.NewSite(t)
	var status atomic.Int32
	status.Store(http.StatusInternalServerError)
	asked := make(chan struct{}, 100)
	theirs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(int(status.Load()))
		asked <- struct{}{}
	}))
	defer theirs.Close()
	if _, err := apptest.Production(s).SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
		storetest.PushTo(theirs.URL), []string{deliver.NewSecret()}, apptest.Today.Add(-48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	s.SignedIn(t, gangway.Booker).Booked("fare=marine")

	// push delivers at a time of the past, until the outlet stands as told.
	push := func(at time.Time, stands func(gangway.Outlet) bool) {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		d := deliver.New(deliver.Config{
			DB: s.DB, Now: func() time.Time { return at }, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
			Kinds: kinds.Outlets, Options: transport.Options{
				Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		})
		done := make(chan struct{})
		go func() { defer close(done); d.Run(ctx) }()
		for {
			outlets, err := apptest.Production(s).Outlets(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if stands(outlets[0]) {
				break
			}
			select {
			case <-asked:
			case <-time.After(20 * time.Millisecond):
			case <-ctx.Done():
				t.Fatalf("the outlet stands %+v", outlets[0])
			}
		}
		stop()
		<-done
	}
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get("/").Lacks("notice act")

	push(apptest.Today, func(o gangway.Outlet) bool { return !o.FailingSince.IsZero() })
	admin.Get("/").Lacks("notice act")

	status.Store(http.StatusGone)
	push(apptest.Today.Add(time.Hour), func(o gangway.Outlet) bool { return o.Off })
	admin.Get("/hotels").Has("Bookings are not delivered to "+theirs.URL, "410", "nothing is lost")
	s.SignedIn(t, gangway.Booker).Get("/").Lacks("Bookings are not delivered")

	status.Store(http.StatusOK)
	if _, err := apptest.Production(s).SetOutlet(t.Context(), storetest.Operator,
		gangway.DefaultOutlet, storetest.PushTo(theirs.URL), nil, apptest.Today); err != nil {
		t.Fatal(err)
	}
	push(apptest.Today.Add(2*time.Hour), func(o gangway.Outlet) bool { return !o.Off && o.FailingSince.IsZero() })
	admin.Get("/").Lacks("notice act")
}
