// Package inbox is where people see what customers' systems have sent, but for
// crew changes: travel requests, hotels, travellers. It takes a record back, and
// takes the hand-off A6 in.
package inbox

import (
	"embed"
	"time"

	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// Room has the pages; each is one of its methods.
type Room struct {
	*shell.Shell
	flights  *flights.Room
	db       *store.DB
	handoffs *web.Limiter
}

//go:embed templates
var templates embed.FS

// New returns the room, with its pages known to the shell.
func New(sh *shell.Shell, fl *flights.Room, db *store.DB) (*Room, error) {
	room := &Room{Shell: sh, flights: fl, db: db, handoffs: web.NewLimiter(60, time.Minute, sh.Now)}
	return room, sh.ReadPages(templates, fl.Parts())
}
