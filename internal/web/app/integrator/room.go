// Package integrator has the page for those who write a customer's programs: which account a key is for, and what
// the programs asked and were answered.
//
// Somebody with an API key alone sees the account of that key, in a browser of its own, for an hour. Admins see both
// environments side by side, in Settings.
package integrator

import (
	"context"
	"embed"
	"time"

	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	db       *store.DB
	requests *web.RequestLog
	tries    *web.Limiter // of keys, by network
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its pages to the shell. requests is where the integration surface notes what it is
// asked.
func New(sh *shell.Shell, db *store.DB, requests *web.RequestLog) (*Room, error) {
	return &Room{Shell: sh, db: db, requests: requests, tries: web.NewLimiter(triesMost, time.Minute, sh.Now)},
		sh.AddPages(templates, shell.Parts{Files: templates})
}

// settlePatience is how long a page waits for what was answered just now to be written.
const settlePatience = 2 * time.Second

// settle has what was answered just now written, so that a page shows it. One that shows what is older is better than
// none.
func (room *Room) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settlePatience)
	defer cancel()
	_ = room.requests.Settle(ctx)
}
