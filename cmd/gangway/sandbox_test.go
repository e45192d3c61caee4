package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/sandbox"
	"gangway/internal/gangway"
)

// TestSandbox: what an integrator does at a terminal is pushed and pulled by servers beside it, which go by the
// account's clock; signatures keep real time.
func TestSandbox(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		customer := newReceiver(t, func() {})
		made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
		answer[outletSecret](t, "outlet", "set", "--name", "erp", "--url", customer.URL, "--customer", made.Customer,
			"--environment", "development", "--allow-network", "127.0.0.0/8", "--database", database)
		_, _, base := serve(t, database)
		if strings.HasPrefix(database, "postgres") {
			serve(t, database)
		}
		play := func(args ...string) sandbox.Played {
			return answer[sandbox.Played](t, append([]string{"sandbox", args[0], "--customer", made.Customer,
				"--database", database}, args[1:]...)...)
		}
		pushed := func(b sandbox.Played, want ...gangway.State) {
			t.Helper()
			eventually(t, "what was done is pushed", func() bool {
				actions, _ := customer.received(t, b.Booking)
				return len(actions) >= len(want)
			})
			if actions, _ := customer.received(t, b.Booking); !slices.Equal(actions, want) {
				t.Errorf("booking %s: %v were pushed; want %v", b.Locator, actions, want)
			}
		}

		changed := play("send", "--state", "changed")
		pushed(changed, changed.Actions...)
		held := play("send", "--state", "confirmed")
		pushed(held, gangway.Confirmed)

		// Nobody but the servers does what is due, and only the database tells them what time it is.
		db := openStore(t, database)
		_, dev, err := db.Accounts(t.Context(), made.Customer)
		must(t, err)
		in := db.In(dev.Scope())
		to, err := in.AdvanceClock(t.Context(), gangway.ByCommand("ines", "bridge"), 100*time.Hour, time.Now())
		if err == nil {
			_, err = in.MoveClock(t.Context(), to)
		}
		must(t, err)
		pushed(held, gangway.Confirmed, gangway.Cancelled)

		late := play("send", "--state", "issued")
		pushed(late, gangway.Confirmed, gangway.Issued)
		disrupted := play("disrupt", "--booking", late.Locator, "retime")
		pushed(late, gangway.Confirmed, gangway.Issued, gangway.ChangePending)
		if !slices.Equal(disrupted.Actions, []gangway.State{gangway.ChangePending}) {
			t.Errorf("disrupt made %v; want change_pending", disrupted.Actions)
		}
		customer.mu.Lock()
		if got := customer.pushes[len(customer.pushes)-1].ahead; got < 99*time.Hour {
			t.Errorf("an action is %s later than its signature; want about 100h: only the action is by the account's "+
				"clock", got)
		}
		customer.mu.Unlock()

		_, doc, err := call(http.MethodGet, base+"/bookings?pull=all", made.Development.APIKey, nil)
		must(t, err)
		list, err := readBookings(doc)
		if err != nil || len(list) != 3 {
			t.Fatalf("%d bookings were pulled, %v; want 3", len(list), err)
		}
		for _, b := range list {
			if actions, _ := customer.received(t, b.ID); !slices.Equal(b.actions(), actions) {
				t.Errorf("booking %s: %v were pulled and %v pushed", b.Locator, b.actions(), actions)
			}
		}
	})
}
