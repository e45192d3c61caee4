package mapping

import (
	"errors"
	"io"
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// TestProblemsHaveTheirLines: whoever is told of a wrong field is told in which line, whatever the format: that
// of the record, or of the member of a crew change.
func TestProblemsHaveTheirLines(t *testing.T) {
	const people = "<reply xmlns:s='urn:s'>\n <info/>\n <crew>\n  <s:man>\n   <Surname>Cruz</Surname>\n" +
		"   <Passport>\n    <Number>1</Number>\n   </Passport>\n  </s:man>\n  <s:man><Surname>Rey</Surname></s:man>\n" +
		" </crew>\n</reply>"
	const change = "<plan>\n<change><vessel>A</vessel><date>2026-12-01</date>\n<on><p><surname>Cruz</surname></p>\n" +
		"<p/>\n<p><surname>Rey</surname></p></on>\n<off><p><surname>Lim</surname></p></off></change>\n</plan>"
	const table = "vessel,date,side,surname,dob\nA,2026-12-01,on,Cruz,x\nB,2026-12-02,on,Ong,x\n" +
		"A,2026-12-01,off,Lim,x\nA,2026-12-01,on,Rey,x\n"
	const rows = `group_by(.vessel)[] | {vessel: .[0].vessel, onsigners: [.[] | select(.side == "on") | ` +
		`{last_name: .surname, dob}], offsigners: [.[] | select(.side == "off") | {last_name: .surname, dob}]}`
	for _, tt := range []struct {
		name, program, doc string
		flow               gangway.Flow
		want               string // of each record: its place, and those of fields
	}{
		{"elements", "", people, gangway.TravellersFlow, "line 4, DocNumber line 6\nline 10"},
		{"elements by a program", `[.reply.crew["s:man"]] | flatten[] | ` +
			`{last_name: .Surname, doc_number: .Passport?.Number?}`, people, gangway.TravellersFlow, "line 4, DocNumber line 6\nline 10"},
		{"elements by map", `.reply.crew["s:man"] | map({last_name: .Surname, gender: .Sex})`, people,
			gangway.TravellersFlow, "line 4, Gender line 4\nline 10"},
		{"elements chosen", `[.reply.crew["s:man"][] | select(.Surname == "Rey") | . as $p | {last_name: $p.Surname}]`,
			people, gangway.TravellersFlow, "line 10, LastName line 10"},
		{"several of one element", `.reply.crew | {last_name: .["s:man"][].Surname}`, people, gangway.TravellersFlow,
			"\n"},
		{"SOAP", "", "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'>\n<S:Body>\n<answer>\n" +
			"<p><surname>Cruz</surname><firstname>A</firstname></p>\n" +
			"<p><surname>Rey</surname><firstname>B</firstname></p></answer></S:Body>" +
			"</S:Envelope>", gangway.TravellersFlow, "line 4\nline 5, Dob line 5"},
		{"an object of JSON", "", `{"n":2,"data":[{"surname":"Cruz","firstname":"A"},{"surname":"Rey","firstname":"B"}]}`,
			gangway.TravellersFlow, "byte 15\nbyte 50, Dob byte 50"},
		{"members", "", change, gangway.CrewChangesFlow,
			"line 2, Onsigners[0].Dob line 3, Onsigners[1].Dob line 5, Offsigners[0].Dob line 6, " +
				"Offsigners[1].Dob line 2"},
		{"members by a program", `.plan.change | {vessel, onsigners: [.on.p[] | {last_name: (.surname? // null)}], ` +
			`offsigners: ([.off.p] | flatten | map({last_name: .surname}))}`, change, gangway.CrewChangesFlow,
			"line 2, Onsigners[0].Dob line 3, Onsigners[1].Dob line 5, Offsigners[0].Dob line 6, " +
				"Offsigners[1].Dob line 2"},
		{"members that a program passes over", `.plan.change | {vessel, onsigners: [.on.p[] | {last_name: .surname?}]}`,
			change, gangway.CrewChangesFlow, "line 2, Onsigners[1].Dob line 2"},
		{"members in YAML", "", "- vessel: A\n  change_date: 2026-12-01\n  onsigners:\n  - last_name: Cruz\n" +
			"  - last_name: Rey\n- vessel: B\n  onsigners:\n  - last_name: Lim\n", gangway.CrewChangesFlow,
			"line 1, Onsigners[1].Dob line 5\nline 6, Onsigners[0].Dob line 8"},
		{"members in YAML by a program", `.[] | select(.vessel) | {vessel, onsigners: [.on[] | {last_name: .n}]}`,
			"- vessel: A\n  on:\n  - {n: Cruz}\n  - n: Rey\n", gangway.CrewChangesFlow,
			"line 1, Onsigners[1].Dob line 4"},
		{"an anchor of YAML has the line of its use", "", "- vessel: A\n  onsigners:\n  - &c {last_name: Cruz}\n" +
			"- vessel: B\n  onsigners:\n  - *c\n", gangway.CrewChangesFlow,
			"line 1, Onsigners[0].Dob line 3\nline 4, Onsigners[0].Dob line 6"},
		{"rows of members", "", table, gangway.CrewChangesFlow,
			", Onsigners[1].Dob line 5, Offsigners[0].Dob line 4, Vessel \nline 3, Onsigners[0].Dob line 3"},
		{"rows of members by a program", rows, table, gangway.CrewChangesFlow,
			", Onsigners[1].Dob line 5, Offsigners[0].Dob line 4, Vessel \n, Onsigners[0].Dob line 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			records := reading(t, tt.program, tt.flow, tt.doc)
			for i, want := range strings.Split(tt.want, "\n") {
				record, err := records.Next()
				must(t, err)
				wants := strings.Split(want, ", ")
				if got := record.At.String(); got != wants[0] {
					t.Errorf("record %d is at %q; want %q", i, got, wants[0])
				}
				for _, w := range wants[1:] {
					field, want, _ := strings.Cut(w, " ")
					if got := records.PlaceOf(field, record.At).String(); got != want {
						t.Errorf("%s of record %d is at %q; want %q", field, i, got, want)
					}
				}
			}
			if _, err := records.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("then comes %v", err)
			}
		})
	}
}
