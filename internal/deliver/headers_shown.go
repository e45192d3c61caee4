package deliver

import (
	"encoding/json"
	"maps"
	"slices"

	"gangway/internal/deliver/format"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A Header is one that a push has, as it may be shown.
type Header struct{ Name, Value string }

// ShownHeaders returns the headers with which a delivery is pushed, as its outlet is now. What is secret, or differs
// from try to try, is told in words. None: the outlet does not push.
func ShownHeaders(d store.Delivery) []Header {
	if !d.Outlet.Pushes() {
		return nil
	}
	list := []Header{{"content-type", format.Media(d.Outlet.Format)}, {"user-agent", userAgent}, {"webhook-id", d.ID},
		{"webhook-timestamp", "when it is tried, in seconds since 1970"},
		{"webhook-signature", "one with each of the outlet's secrets"}}
	switch d.Outlet.Authentication() {
	case gangway.BasicCredentials:
		list = append(list, Header{"authorization", "Basic, with the user and password of the outlet"})
	case gangway.BearerCredentials:
		list = append(list, Header{"authorization", "Bearer, with the token of the outlet"})
	}
	var set struct {
		Auth    struct{ Kind, Name string }
		Headers map[string]any
	}
	if json.Unmarshal(d.Outlet.Transport.Settings, &set) != nil {
		return list
	}
	if gangway.CredentialsKind(set.Auth.Kind) == gangway.HeaderCredentials {
		list = append(list, Header{set.Auth.Name, "secret, of the outlet's authentication"})
	}
	for _, name := range slices.Sorted(maps.Keys(set.Headers)) {
		list = append(list, Header{name, "secret, as the outlet has it"})
	}
	return list
}
