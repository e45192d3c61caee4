// Package outlets has the pages of an account's outlets: each with what was tried there, and what to do about it.
package outlets

import (
	"embed"

	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
}

//go:embed templates
var templates embed.FS

// New returns the room and has the shell read its pages.
func New(sh *shell.Shell) (*Room, error) {
	return &Room{sh}, sh.ReadPages(templates, shell.Parts{Files: templates})
}
