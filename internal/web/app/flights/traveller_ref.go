package flights

import (
	"context"
	"net/url"
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

// PersonPath is the page of a stored traveller.
func PersonPath(ctx context.Context, t gangway.Traveller) string {
	return "/travellers/" + url.PathEscape(TravellerRef(ctx, t))
}

// PersonPaths returns the pages of those of list who are on record, by their record keys.
func PersonPaths(ctx context.Context, in store.Scoped, list ...gangway.Traveller) (map[string]string, error) {
	keys := gangway.Each(list, gangway.Traveller.RecordKey)
	known, err := in.TravellerSources(ctx, keys)
	paths := make(map[string]string, len(known))
	for _, t := range list {
		if key := t.RecordKey(); known[key] != "" {
			paths[key] = PersonPath(ctx, t)
		}
	}
	return paths, err
}

// VesselPath is the page of a vessel.
func VesselPath(name string) string { return "/vessels/" + url.PathEscape(name) }
