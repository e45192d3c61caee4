package wire_test

import (
	"slices"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// TestRecordsAreWrittenAsTheyAreRead holds that what is stored of a record is written in the interface's
// spelling, with what the interface does not name where it stood.
func TestRecordsAreWrittenAsTheyAreRead(t *testing.T) {
	one := func(doc string) func(func(int, jsontext.Value) bool) {
		return slices.All([]jsontext.Value{[]byte(doc)})
	}
	for _, tt := range []struct {
		name, doc string
		write     func(doc string) jsontext.Value
	}{
		{"traveller", `{"last_name":"Reyes","first_name":"Ana","dob":"1990-01-31","nationality":"PH","gender":"F",` +
			`"doc_country":"PH","doc_number":"P123","doc_expire":"2030-01-31","home_airport":"MNL",` +
			`"email":"ana@example.com","phone":"+639","id":"7","rank":{"code":"AB"}}`,
			func(doc string) (out jsontext.Value) {
				for r := range wire.Travellers(one(doc)) {
					out = wire.Traveller(*r, "")
				}
				return out
			}},
		{"travel request", `{"externalInfo":{"requestId":"R1","subRequestId":"a","additionalInfo":{"k":"v"},"by":"x"},` +
			`"traveler":{"lastName":"Reyes","firstName":"Ana","gender":"F","docExpireDate":"2030-01-31",` +
			`"customFields":{"rank":"AB"}},` +
			`"flight":{"origin":"MNL","destination":"SIN","date":"2026-12-01",` +
			`"intermediateAirports":[{"airport":"HKG","date":"2026-12-02"}],"seat":1},` +
			`"hotel":{"location":"Singapore","checkIn":"2026-12-02","checkOut":"2026-12-03"},` +
			`"details":{"rank":"AB","remarks":"r","vehicle":{"name":"Nordlys","flag":"NO","vehicleType":"Vessel"},` +
			`"more":true},"cost":1.10}`,
			func(doc string) (out jsontext.Value) {
				for r := range wire.TravelRequests(one(doc)) {
					out = wire.TravelRequest(*r, "")
				}
				return out
			}},
		{"crew change", `{"vessel":"Nordlys","flag":"NO","change_date":"2026-12-01","travel_request_id":"T1",` +
			`"onsigners":[{"last_name":"Reyes","first_name":"Ana","arrive":{"port":"SIN","date":"2026-12-01"},` +
			`"metadata":{"a":"b"},"custom_fields":{"c":"d"},"rank":"AB"}],` +
			`"offsigners":[{"last_name":"Cruz","first_name":"Jo","depart":"2026-12-02","change_date":"2026-12-01"}],` +
			`"port":"SGSIN"}`,
			func(doc string) (out jsontext.Value) {
				for r := range wire.CrewChanges(one(doc)) {
					out = wire.CrewChange(*r)
				}
				return out
			}},
	} {
		if got := tt.write(tt.doc); string(got) != tt.doc {
			t.Errorf("%s\n%s\nis written\n%s", tt.name, tt.doc, got)
		}
	}
	got := string(wire.Traveller(gangway.Traveller{LastName: "Reyes", FirstName: "Ana", Extra: []byte(`{"source":"HR"}`)},
		gangway.FeedSource("crew")))
	if want := `{"source":"feed:crew","last_name":"Reyes","first_name":"Ana"}`; got != want {
		t.Errorf("with its source: %s; want %s", got, want)
	}
}
