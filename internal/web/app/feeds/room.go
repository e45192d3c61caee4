// Package feeds has the pages of an account's feeds: each with its history, setting one up, and giving one a file.
package feeds

import (
	"embed"

	"gangway/internal/accept/poll"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	db     *store.DB
	poller *poll.Poller
	tries  *web.ConcurrencyLimit // of feeds that are being set up, by account
}

//go:embed templates
var templates embed.FS

// Parts are what other rooms show of settings.
func Parts() shell.Parts { return shell.Parts{Files: templates} }

// New returns the room and adds its pages to the shell.
func New(sh *shell.Shell, db *store.DB, poller *poll.Poller) (*Room, error) {
	return &Room{Shell: sh, db: db, poller: poller, tries: web.NewConcurrencyLimit(triesLimit)},
		sh.AddPages(templates, Parts())
}
