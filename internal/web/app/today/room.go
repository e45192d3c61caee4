// Package today has the first page: what needs somebody now, and the work of the next two weeks.
package today

import (
	"embed"

	"gangway/internal/book"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// Room holds what the page needs.
type Room struct {
	*shell.Shell
	flights *flights.Room
	desk    *book.Desk
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its page to the shell.
func New(sh *shell.Shell, fl *flights.Room, desk *book.Desk) (*Room, error) {
	return &Room{sh, fl, desk}, sh.AddPages(templates, fl.Parts())
}
