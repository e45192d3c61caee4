// Package audit has the page of the audit log.
package audit

import (
	"embed"

	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// Room holds what the page needs.
type Room struct {
	*shell.Shell
	db *store.DB
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its page to the shell.
func New(sh *shell.Shell, db *store.DB) (*Room, error) {
	return &Room{Shell: sh, db: db}, sh.AddPages(templates)
}
