package mapping

import (
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// TestCoverageSaysWhatIsNotFilled: a trial says which of our fields no record had, and which names of theirs are
// read as no field.
func TestCoverageSaysWhatIsNotFilled(t *testing.T) {
	const travellers, requests, changes = gangway.TravellersFlow, gangway.TravelRequestsFlow, gangway.CrewChangesFlow
	for _, tt := range []struct {
		name, program, doc string
		flow               gangway.Flow
		unfilled, unread   string
	}{
		{"names", "", "Surname,First name,Dienstgrad,Nat\nCruz,Ana,AB,PH\nRey,Bea,AB,\n", travellers,
			"dob doc_country doc_expire doc_number email gender home_airport id phone", "Dienstgrad"},
		{"a program", `.[] | {last_name: .A, first_name: .["Ruf name"], phone: (.["Tel"] // .E)}`,
			"A,Ruf name,C,Tel,E\nCruz,Ana,1,,\n", travellers,
			"dob doc_country doc_expire doc_number email gender home_airport id nationality phone", "C"},
		{"no records", "", "Surname,First name\n", travellers, "", ""},
		{"what is put out as it is", `.[] | . + {last_name: .A}`, "A,B\nCruz,1\n", travellers,
			"dob doc_country doc_expire doc_number email first_name gender home_airport id nationality phone", ""},
		{"sections", "", `[{"requestId":"1","traveler":{"lastName":"Cruz","firstName":"A"},` +
			`"flight":{"date":"2026-12-01"},"desk":{"lastName":"B"}}]`, requests,
			"details flight.destination flight.origin hotel traveler.dob traveler.docCountry " +
				"traveler.docExpireDate traveler.docNumber traveler.email traveler.gender traveler.homeAirport " +
				"traveler.id traveler.nationality traveler.phone", "desk"},
		{"members", `group_by(.v)[] | {vessel: .[0].v, change_date: "2026-12-01", travel_request_id: .[0].n, ` +
			`onsigners: map({id: .n, last_name: .s, first_name: .s, dob, gender, nationality: .x, doc_country: .x, ` +
			`doc_number: .x, doc_expire: .x, email: .x})}`, "v,s,n,dob,gender,x,rank\nA,Cruz,1,2,3,4,5\n", changes,
			"flag offsigners onsigners.arrive onsigners.home_airport onsigners.phone", "rank"},
		{"elements", `[.crew.m] | flatten[] | {last_name: .name.last}`, "<crew><m><name><last>Cruz</last><own>A</own></name>" +
			"<rank>AB</rank></m></crew>", travellers, "dob doc_country doc_expire doc_number email first_name gender " +
			"home_airport id nationality phone", "name.own rank"},
	} {
		covers := NewCoverage(tt.flow)
		madeOf(reading(t, tt.program, tt.flow, tt.doc).Note(covers))
		if got := strings.Join(covers.Unfilled(), " "); got != tt.unfilled {
			t.Errorf("%s: no record had %s; want %s", tt.name, got, tt.unfilled)
		}
		if got := strings.Join(covers.Unread(), " "); got != tt.unread {
			t.Errorf("%s: not read are %s; want %s", tt.name, got, tt.unread)
		}
	}
}

// TestOthersNamesAreNotThePersons: what is called so within an agent, a rank or a ship is not the person's, and takes
// nothing from the person's own fields.
func TestOthersNamesAreNotThePersons(t *testing.T) {
	for _, doc := range []string{
		`[{"agent":{"last_name":"Bond"},"last_name":"Cruz","first_name":"Ana"}]`,
		`[{"rank":{"name":"Bosun"},"last_name":"Cruz","first_name":"Ana"}]`,
		`[{"Name":"Bosun","Surname":"Cruz","first_name":"Ana"}]`,
	} {
		if got, _ := made(t, "", gangway.TravellersFlow, doc); !strings.Contains(got, `"last_name":"Cruz"`) {
			t.Errorf("%s is read as %s", doc, got)
		}
	}
	const nested = `[{"legal":{"familyName":"Cruz","givenName":"Ana"},"rank":{"name":"Bosun"},"agent":{"familyName":"B"}},` +
		`{"legal":{"familyName":"Rey","givenName":"Bea"},"rank":{"name":"Cook"},"agent":{"familyName":"C"}}]`
	if program, _, _ := proposed(t, gangway.TravellersFlow, nested); strings.Contains(program, ".rank.name") {
		t.Errorf("proposed is %s", program)
	}
}
