package transport_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

var kind = transport.Kind{Name: "sample", Settings: []transport.Setting{
	{Name: "url", Type: transport.Text, Required: true, System: true, Secret: transport.InURL},
	{Name: "user", Type: transport.Text, System: true},
	{Name: "port", Type: transport.Number, System: true},
	{Name: "quick", Type: transport.YesNo},
	{Name: "from", Type: transport.List},
	{Name: "to", Type: transport.Texts},
	{Name: "body", Type: transport.Lines, Secret: transport.Whole},
	{Name: "headers", Type: transport.Object, Secret: transport.Values},
	{Name: "auth", Type: transport.Auth},
	{Name: "smtp", Type: transport.Object, Members: []transport.Setting{
		{Name: "host", Type: transport.Text, Required: true, System: true},
		{Name: "password", Type: transport.Text, Secret: transport.Whole},
	}},
}}

func TestCheck(t *testing.T) {
	tests := []struct{ settings, says string }{
		{`{"url": "https://a.example"}`, ""},
		{`{"url": "https://a.example", "user": null, "quick": true, "port": 22, "from": ["a"], "headers": {"X": "y"}}`, ""},
		{`{}`, "url is missing"},
		{`{"url": null}`, "url is missing"},
		{`{"url": 7}`, "url must be a text"},
		{`{"url": "x", "uri": "secret-text"}`, "uri is none of the settings"},
		{`{"url": "x", "URL": "x"}`, "URL is none of the settings"},
		{`{"url": "x", "url": "y"}`, "one JSON object"},
		{`["x"]`, "one JSON object"},
		{`"x"`, "one JSON object"},
		{``, "one JSON object"},
		{`{"url": "x"} {}`, "one JSON object"},
		{"{\"url\": \"\xff\"}", "one JSON object"},
		{`{"url": "x", "port": "22"}`, "port must be a whole number"},
		{`{"url": "x", "port": -1}`, "port must be a whole number"},
		{`{"url": "x", "port": 1.5}`, "port must be a whole number"},
		{`{"url": "x", "quick": "yes"}`, "quick must be true or false"},
		{`{"url": "x", "from": "a"}`, "from must be a list of texts"},
		{`{"url": "x", "from": ["a", null]}`, "from must be a list of texts"},
		{`{"url": "x", "user": "a", "from": ["a", "b"], "to": "a", "body": "a\r\nb"}`, ""},
		{`{"url": "x", "user": "secret-text\n"}`, "user must be one line, without control characters"},
		{`{"url": "x", "user": "a\u0000"}`, "user must be one line"},
		{`{"url": "x", "from": ["a", "secret-text\u0085"]}`, "from must be one line"},
		{`{"url": "x", "to": "a,\r\n b"}`, "to must be one line"},
		{`{"url": "x", "to": ["a\tb"]}`, "to must be one line"},
		{`{"url": "x", "to": 7}`, "to must be a text or a list of texts"},
		{`{"url": "x", "smtp": {"host": "a\nb"}}`, "smtp.host must be one line"},
		{`{"url": "x", "headers": {"X": 1}}`, "headers.X must be a text"},
		{`{"url": "x", "headers": ["X"]}`, "headers must be an object of texts"},
		{`{"url": "x", "headers": {"X": null}}`, "headers.X must be a text"},
		{`{"url": "x", "auth": {"kind": "basic", "user": "u"}}`, "auth.password is missing"},
		{`{"url": "x", "auth": {"kind": "magic"}}`, "auth.kind"},
		{`{"url": "x", "smtp": {"password": "secret-text"}}`, "smtp.host is missing"},
		{`{"url": "x", "smtp": {"host": "h", "pass": "secret-text"}}`, "smtp.pass is none of"},
		{`{"url": "x", "smtp": "h"}`, "smtp must be an object with host, password"},
		{`{"url": "x", "body": "` + strings.Repeat("a", 1<<20) + `"}`, "at most"},
	}
	for _, tt := range tests {
		err := kind.Check(json.RawMessage(tt.settings))
		if tt.says == "" && err != nil || tt.says != "" && (gangway.KindOf(err) != gangway.Invalid ||
			!strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "secret-text")) {
			t.Errorf("Check(%.80s) = %v; want %q", tt.settings, err, tt.says)
		}
	}
}

const whole = `{"auth":{"kind":"basic","password":"hush1","user":"u"},"body":"hush2",` +
	`"headers":{"X-A":"hush3","X-B":"hush4"},"smtp":{"host":"m","password":"hush5"},"url":"https://u:hush6@a.example/crew?key=hush7"}`

func TestSplitAndMerge(t *testing.T) {
	open, secret, err := kind.Split(json.RawMessage(whole))
	const want = `{"auth":{"kind":"basic","password":null,"user":"u"},"body":null,"headers":{"X-A":null,"X-B":null},` +
		`"smtp":{"host":"m","password":null},"url":"https://u@a.example/crew"}`
	if err != nil || string(open) != want {
		t.Fatalf("Split = %s, %v; want %s", open, err, want)
	}
	if n := strings.Count(string(secret), "hush"); n != 7 {
		t.Errorf("%d secrets are sealed; want 7", n)
	}
	if merged, err := transport.Merge(open, secret); err != nil || string(merged) != whole {
		t.Errorf("Merge = %s, %v; want what was split", merged, err)
	}
	if again, err := kind.Change(json.RawMessage(whole), open); err != nil || string(again) != whole {
		t.Errorf("what is shown, given again, becomes %s, %v; want no change", again, err)
	}
	const bad = `{"url":"postgres://u:hu/sh@a.example/x"}`
	if open, _, err := kind.Split(json.RawMessage(bad)); err != nil || strings.Contains(string(open), "sh") {
		t.Errorf("Split of an address that cannot be read shows %s, %v", open, err)
	}
	plain := `{"url":"https://a.example/crew","user":"u"}`
	open, secret, err = kind.Split(json.RawMessage(plain))
	if err != nil || string(open) != plain || string(secret) != "{}" {
		t.Errorf("Split(%s) = %s and %s, %v; want nothing sealed", plain, open, secret, err)
	}
}

// Secrets stay where a change leaves them out, and never go to another system or for another user.
func TestChange(t *testing.T) {
	const base = `{"url": "https://u@a.example/crew", "smtp": {"host": "m"}, "auth": {"kind": "basic", "user": "u"}, ` +
		`"headers": {"X-A": null, "X-B": null}`
	tests := []struct{ given, says, want string }{
		{base + `}`, "", whole},
		{base + `, "body": "new"}`, "", strings.Replace(whole, "hush2", "new", 1)},
		{base + `, "body": ""}`, "", strings.Replace(whole, "hush2", "", 1)},
		{`{"url": "https://u@a.example/crew", "smtp": {"host": "m"}}`, "", whole},
		{`{"url": "https://u@a.example/crew", "smtp": {"host": "n", "password": "new"}}`, "",
			strings.NewReplacer(`"m"`, `"n"`, "hush5", "new").Replace(whole)},
		{`{"url": "https://u@a.example/crew?", "auth": {"kind": "none"}, "headers": {"X-A": null}, "body": ""}`, "",
			`{"auth":{"kind":"none"},"body":"","headers":{"X-A":"hush3"},"url":"https://u@a.example/crew"}`},
		{`{"url": "https://u@a.example/other", "auth": {"kind": "none"}, "headers": {}, "body": ""}`, "",
			`{"auth":{"kind":"none"},"body":"","headers":{},"url":"https://u@a.example/other"}`},
		{`{"url": "https://b.example/crew"}`, "url is another than before: give body, headers, auth again", ""},
		{`{"url": "http://u@a.example/crew"}`, "url is another", ""},
		{`{"url": "https://v@a.example/crew"}`, "url is another", ""},
		{`{"url": "https://u@a.example:8443/crew"}`, "url is another", ""},
		{`{"url": "https://u@a.example/crew/v2?key=new", "auth": {"kind": "basic", "user": "u"}}`, "",
			`{"auth":{"kind":"basic","password":"hush1","user":"u"},"body":"hush2","headers":{"X-A":"hush3","X-B":"hush4"},` +
				`"url":"https://u@a.example/crew/v2?key=new"}`},
		{`{"url": "https://u@a.example/~other"}`, "url is another than before: give body, headers, auth again", ""},
		{`{"url": "https://u@a.example/crew/../~other"}`, "url is another", ""},
		{`{"url": "https://u@a.example/crew/%2e%2e%2f~other"}`, "url is another", ""},
		{`{"url": "https://u@a.example/crew\\..\\~other"}`, "url is another", ""},
		{`{"url": "https://u@a.example"}`, "url is another", ""},
		{`{"url": "https://u@a.example/crew", "port": 7}`, "port is another", ""},
		{`{"url": "https://u@a.example/crew", "port": 7, "auth": {"kind": "none"}, "headers": {}, "body": ""}`,
			"port is another than before: give url again", ""},
		{`{"url": "https://u@a.example/crew", "user": "w"}`, "user is another", ""},
		{`{"url": "https://u@a.example/crew", "auth": {"kind": "basic", "user": "w"}}`, "auth.user is another", ""},
		{base + `, "smtp": {"host": "n"}}`, "one JSON object", ""},
		{`{"url": "https://u@a.example/crew", "smtp": {"host": "n"}}`, "smtp.host is another than before: give smtp.password again", ""},
		{`{"url": "https://u@a.example/crew", "auth": {"kind": "bearer"}}`, "auth.token is missing", ""},
		{`{"url": "https://u@a.example/crew", "headers": {"X-C": null}}`, "headers.X-C must be", ""},
		{`{"url": "https://b.example/crew", "auth": {"kind": "none"}, "headers": {}, "body": ""}`, "",
			`{"auth":{"kind":"none"},"body":"","headers":{},"url":"https://b.example/crew"}`},
	}
	for _, tt := range tests {
		got, err := kind.Change(json.RawMessage(whole), json.RawMessage(tt.given))
		if tt.says == "" && (err != nil || string(got) != tt.want) {
			t.Errorf("Change(%s) = %s, %v; want %s", tt.given, got, err, tt.want)
		}
		if tt.says != "" && (gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), tt.says) ||
			strings.Contains(err.Error(), "hush")) {
			t.Errorf("Change(%s) = %v; want %q", tt.given, err, tt.says)
		}
	}
}
