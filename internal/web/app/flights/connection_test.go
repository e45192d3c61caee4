package flights_test

import (
	"net/url"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestTightConnectionStaysKnown holds that an offer's warning of a tight connection is on
// the booking too, wherever people look at it or decide about it.
func TestTightConnectionStaysKnown(t *testing.T) {
	const tight = "tight (min. "
	s := apptest.NewSite(t)
	storetest.Settings(t, apptest.Production(s),
		gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	c := s.SignedIn(t, gangway.Booker)
	path := c.Booked("connection=tight&rule=change")
	c.Get(path).Has(tight)
	c.Get("/approvals").Has(tight)

	approver := s.SignedIn(t, gangway.Approver)
	approver.Get(path).Has("To approve", tight)
	approver.Post(path+"/approve", url.Values{}).Has("confirmed", tight)
	c.Submit(path+"/issue").Has("Tickets are issued.", tight)
	c.Get(path+"/change").Has("Current flights", tight)
}
