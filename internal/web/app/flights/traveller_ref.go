package flights

import (
	"context"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A traveller whom the customer's system sent without an identifier is known by their
// passport, or by names and birth date. Addresses and forms name travellers but must
// show neither, so they carry it sealed with the keys that sign forms.

// identifierKey begins the key of a traveller with an identifier, and sealedKey stands before any other, sealed.
const (
	identifierKey = "id:"
	sealedKey     = "ref:"
)

// TravellerRef returns the name of t in addresses and forms, the same each time.
func TravellerRef(ctx context.Context, t gangway.Traveller) string {
	key := t.RecordKey()
	if strings.HasPrefix(key, identifierKey) {
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
