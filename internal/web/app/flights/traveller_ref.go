package flights

import (
	"context"
	"strings"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A traveller whom the customer's system sent without an identifier is known by their
// passport. Addresses and forms name travellers but must not show a passport number,
// so they carry it sealed with the keys that sign forms.

// documentKey begins the key of such a traveller, and sealedKey its sealed form.
const (
	documentKey = "doc:"
	sealedKey   = "ref:"
)

// TravellerRef returns the name of t in addresses and forms, the same each time.
func TravellerRef(ctx context.Context, t gangway.Traveller) string {
	key := t.Key()
	if !strings.HasPrefix(key, documentKey) {
		return key
	}
	return sealedKey + shell.Sealed(ctx, "traveller", key)
}

// TravellerKey returns the key of the traveller that ref names.
func TravellerKey(ctx context.Context, ref string) string {
	text, ok := strings.CutPrefix(ref, sealedKey)
	if !ok {
		return ref
	}
	return shell.Unsealed(ctx, "traveller", text)
}

// TravellerBy returns the stored traveller that ref names. NotFound: the account has none.
func TravellerBy(ctx context.Context, in store.Scoped, ref string) (gangway.Traveller, error) {
	return in.Traveller(ctx, TravellerKey(ctx, ref))
}
