package wire_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/wire"
)

// An outlet is read as it is written, and as usual where something is left out.
func TestOutlet(t *testing.T) {
	for doc, want := range map[string]gangway.Outlet{
		`{"transport":{"kind":"folder","path":"/srv"},"mapping":null}`: {Name: "default", Format: gangway.JSONFormat,
			Transport: gangway.Transport{Kind: "folder", Settings: json.RawMessage(`{"path":"/srv"}`)}},
		`{"name":"erp","states":["issued"],"mapping":".id","format":"csv","batch":"15m","transport":{"kind":"sftp",` +
			`"password":null},"paused":true,"state":{"off":true}}`: {Name: "erp", States: []gangway.State{gangway.Issued},
			Mapping: ".id", Format: gangway.CSVFormat, Batch: 15 * time.Minute, Paused: true,
			Transport: gangway.Transport{Kind: "sftp", Settings: json.RawMessage(`{"password":null}`)}},
	} {
		got, err := wire.ReadOutlet([]byte(doc))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ReadOutlet(%s) = %+v, %v; want %+v", doc, got, err, want)
		}
		again, err := wire.ReadOutlet(wire.Outlet(got, map[string]bool{"off": true}))
		if err != nil || !reflect.DeepEqual(again, want) {
			t.Errorf("written and read again it is %+v, %v; want %+v", again, err, want)
		}
	}
	for doc, says := range map[string]string{
		`[]`:                             "an outlet must be a JSON object such as",
		`{}`:                             "transport is missing",
		`{"transport":{"path":"/srv"}}`:  "transport.kind is missing",
		`{"name":"a","name":"b"}`:        "name comes twice",
		`{"batch":"soon"}`:               "batch must be a length of time",
		`{"states":"issued"}`:            "states must be a list",
		`{"transport":"hush","every":1}`: "transport must be an object",
		`{"every":"1h"}`:                 `"every" is no member of an outlet`,
	} {
		_, err := wire.ReadOutlet([]byte(doc))
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), says) ||
			strings.Contains(err.Error(), "hush") {
			t.Errorf("ReadOutlet(%s) = %v; want %q", doc, err, says)
		}
	}
}
