package bookings

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// What the history says of a delivery is of its present webhook-id, and only what is tried again by itself fails.
func TestDeliveryWords(t *testing.T) {
	push := gangway.Transport{Kind: gangway.EndpointTransport}
	refused := store.Attempt{At: time.Unix(1, 0), Status: 500}
	accepted := store.Attempt{At: time.Unix(1, 0), Status: 200}
	place := gangway.DeliveryPlace{Seq: 1, First: 1, Tries: 2}
	for _, tt := range []struct {
		name   string
		status store.DeliveryStatus
		outlet gangway.Outlet
		want   deliveryRow
	}{
		{"refused", store.DeliveryStatus{State: "due", Last: refused, Place: place}, gangway.Outlet{},
			deliveryRow{State: "failing", Words: "2 tries so far", Answer: "answered 500 Internal Server Error"}},
		{"refused, and paused", store.DeliveryStatus{State: "due", Last: refused, Place: place},
			gangway.Outlet{Paused: true}, deliveryRow{State: "waiting",
				Words: "2 tries so far; the outlet is paused", Answer: "answered 500 Internal Server Error"}},
		{"refused, and switched off", store.DeliveryStatus{State: "due", Last: refused, Place: place},
			gangway.Outlet{Off: true}, deliveryRow{State: "waiting",
				Words: "2 tries so far; the outlet is switched off", Answer: "answered 500 Internal Server Error"}},
		{"replayed", store.DeliveryStatus{State: "due", Before: accepted}, gangway.Outlet{},
			deliveryRow{State: "waiting", Words: "waiting; accepted before"}},
		{"parked, and replayed", store.DeliveryStatus{State: "due", Before: refused}, gangway.Outlet{},
			deliveryRow{State: "waiting", Words: "waiting"}},
		{"left out", store.DeliveryStatus{State: "done", Last: refused}, gangway.Outlet{},
			deliveryRow{State: "left out", Words: "left out by its mapping"}},
	} {
		tt.outlet.Name, tt.outlet.Transport = "erp", push
		got := deliveryWords(tt.status, tt.outlet, time.Unix(2, 0))
		if got.State != tt.want.State || got.Words != tt.want.Words || got.Answer != tt.want.Answer {
			t.Errorf("%s: it is %q, %q, %q; want %q, %q, %q", tt.name, got.State, got.Words, got.Answer, tt.want.State,
				tt.want.Words, tt.want.Answer)
		}
	}
}
