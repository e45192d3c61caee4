// Package check has the page that examines a customer's system.
package check

import (
	"embed"
	"net/netip"

	"gangway/internal/accept/poll"
	"gangway/internal/background"
	"gangway/internal/web/app/shell"
)

// Room holds what the page needs.
type Room struct {
	*shell.Shell
	poller *poll.Poller
	// private networks that may be pushed to
	pushable []netip.Prefix
	checks   *background.Slots // of systems that are being checked, by account
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its page to the shell. Bookings may be pushed to the networks of pushable.
func New(sh *shell.Shell, poller *poll.Poller, pushable []netip.Prefix) (*Room, error) {
	return &Room{Shell: sh, poller: poller, pushable: pushable, checks: background.NewSlots(checksAtOnce, 1)},
		sh.AddPages(templates)
}
