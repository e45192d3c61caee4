package wire

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// sentBySystems has a value for each field of a traveller that customers' systems
// send; the fields without a value are entered here. A new field needs a new line.
var sentBySystems = map[string]string{
	"id": "C-1001", "last_name": "Reyes", "first_name": "Ana", "dob": "1990-05-17", "nationality": "PH", "gender": "F",
	"doc_country": "PH",
	"doc_number":  "P1234567A", "doc_expire": "2030-01-31", "home_airport": "MNL", "email": "ana@crew.example",
	"phone":     "+63 2 555 0101",
	"on_ticket": "", "frequent_flyer": "", "extra": "",
}

// Every field of a traveller is read in each of the three ways in which travellers
// arrive: in an upload, with a travel request, and by a hand-off.
func TestTravellersAreReadWholeInEveryWay(t *testing.T) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[gangway.Traveller]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		value, known := sentBySystems[name]
		if !known {
			t.Errorf("%s: a new field of travellers needs a line above, and must be read", name)
		}
		if value == "" {
			continue
		}
		alone := func(way string, got gangway.Traveller) {
			if s := reflect.ValueOf(got).FieldByIndex(field.Index).String(); s != value {
				t.Errorf("%s by %s is %q; want %q", name, way, s, value)
			}
			if len(got.Extra) > 0 {
				t.Errorf("%s by %s is kept as an unknown member: %s", name, way, got.Extra)
			}
		}
		for got := range Travellers(one(fmt.Sprintf(`{%q:%q}`, name, value))) {
			alone("upload", *got)
		}
		request := fmt.Sprintf(`{"externalInfo":{"requestId":"R-1"},"traveler":{%q:%q}}`, camel(name), value)
		for got := range TravelRequests(one(request)) {
			alone("travel request", got.Traveller)
		}
		handed, err := ReadHandoff(url.Values{"onsigners[0][" + name + "]": {value}},
			gangway.Today{Earliest: "2026-11-01", Latest: "2026-11-02"})
		if err != nil || len(handed.Change.OnSigners) != 1 {
			t.Fatalf("ReadHandoff: %v, %+v", err, handed)
		}
		alone("hand-off", handed.Change.OnSigners[0].Traveller)
	}
}

// camel returns the name of a member in the traveler of a travel request.
func camel(name string) string {
	if name == "doc_expire" {
		return "docExpireDate" // Decided: docs/choices.md, "Uploads"
	}
	words := strings.Split(name, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}

// one returns a sequence of one record.
func one(record string) func(yield func(int, jsontext.Value) bool) {
	return func(yield func(int, jsontext.Value) bool) { yield(0, jsontext.Value(record)) }
}
