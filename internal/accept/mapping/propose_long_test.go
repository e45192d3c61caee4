package mapping_test

import (
	"strings"
	"testing"

	"gangway/internal/accept/decode"
	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
)

// TestEndlessNameIsNoWork has a column whose name is a hundred thousand words. Whoever looked at each part of it
// would not come to an end.
func TestEndlessNameIsNoWork(t *testing.T) {
	text := "metadata." + strings.Repeat("a.", 100_000) + "b,Pers-Nr,Nachname,Vorname,Geb\n1,4701,Rey,Ana,31.12.1990\n"
	doc, err := decode.Open(decode.Input{ReaderAt: strings.NewReader(text), Size: int64(len(text)), Name: "crew.csv"},
		gangway.DocumentFormat{}, decode.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	runner := mapping.NewWorkers().Patient("test")
	p, err := mapping.Propose(t.Context(), runner, gangway.TravellersFlow, doc)
	if err != nil || !strings.Contains(p.Program, "dob: .Geb") {
		t.Errorf("proposed is %.200q, %v; want the columns whose names say something", p.Program, err)
	}
}
