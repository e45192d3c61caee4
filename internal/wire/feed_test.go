package wire_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/wire"
)

// TestFeedIsWrittenAsItIsRead holds that a feed that was shown can be set as it is.
func TestFeedIsWrittenAsItIsRead(t *testing.T) {
	for _, tt := range []struct{ in, out string }{
		{`{"name":"crew","flow":"travellers","transport":{"kind":"folder","path":"/crew"}}`,
			`{"name":"crew","flow":"travellers","transport":{"kind":"folder","path":"/crew"},"format":"auto"}`},
		{`{"transport":{"url":"https://hr.example/crew","kind":"endpoint",` +
			`"auth":{"kind":"basic","user":"u","password":null}},
			"flow":"crew-changes","name":"changes","format":"csv","mapping":".","complete":true,"off":false,
			"every":"1h0m0s"}`,
			`{"name":"changes","flow":"crew-changes","every":"1h","transport":{"kind":"endpoint",` +
				`"url":"https://hr.example/crew","auth":{"kind":"basic","user":"u","password":null}},` +
				`"format":"csv","mapping":".","complete":true}`},
		{`{"name":"crew","flow":"travellers","transport":{"kind":"folder"},"every":"1h30m","off":true,"complete":null}`,
			`{"name":"crew","flow":"travellers","every":"1h30m","transport":{"kind":"folder"},"format":"auto","off":true}`},
	} {
		f, err := wire.ReadFeed([]byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		out := wire.Feed(f, nil)
		if string(out) != tt.out {
			t.Errorf("%s\nis written %s\nwant       %s", tt.in, out, tt.out)
		}
		again, err := wire.ReadFeed(wire.Feed(f, map[string]string{"due": "never"}))
		if err != nil || string(wire.Feed(again, nil)) != tt.out {
			t.Errorf("%s is read again as %s, %v", out, wire.Feed(again, nil), err)
		}
	}
}

func TestWrongFeeds(t *testing.T) {
	with := func(members string) string {
		return `{"name": "crew", "flow": "travellers", "transport": {"kind": "folder"}, ` + members + `}`
	}
	for _, tt := range []struct{ in, want string }{
		{``, `a feed must be a JSON object in UTF-8; this is none, at byte 0`},
		{`[]`, `a feed must be a JSON object such as {"name": …, "flow": …, "transport": {"kind": …}}`},
		{`{"name": "crew",,}`, `a feed must be a JSON object in UTF-8; this is none, at byte 16`},
		{`{"name": "crew"} {}`, `a feed must be a JSON object in UTF-8; this is none, at byte 17`},
		{with(`"name": "crew"`), `name comes twice`},
		{`{"name": "crew", "transport": {"auth": {"password": "a", "password": "b"}}}`,
			`transport.auth.password comes twice`},
		{`{"flow": "travellers", "transport": {"kind": "folder"}}`, `name is missing`},
		{`{"name": "crew", "flow": null, "transport": {"kind": "folder"}}`, `flow is missing`},
		{`{"name": "crew", "flow": "travellers"}`, `transport is missing`},
		{`{"name": "crew", "flow": "travellers", "transport": {}}`, `transport.kind is missing`},
		{`{"name": "crew", "flow": "travellers", "transport": {"kind": 1}}`, `transport.kind must be text`},
		{`{"name": "crew", "flow": "travellers", "transport": "folder"}`,
			`transport must be an object such as {"kind": "endpoint", "url": …}`},
		{`{"name": 7}`, `name must be text`},
		{`{"flow": ["travellers"]}`, `flow must be text`},
		{with(`"every": 60`), `every must be a length of time such as "1h" or "90m"`},
		{with(`"every": "hourly"`), `every must be a length of time such as "1h" or "90m"`},
		{with(`"every": "0s"`), `every must be a length of time such as "1h" or "90m"`},
		{with(`"every": "-1h"`), `every must be a length of time such as "1h" or "90m"`},
		{with(`"mapping": {}`), `mapping must be text: a jq program`},
		{with(`"complete": "yes"`), `complete must be true or false`},
		{with(`"removal_limit": "30"`), `removal_limit must be a whole number of percent`},
		{with(`"off": 1`), `off must be true or false`},
		{with(`"format": "excel"`), `format: kind must be auto, json, yaml, csv, xlsx, xml, soap, fixed or pairs`},
		{with(`"interval": "1h"`), `"interval" is no member of a feed; there are name, flow, every, transport, format, ` +
			`mapping, complete, removal_limit and off`},
	} {
		_, err := wire.ReadFeed([]byte(tt.in))
		if gangway.KindOf(err) != gangway.Invalid || err.Error() != tt.want {
			t.Errorf("%s: %v; want %s", tt.in, err, tt.want)
		}
	}
}
