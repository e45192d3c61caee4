package sandbox

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Disrupt has an airline disrupt the first flight of a booking that it can, and has the desk follow. NotFound:
// there is no such booking. Conflict: it has no such flight.
func (s *Sandbox) Disrupt(ctx context.Context, in store.Scoped, by gangway.Actor, locator string,
	d gangway.Disruption) (Played, error) {
	in, err := s.open(ctx, in)
	if err != nil {
		return Played{}, err
	}
	b, err := in.BookingByLocator(ctx, locator)
	if err != nil {
		return Played{}, err
	}
	if err := s.desk.Disrupt(ctx, in, b, d); err != nil {
		return Played{}, err
	}
	if err := in.Record(ctx, by, gangway.SandboxDisrupted, map[string]any{"disruption": string(d), "booking": b.ID,
		"locator": b.Locator}, s.now()); err != nil {
		return Played{}, err
	}
	return since(ctx, in, b, b.Version)
}
