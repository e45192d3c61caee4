// Package outlets has the pages of an account's outlets: each with what was tried there, what to do about it, and
// setting one up.
package outlets

import (
	"embed"

	"gangway/internal/deliver"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/feeds"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	db     *store.DB
	setter deliver.Setter
	tries  *web.ConcurrencyLimit // of outlets, by account
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its pages to the shell.
func New(sh *shell.Shell, db *store.DB, setter deliver.Setter) (*Room, error) {
	return &Room{Shell: sh, db: db, setter: setter, tries: web.NewConcurrencyLimit(triesLimit)},
		sh.AddPages(templates, feeds.Parts(), shell.Parts{Files: templates})
}
