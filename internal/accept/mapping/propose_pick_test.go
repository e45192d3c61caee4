package mapping

import (
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// proposed proposes a program for a document and returns it, what it makes of the document, and what is unsure.
func proposed(t *testing.T, flow gangway.Flow, doc string) (program, records, unsure string) {
	t.Helper()
	p, err := propose(t.Context(), runner, flow, open(t, doc, gangway.DocumentFormat{}), today)
	must(t, err)
	for _, u := range p.Unsure {
		unsure += u.Field + " of " + u.Source + ": " + u.Why + "\n"
	}
	records, _ = made(t, p.Program, flow, doc)
	return p.Program, records, unsure
}

// TestPassportIsPicked: of several documents the passport is taken that is valid for longest, or none, which the
// proposal says; of a list that has only one document in the sample it says that there may be more.
func TestPassportIsPicked(t *testing.T) {
	const head = `{"last_name":"Cruz","first_name":"Ana","countryOfBirth":"DE","documents":`
	const none = "doc_number of documents: there are several documents, and nothing says which is the passport that " +
		"is valid: pick it by hand\n"
	const two = "doc_number of documents: somebody has two passports that have not ended: of those that were "
	for _, tt := range []struct{ documents, want, unsure string }{
		{`[{"type":"SEAMAN BOOK","number":"SB123456","validTo":"2033-01-01"},` +
			`{"type":"PASSPORT","number":"P1234567","validTo":"01/02/2031"},` +
			`{"type":"PASSPORT","number":"P0234567","validTo":"02/03/2021"},{"type":"VISA","number":"V1234567"}]`,
			`"doc_expire":"2031-02-01","doc_number":"P1234567"`, ""},
		{`[{"type":"PASSPORT","number":"P1234567","issued":"02/01/2021","validTo":"2031-01-02"},` +
			`{"type":"PASSPORT","number":"P7654321","issued":"13/01/2999","validTo":"3009-01-13"}]`,
			`"doc_number":"P1234567"`, two},
		{`[{"type":"PASSPORT","number":"P1234567","validTo":"2931-01-02"},` +
			`{"type":"PASSPORT","number":"P7654321","validTo":"2932-01-13"}]`, `"doc_number":"P7654321"`,
			two},
		{`[{"number":"SB123456","validTo":"2033-01-01"},{"number":"P1234567","validTo":"2031-02-01"}]`, "", none},
		{`[{"type":"PASSPORT","number":"P0234567"},{"type":"PASSPORT","number":"P1234567"}]`, "", none},
		{`[{"type":"SEAMAN BOOK","number":"SB123456","validTo":"2033-01-01"}]`, `"doc_number":"SB123456"`,
			"doc_number of documents.[0].number: it is that of the first of a list"},
	} {
		program, records, unsure := proposed(t, gangway.TravellersFlow, "["+head+tt.documents+"}]")
		if !strings.Contains(records, tt.want) || tt.want == "" && strings.Contains(records, `"doc_number"`) ||
			!strings.Contains(unsure, tt.unsure) || strings.Contains(records, "doc_country") ||
			strings.Contains(unsure, "two passports") != strings.Contains(tt.unsure, "two passports") {
			t.Errorf("%s: %s\nmakes %s\n%s", tt.documents, program, records, unsure)
		}
	}
	_, records, _ := proposed(t, gangway.CrewChangesFlow, `<plan><change><vessel>A</vessel><date>2026-12-01</date>`+
		`<joiners><member><surname>Cruz</surname><firstname>Ana</firstname><documents><document><kind>CDC</kind>`+
		`<no>C1234567</no><expiry>2033-01-01</expiry></document><document><kind>Passport</kind><no>P1234567</no>`+
		`<expiry>2031-02-01</expiry></document></documents></member></joiners></change></plan>`)
	if want := `{"change_date":"2026-12-01","onsigners":[{"doc_expire":"2031-02-01","doc_number":"P1234567",` +
		`"first_name":"Ana","last_name":"Cruz"}],"vessel":"A"}`; records != want {
		t.Errorf("a member's documents: %s; want %s", records, want)
	}
}

// TestProposalsDoNotFail: no program is proposed that fails on the sample it was made from, or loses people of it.
func TestProposalsDoNotFail(t *testing.T) {
	const change = `<plan><change><vessel>A</vessel><date>2026-12-01</date>%s</change></plan>`
	const cruz = "<surname>Cruz</surname><firstname>Ana</firstname>"
	const rey = "<surname>Rey</surname><firstname>Eva</firstname>"
	const both = `{"first_name":"Ana","last_name":"Cruz"},{"first_name":"Eva","last_name":"Rey"}`
	for _, tt := range []struct {
		flow           gangway.Flow
		doc, want, not string
	}{
		{gangway.CrewChangesFlow, strings.Replace(change, "%s", "<onsigners><m>"+cruz+"</m><m>"+rey+"</m></onsigners>"+
			"<offsigners><m>"+cruz+"</m></offsigners>", 1), `"onsigners":[` + both + `]`, "fails"},
		{gangway.CrewChangesFlow, `{"changes":[{"vessel":"A","port":"SIN","date":"2026-12-01","crew":[` +
			`{"person":{"surname":"Cruz","first name":"Ana"},"side":"on"},{"person":["?"],"side":"on"}]}]}`,
			`"onsigners":[{"first_name":"Ana","last_name":"Cruz"}`, "fails"},
		{gangway.TravellersFlow, `[{"last_name":"Allson1","first_name":"Test1","birth":"1985-02-01"},` +
			`{"last_name":"Berg12","first_name":"Test12","birth":"1986-02-01"}]`, `"last_name":"Allson1"`, "fails"},
		{gangway.TravellersFlow, `["?",{"surname":"Rey","given":"Eva","born":"01/02/1985","expires":"13/02/2031"}]`,
			`"dob":"1985-02-01"`, "No program"},
		{gangway.TravellersFlow, "surname;Seaman book no;Expiry;Passport no;Valid to;x\n" +
			"Cruz;SB123456;01/02/2026;P1234567;03/02/2031;1\n", `"doc_expire":"2031-02-03"`, "2026-02-01"},
		{gangway.TravellersFlow, "surname;Passport no;Expiry;Valid to;x\nCruz;P1234567;05/02/2031;03/02/2032;1\n",
			`"doc_number":"P1234567"`, "doc_expire"},
	} {
		program, records, unsure := proposed(t, tt.flow, tt.doc)
		if !strings.Contains(records, tt.want) || strings.Contains(records+program, tt.not) {
			t.Errorf("%s: %s\nmakes %s\n%s", tt.doc, program, records, unsure)
		}
	}
}

// TestTwoSpellings: of a field that the records of a sample spell in two ways, the one that is not taken is unsure. So
// is a number that may be another document's, or the ship's airport, which are no part of the proposal whatever their
// values look like.
func TestTwoSpellings(t *testing.T) {
	for _, tt := range []struct{ doc, unsure string }{
		{`[{"surname":"Cruz","first_name":"Ana"},{"lastName":"Rey","first_name":"Eva"}]`,
			"last_name of surname: records that have no lastName have this: take (.lastName // .surname)\n"},
		{"Nachname;Ausweisnummer\nCruz;C1234567\n", "of Ausweisnummer: it may not be the doc_number"},
		{"Apellidos;Nombre;Numero documento\nCruz;Ana;P1234567A\nRey;Eva;P7654321B\n",
			"of Numero documento: it may not be the doc_number"},
		{"Apellidos;Nombre;Joining airport\nCruz;Ana;ROT\nRey;Eva;AMS\n",
			"of Joining airport: it may not be the home_airport"},
		{`[{"surname":"Cruz","first_name":"Ana","lastName":"Cruz"},{"lastName":"Rey","first_name":"Eva"}]`, ""},
	} {
		program, _, unsure := proposed(t, gangway.TravellersFlow, tt.doc)
		if strings.Contains(program, "Numero") || strings.Contains(program, "Joining") ||
			!strings.Contains(unsure, tt.unsure) || tt.unsure == "" && strings.Contains(unsure, "take (") {
			t.Errorf("%s: %s; want %s", tt.doc, unsure, tt.unsure)
		}
	}
}

// TestEndlessNameIsNoWork has a column whose name is a hundred thousand words. Whoever looked at each part of it
// would not come to an end.
func TestEndlessNameIsNoWork(t *testing.T) {
	program, _, _ := proposed(t, gangway.TravellersFlow, "Pers-Nr,Nachname,Vorname,Geb,metadata."+
		strings.Repeat("a.", 100_000)+"b\n4701,Rey,Ana,31.12.1990,1\n")
	if !strings.Contains(program, "dob: .Geb") {
		t.Errorf("proposed is %.200q; want the columns whose names say something", program)
	}
}
