package bookings_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/samplebookings"
	"gangway/internal/web/app/apptest"
)

// A booking that was made up says so, whatever its state; no page offers to do anything with it, and nothing is done.
func TestSampleBookings(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Development(s)
	m, err := samplebookings.New(samplebookings.Plan{Account: s.Development, Seed: 1, Count: 100,
		Until: gangway.DateOf(s.Now().UTC())})
	apptest.Done(t, err)
	of := map[gangway.State]string{} // a booking in each state
	for b, err := range m.Batches(t.Context(), 100, func([]string) (map[string]bool, error) { return nil, nil }) {
		if err == nil {
			err = in.AddSamples(t.Context(), b.New)
		}
		apptest.Done(t, err)
		for _, one := range b.New {
			of[one.State] = one.ID
		}
	}
	c := s.InDevelopment(t, gangway.Admin)
	for _, state := range gangway.States {
		at := "/bookings/" + of[state]
		c.Get(at).Has("up, as a sample: nothing can be done with it").
			Lacks(at+"/issue", at+"/cancel", at+"/change", at+"/approve", at+"/decline")
	}
	waits := of[gangway.ApprovalRequired]
	c.Post("/bookings/"+waits+"/approve", url.Values{}).Is(http.StatusConflict)
	if b, err := in.Booking(t.Context(), waits); err != nil || b.State != gangway.ApprovalRequired {
		t.Errorf("it was approved: %s %v", b.State, err)
	}
	for _, list := range []string{"/approvals", "/deadlines"} {
		c.Get(list).Lacks(waits, of[gangway.Confirmed])
	}
}
