package mapping

import (
	"errors"
	"io"
	"testing"

	"gangway/internal/gangway"

	"github.com/google/go-cmp/cmp"
)

// TestDoubtsAreSaid: what was found out of a document and may be wrong is said of the whole of it.
func TestDoubtsAreSaid(t *testing.T) {
	for doc, want := range map[string]gangway.FeedRemark{
		"\xD4\xE0\xEC\xE8\xEB\xE8\xFF;\xC8\xEC\xFF\n\xC8\xE2\xE0\xED\xEE\xE2;\xC8\xE2\xE0\xED\n": {
			Message: `Its letters were taken for windows-1251: if names look wrong, set "encoding" in the feed's format.`},
		"Crew list\n\nNr;Nachname;Vorname\n1;Cruz;Ana\n2;Rey;Eva\n": {At: "line 3",
			Message: `The names of the columns seem to stand in row 3: set "header" to 3 in the feed's format.`},
	} {
		records := compiled(t, "", gangway.TravellersFlow).Records(t.Context(), runner,
			open(t, doc, gangway.DocumentFormat{Kind: gangway.CSVFormat}), gangway.Ask{})
		for {
			if _, err := records.Next(); errors.Is(err, io.EOF) {
				break
			}
		}
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
		records := compiled(t, tt.program, gangway.TravellersFlow).Records(t.Context(), runner,
			open(t, tt.doc, gangway.DocumentFormat{}), gangway.Ask{})
		for {
			if _, err := records.Next(); err != nil {
				break
			}
		}
		if got := records.Remarks(); !cmp.Equal(got, tt.want) {
			t.Errorf("%s: %s", name, cmp.Diff(tt.want, got))
		}
	}
}
