package flights

import (
	"context"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// samePassport says in a sentence that the passport of t was sent under another
// identifier too; nothing where it was not. One person who is kept twice is
// easily booked twice.
func samePassport(ctx context.Context, in store.Scoped, t gangway.Traveller) (string, error) {
	others, err := in.SamePassport(ctx, t)
	if len(others) == 0 || err != nil {
		return "", err
	}
	names := make([]string, len(others))
	for i, other := range others {
		names[i] = other.ID + ", " + other.LastName + ", " + other.FirstName
	}
	return "The same passport was sent for " + strings.Join(names, " and for ") + ", too.", nil
}
