package store_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
)

// TestOutletsOfBefore migrates outlets that were an address with sealed credentials: they stay what they were, and
// their secrets sealed.
func TestOutletsOfBefore(t *testing.T) {
	storetest.EachEmptyURL(t, func(t *testing.T, url string) {
		key := seal.NewKey()
		sealer := newSealer(t, key)
		credentials := func(account, doc string) string {
			context := strings.Join([]string{"outlet", "credentials", account, "out_" + account}, "\x00")
			return "sealed:" + base64.StdEncoding.EncodeToString(sealer.Seal([]byte(doc), context))
		}
		kinds := []struct{ kind, doc string }{
			{"none", ""},
			{"basic", `{"kind":"basic","password":"tide tables","user":"crew"}`},
			{"bearer", `{"kind":"bearer","token":"t0ken"}`},
			{"header", `{"kind":"header","name":"X-Key","value":"v4lue"}`},
		}
		past := `INSERT INTO customer (id, name, created_at) VALUES ('c', 'Halcyon Tankers', 0);`
		for i, k := range kinds {
			account, hidden := fmt.Sprint("a", i), ""
			if k.doc != "" {
				hidden = credentials(account, k.doc)
			}
			past += fmt.Sprintf(`
				INSERT INTO customer (id, name, created_at) VALUES ('c%[1]s', 'Fleet %[1]s', 0);
				INSERT INTO account (id, customer, environment, settings) VALUES ('%[1]s', 'c%[1]s', 'production', '{}');
				INSERT INTO outlet (account, id, url, secrets, credentials_kind, credentials, off, off_reason, created_at)
				VALUES ('%[1]s', 'out_%[1]s', 'https://crew.example/"sync"?key=1', '["whsec_x"]', '%[2]s', '%[3]s', 0, '', 0);`,
				account, k.kind, hidden)
		}
		makeBefore(t, url, 42, past)
		db := openWith(t, url, sealer)
		for i, k := range kinds {
			in := db.In(gangway.Scope{Account: fmt.Sprint("a", i)})
			list, err := in.Outlets(t.Context())
			if err != nil || len(list) != 1 || list[0].Name != gangway.DefaultOutlet ||
				string(list[0].Authentication()) != k.kind || !list[0].Wants(gangway.Issued) ||
				list[0].Format != "json" {
				t.Fatalf("%s: Outlets = %+v, %v; want it as it was", k.kind, list, err)
			}
			o, err := in.OutletToChange(t.Context(), gangway.DefaultOutlet)
			if err != nil || o.Unopened != nil {
				t.Fatalf("%s: %v, %v", k.kind, err, o.Unopened)
			}
			whole, err := transport.Merge(o.Transport.Settings, json.RawMessage(o.Transport.Secrets))
			var settings struct {
				URL  string
				Auth json.RawMessage
			}
			if err := json.Unmarshal(whole, &settings); err != nil {
				t.Fatal(err)
			}
			if err != nil || settings.URL != `https://crew.example/"sync"?key=1` || string(settings.Auth) != k.doc {
				t.Errorf("%s: settings are %s, %v; want the address and %s", k.kind, whole, err, k.doc)
			}
			mustSet(t, in, "https://crew.example/v2", nil)
			got, err := credentialsOf(t, in)
			want := gangway.CredentialsKind(k.kind)
			if got.Kind == "" {
				got.Kind = "none"
			}
			if err != nil || got.Kind != want {
				t.Errorf("%s at another address: %s, %v; want what was kept", k.kind, got, err)
			}
		}
	})
}
