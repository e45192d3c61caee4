package mapping

import (
	"slices"
	"strings"
	"testing"

	"gangway/internal/gangway"

	"github.com/google/go-cmp/cmp"
)

// remarked returns what is said of a document as a whole once it was read.
func remarked(records *Records) (said []string) {
	for _, r := range records.Remarks() {
		said = append(said, r.Message)
	}
	return said
}

// TestGuessesAreSaidOnce: what helpers were not sure of is said once for a document, with how often and three
// examples, whether a program calls them or not.
func TestGuessesAreSaidOnce(t *testing.T) {
	const people = "n,c,a\nLI WEI,T.C.,Kingston\nPieter van der Berg,S.A.,Manila\nAna CRUZ,NL,MNL\n" +
		"Juan Rey,N.A.,Kingston\nEva Lim,PH,Oslo\n"
	const dotted = `A dotted abbreviation was left as it is because it names no single country. 2 in all: ` +
		`"S.A.", "N.A.".`
	const places = `An airport's name was left as it is because several countries have such a place; a mapping can say ` +
		`which: airport(name; country). 2 in all: "Kingston".`
	const names = `The last word was taken as the family name where a name does not say which part it is. 4 in all: ` +
		`"LI WEI" as "WEI", "Pieter van der Berg" as "van der Berg", "Juan Rey" as "Rey".`
	for _, tt := range []struct {
		program, doc string
		want         []string
	}{
		{`.[] | {last_name: .n | family_name, first_name: .n | given_names, nationality: .c | country, ` +
			`home_airport: .a | airport}`, people, []string{dotted, places, names}},
		{`[.[] | {last_name: .n, home_airport: .a | airport}] | sort[]`, people, []string{places}},
		{`.[] | {last_name: .n, home_airport: airport(.a; "NO")}`, people, []string{`An airport's name was left as it ` +
			`is because the country beside it has no such airport. 3 in all: "Kingston", "Manila".`}},
		{"", strings.Replace(people, "n,c,a", "surname,nationality,home airport", 1), []string{dotted, places}},
	} {
		_, records := made(t, tt.program, gangway.TravellersFlow, tt.doc)
		got := remarked(records)
		if slices.Sort(got); !cmp.Equal(got, tt.want) {
			t.Errorf("%s: %s", tt.program, cmp.Diff(tt.want, got))
		}
	}
}

// TestBareExpiry: a column that says only until when a document is valid is of the document before it. Where it may
// be the passport's or not, it is not read, which is said.
func TestBareExpiry(t *testing.T) {
	const unclear = "Until when the passport is valid was not read: nothing says whether it is %s."
	for _, tt := range []struct{ doc, want, unclear string }{
		{"surname;Seaman book no;Expiry;Passport no;Valid to\nCruz;SB1;2026-01-01;P1;2031-05-05\n", "2031-05-05", ""},
		{"surname;Seaman book no;Expiry;Passport no;Expiry\nCruz;SB1;2026-01-01;P1;2031-05-05\n", "2031-05-05", ""},
		{"surname;Passport no;Expiry;Seaman book no;Expiry\nCruz;P1;2031-05-05;SB1;2026-01-01\n", "2031-05-05", ""},
		{"surname;Passport no;Seaman book no;Expiry\nCruz;P1;SB1;2026-01-01\n", "", ""},
		{"surname;Visa;Expiry;Passport expiry;Valid to\nCruz;V1;2026-01-01;2031-05-05;2027-01-01\n", "2031-05-05", ""},
		{"surname;Passport no;Country of residence;Expiry\nCruz;P1;NL;2031-05-05\n", "2031-05-05", ""},
		{"surname;Expiry;Passport no\nCruz;2031-05-05;P1\n", "2031-05-05", ""},
		{"surname;Expiry;Passport no;CDC No\nCruz;2031-05-05;P1;C1\n", "", "Expiry"},
		{"surname;Passport no;SIRB No;Expiry\nCruz;P1;SB1;2026-01-01\n", "", "Expiry"},
		{"surname;Passport no;Seafarer ID;Expiry\nCruz;P1;S1;2026-01-01\n", "", "Expiry"},
		{"surname;GMDSS;Expiry;Passport no\nCruz;G1;2026-01-01;P1\n", "", "Expiry"},
		{"surname;Passport no;Expiry;Contract;Expiry\nCruz;P1;2031-05-05;C1;2026-01-01\n", "2031-05-05", ""},
		{"surname;Passport no;Valid from;Valid to\nCruz;P1;2021-05-05;2031-05-05\n", "2031-05-05", ""},
		{"surname;Passport no;Date of Issue;Issuing authority;Type;dob;Expiry\nCruz;P1;2021-05-05;DFA;P;1985-02-01;" +
			"2031-05-05\n", "2031-05-05", ""},
		{"surname;Passport no;Expiry;Valid to\nCruz;P1;2031-05-05;2032-05-05\n", "", "Expiry or Valid to"},
		{`[{"surname":"Cruz","seamanBook":"SB1","expiry":"2026-01-01","passportNo":"P1"}]`, "", "expiry"},
		{`[{"surname":"Cruz","expiry":"2031-05-05","passportNo":"P1"}]`, "2031-05-05", ""},
	} {
		got, records := made(t, "", gangway.TravellersFlow, tt.doc)
		_, expiry, _ := strings.Cut(got, `"doc_expire":"`)
		if expiry = expiry[:min(10, len(expiry))]; expiry != tt.want {
			t.Errorf("%s is stored as %s; want it to expire on %q", tt.doc, got, tt.want)
		}
		said := slices.DeleteFunc(remarked(records), func(s string) bool {
			return strings.HasPrefix(s, "Several columns are called")
		})
		var want []string
		if tt.unclear != "" {
			want = []string{strings.Replace(unclear, "%s", tt.unclear, 1)}
		}
		if !slices.Equal(said, want) {
			t.Errorf("%s: %s", tt.doc, cmp.Diff(want, said))
		}
	}
}

// TestEachRecordIsReadForItself: what a record calls a field does not depend on what others call it.
func TestEachRecordIsReadForItself(t *testing.T) {
	const cruz, rey = `{"dob":"1985-02-01","last_name":"Cruz"}`, `{"dob":"1986-03-02","last_name":"Rey"}`
	const nested = `{"externalInfo":{"requestId":"R1"},"flight":{"date":"2026-12-01","destination":"SIN","origin":"MNL"},` +
		`"traveler":{"docExpireDate":"2031-05-05","firstName":"Ana","lastName":"Cruz"}}`
	for _, tt := range []struct {
		flow      gangway.Flow
		doc, want string
	}{
		{gangway.TravellersFlow, `[{"last_name":"Cruz","dob":"1985-02-01"},{"last_name":"Rey","dateOfBirth":"1986-03-02"},` +
			`{"last_name":"Cruz","dob":"1985-02-01"}]`, cruz + "\n" + rey + "\n" + cruz},
		{gangway.TravellersFlow, `[{"surname":"Cruz","dateOfBirth":"1985-02-01","dob":null},{"surname":"Rey",` +
			`"dob":"1986-03-02","dateOfBirth":""}]`, cruz + "\n" + rey},
		{gangway.TravellersFlow, `[{"name":"Cruz","firstName":"Ana"},{"name":"Rey, Eva"},{"name":"Lim","firstName":"Wei"}]`,
			`{"first_name":"Ana","last_name":"Cruz"}` + "\n" + `{"first_name":"Eva","last_name":"Rey"}` + "\n" +
				`{"first_name":"Wei","last_name":"Lim"}`},
		{gangway.TravelRequestsFlow, `[{"externalInfo":{"requestId":"R1"},"traveler":{"lastName":"Cruz","firstName":"Ana",` +
			`"docExpireDate":"2031-05-05"},"flight":{"origin":"MNL","destination":"SIN","date":"2026-12-01"}},` +
			`{"requestId":"R1","traveler":{"lastName":"Cruz","firstName":"Ana","doc_expire":"2031-05-05"},` +
			`"flight":{"origin":"MNL","destination":"SIN","date":"2026-12-01"}}]`, nested + "\n" + nested},
		{gangway.CrewChangesFlow, `[{"vessel":"MV A","onsigners":[{"last_name":"Cruz","dob":"1985-02-01"},` +
			`{"surname":"Rey","birthDate":"1986-03-02"}]}]`,
			`{"onsigners":[` + cruz + `,` + rey + `],"vessel":"MV A"}`},
	} {
		if got, _ := made(t, "", tt.flow, tt.doc); got != tt.want {
			t.Errorf("%s\n= %s; want\n%s", tt.doc, got, tt.want)
		}
	}
}
