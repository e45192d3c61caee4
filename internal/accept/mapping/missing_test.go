package mapping

import (
	"testing"

	"gangway"

	"github.com/google/go-cmp/cmp"
)

// TestColumnsThatAreNotThereAreSaid: a column that was renamed empties a field of all records.
func TestColumnsThatAreNotThereAreSaid(t *testing.T) {
	program := `.[] | {last_name: .Apellidos, dob: .["Fecha Nac."] | date("DMY"), phone: (.Tel // .Movil)}`
	missing := []gangway.FeedRemark{{At: "line 2", Field: "Dob", SourceField: "Fecha Nac.",
		Message: `The mapping reads column "Fecha Nac.", which is not there.`}}
	twice := []gangway.FeedRemark{{At: "line 2", SourceField: "Apellidos",
		Message: `Several columns are called "Apellidos": the first is read.`}}
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
		records := compiled(t, tt.program, gangway.TravellersFlow).Records(t.Context(),
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
