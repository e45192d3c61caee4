package mapping

import (
	"testing"

	"gangway/internal/gangway"

	"github.com/google/go-cmp/cmp"
)

// TestDoubtsAreSaid: what was found out of a document and may be wrong is said of the whole of it.
func TestDoubtsAreSaid(t *testing.T) {
	for doc, want := range map[string]gangway.FeedRemark{
		"Nachname;Vorname\nM\xFCller;J\xF6rg\n": {Field: gangway.EncodingField, Value: "windows-1252",
			Message: `The encoding was guessed. It was read as windows-1252: Müller, Jörg. Confirm it on the feed's page, ` +
				`or set "encoding" in the format.`},
		"Apellidos;Nombre;Joining airport\nCruz;Ana;ROT\n": {SourceField: "Joining airport",
			Message: `Column "Joining airport" is not read as home_airport, which it may not be: name it in a mapping if it ` +
				`is.`},
		"Apellidos;Nombre;Numero documento;Joining airport;Airport\nCruz;Ana;12345678Z;ROT;MAD\n": {
			SourceField: "Numero documento", Message: `Column "Numero documento" is not read as doc_number, which it may ` +
				`not be: name it in a mapping if it is.`},
		"Nachname;Vorname;Ausweisnummer\nCruz;Ana;C1234567\n": {SourceField: "Ausweisnummer",
			Message: `Column "Ausweisnummer" is not read as doc_number, which it may not be: name it in a mapping if it ` +
				`is.`},
		"Crew list\n\nNr;Nachname;Vorname\n1;Cruz;Ana\n2;Rey;Eva\n": {At: "line 3",
			Message: `The names of the columns seem to stand in row 3: set "header" to 3 in the feed's format.`},
	} {
		_, records := made(t, "", gangway.TravellersFlow, doc)
		if got := records.Remarks(); !cmp.Equal(got, []gangway.FeedRemark{want}) {
			t.Errorf("%q: %s", doc, cmp.Diff([]gangway.FeedRemark{want}, got))
		}
	}
}

// TestColumnsThatAreNotThereAreSaid: a column that was renamed empties a field of all records.
func TestColumnsThatAreNotThereAreSaid(t *testing.T) {
	program := `.[] | {last_name: .Apellidos, dob: .["Fecha Nac."] | date("DMY"), phone: (.Tel // .Movil)}`
	missing := []gangway.FeedRemark{{At: "line 2", Field: "Dob", SourceField: "Fecha Nac.",
		Message: `The mapping reads column "Fecha Nac.", which is not there.`}}
	twice := []gangway.FeedRemark{{At: "line 2", SourceField: "Apellidos",
		Message: `Several columns are called "Apellidos": the second is read as "Apellidos_2".`}}
	for name, tt := range map[string]struct {
		program, doc string
		want         []gangway.FeedRemark
	}{
		"renamed":          {program, "Apellidos,FechaNac\nCruz,01.02.1985\nRey,01.02.1985\n", missing},
		"there":            {program, "Apellidos,Fecha Nac.\nCruz,01.02.1985\n", nil},
		"no records":       {program, "Apellidos,FechaNac\n", nil},
		"twice":            {program, "Apellidos,Fecha Nac.,Apellidos\nCruz,01.02.1985,Rey\n", twice},
		"without, twice":   {"", "Apellidos,dob,Apellidos\nCruz,1985-02-01,Rey\n", twice},
		"no column is one": {program, `[{"Apellidos": "Cruz"}, {"Apellidos": "Rey"}]`, nil},
	} {
		_, records := made(t, tt.program, gangway.TravellersFlow, tt.doc)
		if got := records.Remarks(); !cmp.Equal(got, tt.want) {
			t.Errorf("%s: %s", name, cmp.Diff(tt.want, got))
		}
	}
}
