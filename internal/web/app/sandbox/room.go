// Package sandbox has the page on which integrators make bookings happen in a development account.
package sandbox

import (
	"embed"

	"gangway/internal/book/sandbox"
	"gangway/internal/web/app/shell"
)

// Room holds what the page needs.
type Room struct {
	*shell.Shell
	sandbox *sandbox.Sandbox // makes things happen in development
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its page to the shell.
func New(sh *shell.Shell, play *sandbox.Sandbox) (*Room, error) {
	return &Room{sh, play}, sh.AddPages(templates)
}
