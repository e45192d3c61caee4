package poll_test

import (
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// A fault of our own disk is told as one, without a path of this machine, and nobody says that the customer's
// system was silent.
func TestFaultOfOurDiskIsOurs(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	c.has(crew(strings.Repeat("A", 300<<10))) // too long for memory
	t.Setenv("TMPDIR", t.TempDir()+"/not-there")
	const want = "something went wrong on our side; the operator's log says what"
	d.set(gangway.TravellerLookupFlow, c.URL)
	if a := d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Rey"}, false); a.Error != want {
		t.Errorf("asked: %q; want %q", a.Error, want)
	}
	f := d.stored()
	if !f.Failing.IsZero() {
		t.Errorf("failing since %s; want nothing said against the customer's system", f.Failing)
	}
	if trial, err := d.poller.Try(t.Context(), d.in, f.Feed, nil, gangway.Ask{}); err != nil || trial.Error != want {
		t.Errorf("tried: %q, %v; want %q", trial.Error, err, want)
	}
	d.set(gangway.TravellersFlow, c.URL)
	d.fails(want)
}
