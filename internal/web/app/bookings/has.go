package bookings

import (
	"context"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Has reports whether the page at a path is about a booking that the account has.
func Has(ctx context.Context, in store.Scoped, path string) (bool, error) {
	id, ok := strings.CutPrefix(path, "/bookings/")
	if !ok {
		return false, nil
	}
	id, _, _ = strings.Cut(id, "?")
	id, _, _ = strings.Cut(id, "/")
	_, err := in.Booking(ctx, id)
	if gangway.KindOf(err) == gangway.NotFound {
		return false, nil
	}
	return err == nil, err
}
