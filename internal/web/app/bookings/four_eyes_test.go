package bookings_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestFourEyesPages holds that nobody is offered to approve their own booking.
func TestFourEyesPages(t *testing.T) {
	s := apptest.NewSite(t)
	storetest.Settings(t, apptest.Production(s),
		gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	approver, admin := s.SignedIn(t, gangway.Approver), s.SignedIn(t, gangway.Admin)
	page := approver.Hold("issue")
	path, _, _ := strings.Cut(page.Path, "?")
	id := strings.TrimPrefix(path, "/bookings/")
	page.Has("Once approved, will be issued automatically on ")

	approver.Get(path).Has("You made this booking: another approver", "Decline and release seats").
		Lacks(path + "/approve")
	approver.Get("/approvals").Has("for another approver", "cheapest comparable")
	approver.Post(path+"/approve", nil).Is(http.StatusForbidden)
	approver.Post("/approvals", url.Values{"decide": {"approve"}, "booking": {id}}).
		Has("You have made booking ", "another approver has to approve it")
	admin.Get(path).Has("same times, rules and baggage at least as good", "Fare until", path+
		"/approve")
	admin.Post(path+"/approve", nil).Shows(path, "Approved.", apptest.Automatically)
}
