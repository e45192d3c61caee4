// Package paper has what leaves the application on paper: the itinerary of a person and of a crew change, the links
// that open one without sign-in, and the list of flights for a ship's agent.
package paper

import (
	"embed"

	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// Room has the pages; each is one of its methods.
type Room struct {
	*shell.Shell
	db      *store.DB
	mailer  transport.Mailer // nil: no mails are sent
	guesses *web.Limiter     // links that open nothing, by network
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its pages to the shell.
func New(sh *shell.Shell, fl *flights.Room, db *store.DB, mailer transport.Mailer) (*Room, error) {
	room := &Room{Shell: sh, db: db, mailer: mailer, guesses: web.NewLimiter(guesses, guessPeriod, sh.Now)}
	return room, sh.AddPages(templates, fl.Parts(), shell.Parts{Files: templates})
}
