// Package settings has the pages for those who look after an account: its feeds and the audit log.
package settings

import (
	"embed"
	"net/netip"

	"gangway/internal/accept/poll"
	"gangway/internal/background"
	"gangway/internal/book/sandbox"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	db     *store.DB
	poller *poll.Poller
	// private networks that may be pushed to
	pushable []netip.Prefix
	// makes things happen in development
	sandbox *sandbox.Sandbox
	tries   *web.ConcurrencyLimit // of feeds that are being set up, by account
	checks  *background.Slots     // of systems that are being checked, by account
	made    madeSecrets
}

//go:embed templates
var templates embed.FS

// New returns the room and has the shell read its pages. Bookings may be pushed to the networks of pushable.
func New(sh *shell.Shell, db *store.DB, poller *poll.Poller, pushable []netip.Prefix,
	play *sandbox.Sandbox) (*Room, error) {
	return &Room{Shell: sh, db: db, poller: poller, pushable: pushable, sandbox: play,
			tries: web.NewConcurrencyLimit(triesLimit), checks: background.NewSlots(checksAtOnce, 1)},
		sh.ReadPages(templates, shell.Parts{Files: templates})
}
