// Package flights is where people search for flights and hold one: the form and its
// suggestions, the results and their filters, the price and rules of an offer, and
// the hold for one traveller. It also has what other rooms show of flights and
// travellers and of how a booking fits its plan, with the templates for that.
package flights

import (
	"embed"
	"io"
	"net/http"
	"net/url"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// Room has the pages; each is one of its methods.
type Room struct {
	*shell.Shell
	desk     *book.Desk
	searches *plan.Sessions // searches under way
	laid     *laidOffers    // offers as lists show them
	patience time.Duration  // with which a page waits for customers' systems

	// Many shows a search for several travellers, and ManyParts returns the function
	// that renders the new parts of its page. Room crew, which knows this one, sets both.
	Many func(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search, ss *plan.Session,
		q url.Values) error
	ManyParts func(members int) func(out io.Writer, v SearchView) error
}

//go:embed templates
var templates embed.FS

// New returns the room, with its pages known to the shell.
func New(sh *shell.Shell, desk *book.Desk, searches *plan.Sessions, patience time.Duration) (*Room, error) {
	room := &Room{Shell: sh, desk: desk, searches: searches, patience: patience}
	room.laid = room.newLaidOffers()
	return room, sh.AddPages(templates, room.Parts())
}

// Desk is the desk that the room's pages ask to act.
func (room *Room) Desk() *book.Desk { return room.desk }

// Parts are the templates and functions of pages that show flights, travellers or bookings.
func (room *Room) Parts() shell.Parts {
	return shell.Parts{Files: templates, Funcs: room.words(), Timed: timed}
}
