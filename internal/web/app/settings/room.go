// Package settings has the pages for those who look after an account: its feeds and the audit log.
package settings

import (
	"embed"

	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	db    *store.DB
	kinds []transport.Kind
}

//go:embed templates
var templates embed.FS

// New returns the room and has the shell read its pages.
func New(sh *shell.Shell, db *store.DB, kinds []transport.Kind) (*Room, error) {
	return &Room{sh, db, kinds}, sh.ReadPages(templates)
}
