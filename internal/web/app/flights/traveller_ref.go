package flights

import (
	"context"
	"strings"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A traveller whom the customer's system has sent without an identifier is
// known by the passport. Addresses and forms name travellers, and a passport
// number stands in neither: there it is sealed, with the keys that forms are
// signed with.

// documentKey and sealedKey begin the key of such a traveller, and what stands for it.
const (
	documentKey = "doc:"
	sealedKey   = "ref:"
)

// TravellerRef returns what names t in addresses and forms, the same each time.
func TravellerRef(ctx context.Context, t gangway.Traveller) string {
	key := t.Key()
	if !strings.HasPrefix(key, documentKey) {
		return key
	}
	return sealedKey + shell.Sealed(ctx, "traveller", key)
}

// TravellerKey returns the key of the traveller whom ref names.
func TravellerKey(ctx context.Context, ref string) string {
	text, ok := strings.CutPrefix(ref, sealedKey)
	if !ok {
		return ref
	}
	return shell.Unsealed(ctx, "traveller", text)
}

// TravellerBy returns the stored traveller whom ref names. NotFound: the account has none.
func TravellerBy(ctx context.Context, in store.Scoped, ref string) (gangway.Traveller, error) {
	return in.Traveller(ctx, TravellerKey(ctx, ref))
}
