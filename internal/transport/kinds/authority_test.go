package kinds_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
)

// TestAnotherAuthorityGetsNoSecret holds that secrets are given again with another authority, whatever the kind:
// somebody on the way could show a certificate of their own authority and read them.
func TestAnotherAuthorityGetsNoSecret(t *testing.T) {
	addresses := map[string]string{"endpoint": "https://a.example/crew?key=hush",
		"database": "postgres://u:hush@a.example/crew"}
	for _, k := range append(kinds.All, kinds.Outlets...) {
		var kept map[string]any
		calltest.Done(t, json.Unmarshal([]byte(k.Example), &kept))
		if address := addresses[k.Name]; address != "" {
			kept["url"] = address
		}
		whole := document(t, kept)
		open, secret, err := k.Split(whole)
		if err != nil || string(secret) == "{}" || !has(k.Settings, "ca") {
			continue
		}
		var given map[string]any
		calltest.Done(t, json.Unmarshal(open, &given))
		if again, err := k.Change(whole, document(t, given)); err != nil || string(again) != string(whole) {
			t.Errorf("%s: the same settings become %v", k.Name, err)
		}
		given["ca"] = "another"
		if _, err := k.Change(whole, document(t, given)); gangway.KindOf(err) != gangway.Invalid ||
			!strings.Contains(err.Error(), "ca is another than before: give ") {
			t.Errorf("%s: with another ca its secrets are kept: %v", k.Name, err)
		}
		if address := addresses[k.Name]; address != "" { // nothing is secret but what the address has
			for _, name := range []string{"auth", "headers", "password"} {
				delete(kept, name)
				delete(given, name)
			}
			if _, err := k.Change(document(t, kept), document(t, given)); err == nil {
				t.Errorf("%s: with another ca the secrets of its address are kept", k.Name)
			}
		}
	}
}

func document(t *testing.T, settings map[string]any) json.RawMessage {
	t.Helper()
	doc := calltest.Must(json.Marshal(settings))(t)
	return doc
}

func has(table []transport.Setting, name string) bool {
	for _, s := range table {
		if s.Name == name {
			return true
		}
	}
	return false
}
