package transport_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// TestGoBack: earlier settings come back with the secrets that are kept, and are refused where theirs
// are gone, or where those kept were given for another system.
func TestGoBack(t *testing.T) {
	shown, _, err := kind.Split(json.RawMessage(whole))
	if err != nil {
		t.Fatal(err)
	}
	without := func(old, new string) string { return strings.Replace(whole, old, new, 1) }
	for _, tt := range []struct{ kept, shown, says, want string }{
		{whole, string(shown), "", whole},
		{without(`"hush1"`, `"other1"`), string(shown), "", without(`"hush1"`, `"other1"`)},
		{without(`,"body":"hush2"`, ``), string(shown), "body was secret and is not kept", ""},
		{without(`,"X-B":"hush4"`, ``), string(shown), "headers.X-B was secret", ""},
		{without(`,"password":"hush5"`, ``), string(shown), "smtp.password was secret", ""},
		{`{"auth":{"kind":"bearer","token":"hush8"},"url":"https://a.example"}`, string(shown), "auth.password was", ""},
		{without("/crew?key=", "/other?key="), string(shown), "the query or the password of url was secret", ""},
		{without("?key=hush7", ""), strings.Replace(string(shown), "/crew", "/other", 1), "of url was secret", ""},
		{`{"auth":{"kind":"basic","user":"u","password":"hush1"},"url":"https://a.example/crew"}`,
			`{"auth":{"kind":"basic","user":"u","password":null},"url":"https://b.example/crew"}`,
			"url is another than before", ""},
		{`{"auth":{"kind":"basic","user":"u","password":"hush1"},"url":"https://a.example/crew"}`,
			`{"auth":{"kind":"basic","user":"u","password":null},"url":"https://a.example/crew/other"}`, "",
			`{"auth":{"kind":"basic","password":"hush1","user":"u"},"url":"https://a.example/crew/other"}`},
		{`{}`, `{"url":"https://b.example/crew"}`, "", `{"url":"https://b.example/crew"}`},
	} {
		got, err := kind.GoBack(json.RawMessage(tt.kept), json.RawMessage(tt.shown))
		if tt.says == "" && (err != nil || string(got) != tt.want) {
			t.Errorf("GoBack from %s to %s = %s, %v; want %s", tt.kept, tt.shown, got, err, tt.want)
		}
		if tt.says != "" && (gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), tt.says) ||
			strings.Contains(err.Error(), "hush")) {
			t.Errorf("GoBack from %s to %s = %v; want %q", tt.kept, tt.shown, err, tt.says)
		}
	}
}
