package main

import (
	"log/slog"
	"net/netip"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
)

// newPoller returns what fetches feeds.
func newPoller(db *store.DB, allow []netip.Prefix, now func() time.Time, log *slog.Logger) *poll.Poller {
	return poll.New(poll.Config{DB: db, Kinds: kinds.All, Options: transport.Options{Allow: allow}, Now: now, Log: log})
}
