// Package bookings has the pages about bookings: the list and its export, the page of a booking and
// what can be done with it, the form for bookings made elsewhere, and the lists of what waits for an
// approver, for a person or for a deadline.
package bookings

import (
	"embed"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	flights *flights.Room
	desk    *book.Desk
	batches *plan.Batches
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its pages to the shell.
func New(sh *shell.Shell, fl *flights.Room, desk *book.Desk, batches *plan.Batches) (*Room, error) {
	return &Room{sh, fl, desk, batches}, sh.AddPages(templates, fl.Parts(), shell.Parts{Files: templates})
}
