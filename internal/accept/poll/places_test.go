package poll_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/accept/poll"
	"gangway/internal/store/storetest"
)

// Documents that take much memory wait for a place, one of each account; lists and short ones wait for none.
func TestDocumentsThatTakeMuchMemoryTakePlaces(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	occupied := func(account string) (leave func()) {
		t.Helper()
		leave, err := d.poller.Occupy(t.Context(), account)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	leave := occupied("a")
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := d.poller.Occupy(soon, "a"); err == nil {
		t.Error("an account has two places")
	}
	leaveOther := occupied("b")

	// All places are taken.
	filler := strings.Repeat(`{"a":"`+strings.Repeat("x", 1000)+`"},`, 2000)
	answers := func(format string) {
		c.says(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, format, filler) })
	}
	run := func(mapping string, patience time.Duration) error {
		d.later(time.Second)
		d.set(gangway.TravellersFlow, c.URL, func(f *gangway.Feed) { f.Mapping = mapping })
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		_, err := d.poller.Fetch(ctx, d.in, "crew", poll.Ask{})
		return err
	}
	answers(`[%s{"id":"1","last_name":"Reyes","first_name":"Ana"}]`)
	if err := run(".[]", time.Minute); err != nil {
		t.Errorf("a list waits: %v", err)
	}
	d.there("Ana")
	answers(`{"filler":[%s{}],"crew":[{"id":"1","last_name":"Reyes","first_name":"Bea"}]}`)
	if err := run(".crew", time.Second); err == nil {
		t.Error("an object that takes much memory does not wait")
	}
	leave()
	leaveOther()
	d.later(time.Minute)
	if err := run(".crew", time.Minute); err != nil {
		t.Errorf("an object does not get a place that is free: %v", err)
	}
	d.there("Bea")
	occupied("a")()
}
