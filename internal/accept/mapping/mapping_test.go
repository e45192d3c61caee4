package mapping

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
)

// today is when two-digit years are read.
var today = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// open opens a document for a test.
func open(t testing.TB, text string, as gangway.DocumentFormat) *decode.Document {
	t.Helper()
	in := decode.Input{ReaderAt: strings.NewReader(text), Size: int64(len(text))}
	doc, err := decode.Open(in, as, decode.Limits{})
	if err != nil {
		t.Fatalf("open %.60q: %v", text, err)
	}
	t.Cleanup(func() { doc.Close() })
	return doc
}

// compiled compiles a program for a test.
func compiled(t testing.TB, program string, flow gangway.Flow) *Mapping {
	t.Helper()
	m, err := Compile(program, flow)
	if err != nil {
		t.Fatalf("Compile(%q): %v", program, err)
	}
	m.now = func() time.Time { return today }
	return m
}

// made returns what a program makes of a document, as madeOf does, and the reader.
func made(t testing.TB, program string, flow gangway.Flow, doc string) (string, *Records) {
	t.Helper()
	records := reading(t, program, flow, doc)
	return madeOf(records), records
}

// reading returns the records that a program makes of a document; $surname is "Cr".
func reading(t testing.TB, program string, flow gangway.Flow, doc string) *Records {
	t.Helper()
	return compiled(t, program, flow).Records(t.Context(), runner, open(t, doc, gangway.DocumentFormat{}),
		gangway.Ask{Surname: "Cr"})
}

// madeOf reads records to their end, a line each; one that is refused is "at: why".
func madeOf(records *Records) string {
	var b strings.Builder
	for {
		record, err := records.Next()
		switch {
		case errors.Is(err, io.EOF):
			return strings.TrimSpace(b.String())
		case errors.As(err, new(*decode.RecordError)):
			fmt.Fprintf(&b, "%s: %v\n", record.At, err)
			continue
		case err != nil:
			fmt.Fprintf(&b, "%v\n", err)
			return strings.TrimSpace(b.String())
		}
		fmt.Fprintf(&b, "%s\n", record.JSON)
	}
}

func TestProgramsMakeRecords(t *testing.T) {
	for _, tt := range []struct {
		name, program, doc, want string
		flow                     gangway.Flow
	}{
		{name: "each of a list", program: `.[] | {last_name: .n, gender: (.s | gender)}`,
			doc: "n,s\nCruz,Male\nIvan,2\n", want: `{"gender":"M","last_name":"Cruz"}` + "\n" + `{"gender":"F","last_name":"Ivan"}`},
		{name: "map", program: `map({last_name: .n})`, doc: `[{"n":"A"},{"n":"B"}]`,
			want: `{"last_name":"A"}` + "\n" + `{"last_name":"B"}`},
		{name: "collected", program: `[.[] | select(.n != "B") | {last_name: .n}]`, doc: `[{"n":"A"},{"n":"B"}]`,
			want: `{"last_name":"A"}`},
		{name: "all of it", program: `.crew.people | sort_by(.n)[] | {last_name: .n}`,
			doc: `{"crew":{"people":[{"n":"B"},{"n":"A"}]}}`, want: `{"last_name":"A"}` + "\n" + `{"last_name":"B"}`},
		{name: "definitions", program: `def d: date("DMY"); .[] | {dob: .b | d}`, doc: "b,x\n01/02/85,1\n",
			want: `{"dob":"1985-02-01"}`},
		{name: "null and empty are absent, at every depth", program: `.[] | {last_name: .n, email: "", x: {y: {z: null}, w: [{}, 1]}}`,
			doc: `[{"n":"A"}]`, want: `{"last_name":"A","x":{"w":[1]}}`},
		{name: "numbers become texts where texts are wanted", program: `.`,
			doc:  `[{"id":17,"phone":639171234567,"doc_number":1.10,"rank":3}]`,
			want: `{"doc_number":"1.10","id":"17","phone":"639171234567","rank":3}`},
		{name: "any spelling of our names", program: `.`, doc: `[{"lastName":"A","First-Name":"B","docExpireDate":"2030-01-01"}]`,
			want: `{"doc_expire":"2030-01-01","first_name":"B","last_name":"A"}`},
		{name: "identifiers at the top", flow: gangway.TravelRequestsFlow, program: `.`,
			doc:  `[{"requestId":7,"sub_request_id":"1","traveler":{"last_name":"A","doc_expire":"2030-01-01"}}]`,
			want: `{"externalInfo":{"requestId":"7","subRequestId":"1"},"traveler":{"docExpireDate":"2030-01-01","lastName":"A"}}`},
		{name: "what fails is one record", program: `.[] | {last_name: (.n + 1)}`, doc: "n,m\nA,1\n",
			want: `line 2: the program fails: cannot add: string ("A") and number (1)`},
		{name: "what was asked", program: `.[] | {last_name: $surname, id: $date}`, doc: `[{}]`, want: `{"last_name":"Cr"}`},
		{name: "addition in place", program: `.[] | .n += "x" | {last_name: .n}`, doc: `[{"n":"A"}]`, want: `{"last_name":"Ax"}`},
		{name: "substitution", program: `.[] | {last_name: (.n | gsub("(?<v>[aeiou])"; "<\(.v)>"))}`, doc: `[{"n":"Santos"}]`,
			want: `{"last_name":"S<a>nt<o>s"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.flow == "" {
				tt.flow = gangway.TravellersFlow
			}
			if got, _ := made(t, tt.program, tt.flow, tt.doc); got != tt.want {
				t.Fatalf("%s\nof %s\n got %s\nwant %s", tt.program, tt.doc, got, tt.want)
			}
		})
	}
}

func TestWhatIsWrongWithAProgramIsSaidWithItsPlace(t *testing.T) {
	for _, tt := range []struct{ program, want string }{
		{".[] | {", "the mapping ends too early, at line 1, column 8"},
		{".[]\n | {last_name: .a,, b: 1}", `the mapping has "," where it cannot be, at line 2, column 19`},
		{".[] | {a: nope}", "the mapping uses nope/0, and there is no such function, at line 1, column 11"},
		{".[] | {a: $nope}", "the mapping uses $nope, and there is no such variable, at line 1, column 11"},
		{".[] | env", "the mapping uses env, which mappings cannot, at line 1, column 7"},
		{"$ENV", "the mapping uses $ENV, which mappings cannot, at line 1, column 1"},
		{"input", "the mapping uses input, which mappings cannot, at line 1, column 1"},
		{"[inputs]", "the mapping uses inputs, which mappings cannot, at line 1, column 2"},
		{`import "a" as a; .`, "the mapping uses import, which mappings cannot: there are no modules, at line 1, column 1"},
		{"debug", "the mapping uses debug, which mappings cannot, at line 1, column 1"},
		{`.[] | {dob: .d | date("DYM")}`, `the mapping has date("DYM"), and date wants "DMY", "MDY" or "YMD", at line 1, ` +
			"column 23"},
		{`{a: "`, "the mapping has a text that does not end, at line 1, column 5"},
	} {
		_, err := Compile(tt.program, gangway.TravellersFlow)
		if err == nil || err.Error() != tt.want || gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("Compile(%q)\n got %v\nwant %s", tt.program, err, tt.want)
		}
	}
}

func TestPlacesAndNamesOfTheSource(t *testing.T) {
	for _, tt := range []struct {
		program, doc, at string
		flow             gangway.Flow
		fields           map[string]string
	}{
		{`.[] | {last_name: .Name, gender: .Geschlecht | gender, dob: (.["Geb. am"] | date("DMY")), id: "\(.a)\(.b)"}`,
			"Name,Geschlecht\nA,M\n", "line 2", gangway.TravellersFlow,
			map[string]string{"Gender": "Geschlecht", "Dob": "Geb. am", "LastName": "Name", "Id": ""}},
		{`map({traveler: {gender: .person.sex}, requestId: .ref})`, `[{"ref":"1"}]`, "byte 1", gangway.TravelRequestsFlow,
			map[string]string{"Traveler.Gender": "person.sex", "ExternalInfo.RequestId": "ref"}},
		{`.data.items[] | select(.a) | {gender: (.sex // "M")}`, `{"data":{"items":[{"a":1}]}}`, "byte 18", gangway.TravellersFlow,
			map[string]string{"Gender": "sex"}},
		{`.[] | . as $p | {gender: $p.sex}`, `[{"a":1}]`, "byte 1", gangway.TravellersFlow, map[string]string{"Gender": "sex"}},
		{`.[] | {onsigners: [.on[] | {dob: .birth | date("DMY")}]}`, `[{"on":[{"birth":"x"}]}]`, "byte 1", gangway.CrewChangesFlow,
			map[string]string{"Onsigners[0].Dob": "birth"}},
		{`.[] | ({gender: .a}, {gender: .b})`, `[{"a":1}]`, "", gangway.TravellersFlow, map[string]string{"Gender": ""}},
		{`group_by(.a)[] | {gender: .[0].a}`, `[{"a":"1"}]`, "", gangway.TravellersFlow, map[string]string{"Gender": ""}},
		{``, "Nachname,Vorname,Geschlecht\nA,B,m\n", "line 2", gangway.TravellersFlow,
			map[string]string{"Gender": "Geschlecht", "LastName": "Nachname"}},
		{``, "Schiff;Date;On/Off;Nachname;Vorname;Geschlecht\nMV A;2026-12-01;on;Cruz;Ana;x\nMV A;2026-12-01;on;Li;Wei;M\n", "",
			gangway.CrewChangesFlow, map[string]string{"Onsigners[0].Gender": "Geschlecht",
				"Offsigners[3].LastName": "Nachname", "Vessel": "Schiff", "ChangeDate": "Date",
				"Onsigners[0].Email": ""}},
	} {
		records := reading(t, tt.program, tt.flow, tt.doc)
		record, err := records.Next()
		if err != nil || record.At.String() != tt.at {
			t.Errorf("%s: at %q, %v; want %q", tt.program, record.At, err, tt.at)
		}
		for field, want := range tt.fields {
			if got := records.SourceField(field); got != want {
				t.Errorf("%s: SourceField(%s) = %q; want %q", tt.program, field, got, want)
			}
		}
	}
}

// sample reads a file of the samples.
func sample(t testing.TB, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	must(t, err)
	return string(b)
}

// TestSheetsAreNamed: whoever wrote a program for rows is told that the workbook has several sheets, and which.
func TestSheetsAreNamed(t *testing.T) {
	for _, program := range []string{`.[] | {last_name: .Name}`, `map({last_name: .Name})`} {
		doc := open(t, sample(t, "../decode/testdata/xlsx/sheets.xlsx"), gangway.DocumentFormat{})
		_, err := compiled(t, program, gangway.TravellersFlow).Records(t.Context(), runner, doc, gangway.Ask{}).Next()
		if err == nil || !strings.Contains(err.Error(), "the workbook has the sheets ") {
			t.Errorf("%s fails with %v; want the sheets named", program, err)
		}
	}
}
