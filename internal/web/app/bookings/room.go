// Package bookings is where people see to what was booked: the list and its
// file, the page of one, what can be done with it, what was booked elsewhere,
// and what waits: for an approver, for a person, for a deadline.
package bookings

import (
	"embed"

	"gangway/internal/book"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// Room has the pages; each is one of its methods.
type Room struct {
	*shell.Shell
	flights *flights.Room
	desk    *book.Desk
}

//go:embed templates
var templates embed.FS

// New returns the room, with its pages known to the shell.
func New(sh *shell.Shell, fl *flights.Room, desk *book.Desk) (*Room, error) {
	return &Room{sh, fl, desk}, sh.ReadPages(templates, fl.Parts(), shell.Parts{Files: templates})
}
