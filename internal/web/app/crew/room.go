// Package crew is where people plan and book a whole crew change: the list of crew
// changes, everybody's flights in a table, on a map and on a timeline, moving the ship,
// choosing and correcting for one person, and booking all at once.
package crew

import (
	"embed"
	"html/template"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// Room has the pages; each is one of its methods.
type Room struct {
	*shell.Shell
	flights  *flights.Room
	desk     *book.Desk
	searches *plan.Sessions // searches under way
	batches  *plan.Batches  // bookings for many
}

//go:embed templates
var templates embed.FS

// New returns the room, with its pages known to the shell. It shows those searches of fl
// that are for several travellers.
func New(sh *shell.Shell, fl *flights.Room, desk *book.Desk, searches *plan.Sessions,
	batches *plan.Batches) (*Room, error) {
	room := &Room{sh, fl, desk, searches, batches}
	fl.Many, fl.ManyParts = room.ShowSearch, room.Parts
	return room, sh.AddPages(templates, fl.Parts(), shell.Parts{Files: templates, Funcs: template.FuncMap{
		"figure": figure,
		// utc .FareUntil: "28 Nov 15:59", in a column of such instants
		"utc": func(t time.Time) string { return t.UTC().Format("2 Jan 15:04") },
	}})
}
