// Package sandbox has the page on which integrators make bookings happen in a development account.
package sandbox

import (
	"embed"

	"gangway/internal/book/sandbox"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// Room holds what the page needs.
type Room struct {
	*shell.Shell
	db      *store.DB
	sandbox *sandbox.Sandbox // makes things happen in development
}

//go:embed templates
var templates embed.FS

// New returns the room and has the shell read its page.
func New(sh *shell.Shell, db *store.DB, play *sandbox.Sandbox) (*Room, error) {
	return &Room{Shell: sh, db: db, sandbox: play}, sh.ReadPages(templates)
}
