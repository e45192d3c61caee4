// Package crew is where a whole crew change is planned and booked: the list, who
// flies how, on the map and in the time of the port, moving the ship, choosing
// and correcting for one of them, and booking all at once.
package crew

import (
	"embed"

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

// New returns the room, with its pages known to the shell. It shows the searches
// for several travellers of fl.
func New(sh *shell.Shell, fl *flights.Room, desk *book.Desk, searches *plan.Sessions,
	batches *plan.Batches) (*Room, error) {
	room := &Room{sh, fl, desk, searches, batches}
	fl.Many, fl.ManyParts = room.ShowSearch, room.Parts
	return room, sh.ReadPages(templates, fl.Parts())
}
