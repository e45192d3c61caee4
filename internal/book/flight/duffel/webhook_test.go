package duffel_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/gangway"
)

// Only recent webhooks with Duffel's signature are accepted.
func TestWebhook(t *testing.T) {
	const secret = "whsec_of_this_test"
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	body := []byte(`{"id":"wev_1","api_version":"v2","type":"order.created","data":{"object":{"order_id":"ord_1","offer_id":"off_1","metadata":{"reference":"r1"}}},"live_mode":true,"idempotency_key":"ord_1","created_at":"2026-11-02T08:59:58.123456Z"}`)
	good := duffeltest.Sign(secret, now.Unix(), body)
	tests := []struct {
		name, secret, signature string
		body                    []byte
		want                    gangway.Kind
	}{
		{"signed just now", secret, good, body, gangway.NoError},
		{"a clock that is a little behind", secret, duffeltest.Sign(secret, now.Add(-4*time.Minute).Unix(), body), body,
			gangway.NoError},
		{"a clock that is a little ahead", secret, duffeltest.Sign(secret, now.Add(4*time.Minute).Unix(), body), body,
			gangway.NoError},
		{"another secret", "whsec_of_another", good, body, gangway.Denied},
		{"no secret configured", "", duffeltest.Sign("", now.Unix(), body), body, gangway.Denied},
		{"another body", secret, good, []byte(strings.Replace(string(body), "off_1", "off_2", 1)), gangway.Denied},
		{"an old one, replayed", secret, duffeltest.Sign(secret, now.Add(-6*time.Minute).Unix(), body), body,
			gangway.Denied},
		{"one from the future", secret, duffeltest.Sign(secret, now.Add(6*time.Minute).Unix(), body), body,
			gangway.Denied},
		{"another time than the signed one", secret, strings.Replace(good, "t=1", "t=2", 1), body, gangway.Denied},
		{"no signature", secret, "", body, gangway.Denied},
		{"half a signature", secret, "t=1793610000", body, gangway.Denied},
		{"a malformed signature", secret, "t=1793610000,v1=zz", body, gangway.Denied},
		{"signed, but not an event", secret, duffeltest.Sign(secret, now.Unix(), []byte("[]")), []byte("[]"),
			gangway.Invalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := duffel.Webhook(tt.secret, tt.signature, tt.body, now)
			if tt.want != gangway.NoError {
				refused(t, tt.want)(nil, err)
				return
			}
			if err != nil || e.ID != "wev_1" || e.Key != "ord_1" || e.Type != duffel.OrderCreated || !e.Live ||
				e.Order != "ord_1" || e.Offer != "off_1" || e.Reference != "r1" || e.At.IsZero() {
				t.Fatalf("Webhook = %+v, %v", e, err)
			}
		})
	}
}

// listen subscribes to Duffel's webhooks and returns the events in order.
func (b *buyer) listen(t *testing.T, events ...string) <-chan duffel.Event {
	t.Helper()
	heard := make(chan duffel.Event, 10)
	var secret string
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := must(io.ReadAll(r.Body))(t)
		e := must(duffel.Webhook(secret, r.Header.Get("X-Duffel-Signature"), body, b.time()))(t)
		heard <- e
	}))
	t.Cleanup(receiver.Close)
	secret = b.duffel.Subscribe(receiver.URL, events...)
	return heard
}

// Events from Duffel settle orders and point to those that have changed.
func TestHeard(t *testing.T) {
	t.Run("an order that could not be made is certain not to exist", func(t *testing.T) {
		b := newBuyer(t)
		heard := b.listen(t, duffel.CreationFailed, duffel.OrderCreated)
		o := b.offer(t, "MNL", "AMS", "Flex")
		b.duffel.Fail(duffeltest.CreateOrder, duffeltest.PendingLost)
		refused(t, gangway.Unavailable)(b.Hold(t.Context(), holdAsk(o, "r1")))
		refused(t, gangway.Unavailable)(b.Find(t.Context(), "r1"))
		b.duffel.Settle()
		e := <-heard
		for range 2 { // events may arrive twice
			if id, err := b.Heard(t.Context(), e); err != nil || id != "duffel-order-r1" {
				t.Fatalf("Heard = %q, %v", id, err)
			}
		}
		refused(t, gangway.NotFound)(b.Find(t.Context(), "r1"))
	})
	t.Run("an order that could not be made can be bought again while its offer is valid", func(t *testing.T) {
		b := newBuyer(t)
		heard := b.listen(t, duffel.CreationFailed)
		order := b.held(t, "r1", "Basic")
		b.duffel.Fail(duffeltest.CreateOrder, duffeltest.PendingLost)
		refused(t, gangway.Unavailable)(b.Issue(t.Context(), order.ID, order.Price.Total))
		b.duffel.Settle()
		e := <-heard
		e.Reference = "" // its offer is enough
		must(b.Heard(t.Context(), e))(t)
		b.wantStatus(t, order.ID, flight.Held)
	})
	t.Run("an order that was made in the end is found", func(t *testing.T) {
		b := newBuyer(t)
		heard := b.listen(t, duffel.OrderCreated)
		o := b.offer(t, "MNL", "AMS", "Flex")
		b.duffel.Fail(duffeltest.CreateOrder, duffeltest.PendingMade)
		refused(t, gangway.Unavailable)(b.Hold(t.Context(), holdAsk(o, "r1")))
		b.duffel.Settle()
		id := must(b.Heard(t.Context(), <-heard))(t)
		b.wantStatus(t, id, flight.Held)
	})
	t.Run("an airline's change names its order", func(t *testing.T) {
		b := newBuyer(t)
		heard := b.listen(t, duffel.OrderChanged)
		order := b.ticketed(t, "r1", "Flex")
		b.disrupt(t, order.ID, 5*time.Hour)
		id, err := b.Heard(t.Context(), <-heard)
		if err != nil || id != order.ID {
			t.Fatalf("Heard = %q, %v; want %q", id, err, order.ID)
		}
	})
	t.Run("an unrelated failure changes nothing", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Flex")
		must(b.Heard(t.Context(), duffel.Event{Type: duffel.CreationFailed, Offer: "off_other",
			Reference: "r1"}))(t)
		b.wantStatus(t, order.ID, flight.Held)
		refused(t, gangway.NotFound)(b.Heard(t.Context(),
			duffel.Event{Type: duffel.CreationFailed, Offer: "off_other"}))
		refused(t, gangway.NotFound)(b.Heard(t.Context(), duffel.Event{Type: duffel.OrderCreated, Order: "ord_other"}))
	})
}
