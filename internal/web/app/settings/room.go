// Package settings has the pages for those who look after an account: the audit log.
package settings

import (
	"embed"

	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	db *store.DB
}

//go:embed templates
var templates embed.FS

// New returns the room and has the shell read its pages.
func New(sh *shell.Shell, db *store.DB) (*Room, error) {
	return &Room{sh, db}, sh.ReadPages(templates)
}
