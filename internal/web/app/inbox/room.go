// Package inbox has the pages of what customers' systems have sent, except crew changes: travel
// requests, hotels and travellers. It also takes records back, and receives the hand-off A6.
package inbox

import (
	"embed"
	"time"

	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	flights  *flights.Room
	db       *store.DB
	handoffs *web.Limiter
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its pages to the shell.
func New(sh *shell.Shell, fl *flights.Room, db *store.DB) (*Room, error) {
	room := &Room{Shell: sh, flights: fl, db: db, handoffs: web.NewLimiter(60, time.Minute, sh.Now)}
	return room, sh.AddPages(templates, fl.Parts())
}
