package bookings_test

import (
	"net/http"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// A cancel page that somebody else was faster than says who did what, as every other page does.
func TestCancelOvertakenByIssue(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	c.Booked("fare=marine")
	path := "/bookings/" + s.Bookings(t)[0].ID
	form := c.Get(path + "/cancel").Form(path + "/cancel")
	c.Submit(path + "/issue").Has("Tickets are issued.")
	late := c.Post(path+"/cancel", form)
	if late.Status != http.StatusConflict || s.Bookings(t)[0].State != gangway.Issued {
		t.Fatalf("the answer is %d and the booking %s; want 409, and still issued", late.Status, s.Bookings(t)[0].State)
	}
	late.Has("Ingrid Holm had the tickets issued at")
	late.Lacks("changed since this quote")
}
