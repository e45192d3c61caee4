// Package flights is where people look for flights: the form, what it suggests,
// what was found and how it is filtered, what an offer costs and allows, and
// holding it for one traveller. What other rooms show of flights, of travellers
// and of how a booking stands beside its plan is here too, with its templates.
package flights

import (
	"embed"
	"io"
	"net/http"
	"net/url"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// Room has the pages; each is one of its methods.
type Room struct {
	*shell.Shell
	desk     *book.Desk
	searches *plan.Sessions // searches under way
	laid     *laidOffers    // offers as lists show them

	// Many shows a search for several travellers, and ManyParts returns what renders
	// what is new on its page. They are another room's, which knows this one.
	Many func(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search, ss *plan.Session,
		q url.Values) error
	ManyParts func(members int) func(out io.Writer, v SearchView) error
}

//go:embed templates
var templates embed.FS

// New returns the room, with its pages known to the shell.
func New(sh *shell.Shell, desk *book.Desk, searches *plan.Sessions) (*Room, error) {
	room := &Room{Shell: sh, desk: desk, searches: searches}
	room.laid = room.newLaidOffers()
	return room, sh.ReadPages(templates, room.Parts())
}

// Parts are what rooms make pages with that show flights, travellers or bookings.
func (room *Room) Parts() shell.Parts { return shell.Parts{Files: templates, Funcs: room.words()} }
