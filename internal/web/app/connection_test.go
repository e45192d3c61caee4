package app_test

import (
	"net/url"
	"testing"

	"gangway"
	"gangway/internal/store/storetest"
)

// TestTightConnectionStaysKnown holds that what an offer said of a tight
// connection stands with the booking too, wherever people look at it or decide.
func TestTightConnectionStaysKnown(t *testing.T) {
	const tight = "tight: changing takes at least"
	s := newSite(t)
	storetest.Settings(t, production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	c := s.signedIn(t, gangway.Booker)
	path := c.booked("connection=tight&rule=change")
	c.get(path).has(tight)
	c.get("/approvals").has(tight)

	approver := s.signedIn(t, gangway.Approver)
	approver.get(path).has("Approve it?", tight)
	approver.post(path+"/approve", url.Values{}).has("confirmed", tight)
	c.post(path+"/issue", c.get(path+"/issue").form(path+"/issue")).has("Tickets are issued.", tight)
	c.get(path+"/change").has("flies now", tight)
}
