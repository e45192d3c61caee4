package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// TestParked parks an action for a customer who is unreachable for days, and delivers it by commands while replicas
// are running.
func TestParked(t *testing.T) {
	w := newReplicaPair(t)
	flags := []string{w.outlet, "--customer", w.id, "--environment", "production", "--database", w.database}
	w.customer.refusing.Store(true)
	w.bookTwice(w.findFlights(1))
	booking := w.bookings()[0].ID

	tries := int64(0)
	eventually(t, "the action is parked after three days", func() bool {
		if now := w.customer.refused.Load(); now > tries { // every day has an attempt
			tries = now
			w.ahead.Add(int64(13 * time.Hour))
		}
		list := answer[[]parkedAction](t, append([]string{"outlet", "parked"}, flags...)...)
		return len(list) > 0 && list[0].Booking == booking && list[0].Action == 1 && list[0].Status == 500 &&
			list[0].Attempts > 5
	})
	listed := answer[[]listedOutlet](t, append([]string{"outlet", "list"}, flags[1:]...)...)
	if last := listed[0].LastError; last == nil || last.Status != 500 || last.At.Before(listed[0].Failing) {
		t.Errorf("outlet list = %+v; want the last error, also when all is parked", listed[0])
	}
	refused(t, "never had action 99 of booking", append([]string{"outlet", "replay", "--booking", booking, "--action",
		"99"}, flags...)...)
	w.customer.refusing.Store(false)
	bookAlone(t, w.in, "TAKEN1")
	eventually(t, "of an outlet that accepts others it is listed what it has refused", func() bool {
		out, err := gangwayCommand(t, append([]string{"outlet", "list"}, flags[1:]...)...).Output()
		return err == nil && strings.Contains(string(out), "500") && strings.Contains(string(out), ", action 1)")
	})
	again := append([]string{"outlet", "set", "--url", listed[0].URL, "--allow-network", "127.0.0.0/8"}, flags[1:]...)
	if said := ran(t, gangwayCommand(t, again...)); !strings.Contains(said,
		"parked: gangway outlet replay default delivers what is parked again\n") {
		t.Errorf("outlet set where something is parked says %s; want what delivers it", said)
	}
	if got := answer[map[string]int](t, append([]string{"outlet", "replay"}, flags...)...); got["replayed"] < 1 {
		t.Fatalf("outlet replay = %+v; want what was parked", got)
	}
	received := func(action gangway.State) func() bool {
		return func() bool {
			actions, _ := w.customer.received(t, booking)
			return slices.Contains(actions, action)
		}
	}
	eventually(t, "the action is delivered after all", received(gangway.Confirmed))
	if list := answer[[]parkedAction](t, append([]string{"outlet", "parked"}, flags...)...); len(list) != 0 {
		t.Fatalf("parked: %+v; want nothing", list)
	}
	eventually(t, "its tries are listed, the refused ones and the one that was accepted", func() bool {
		var of []int
		for _, a := range answer[[]listedAttempt](t, append([]string{"outlet", "attempts"}, flags...)...) {
			if a.Booking == booking && a.Action == 1 {
				of = append(of, a.Status)
			}
		}
		refused := func(status int) bool { return status == 500 }
		return len(of) > 6 && of[0] < 300 && len(slices.DeleteFunc(of[1:], refused)) == 0
	})
	span := append([]string{"outlet", "replay", "--from", "2026-01-01", "--to", "2100-01-01T00:00:00Z"}, flags...)
	if got := answer[map[string]int](t, span...); got["replayed"] < 1 {
		t.Errorf("outlet replay of a span of time = %+v; want what was delivered in it", got)
	}
	tried := append([]string{"outlet", "test", "--allow-network", "127.0.0.0/8"}, flags...)
	if got := answer[outletTrial](t, tried...); !got.Accepted || !strings.Contains(got.Sent, "confirmed") {
		t.Errorf("outlet test = %+v; want the invented booking accepted", got)
	}
	w.customer.refusing.Store(true)
	refused(t, "it was not accepted: 500", tried...)
}
