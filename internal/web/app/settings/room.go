// Package settings is where those who look after an account see to it: the audit log.
package settings

import (
	"embed"

	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// Room has the pages; each is one of its methods.
type Room struct {
	*shell.Shell
	db *store.DB
}

//go:embed templates
var templates embed.FS

// New returns the room, with its pages known to the shell.
func New(sh *shell.Shell, db *store.DB) (*Room, error) {
	return &Room{sh, db}, sh.ReadPages(templates)
}
