package flights

import (
	"fmt"
	"html/template"
	"strings"
	"testing"
)

// TestFilterChoicesAreWrittenOnce holds that a choice of a filter is written once for all
// readers for whom it is the same, that another count or a tick makes another choice,
// that text from the address is not kept, and that the number kept is bounded.
func TestFilterChoicesAreWrittenOnce(t *testing.T) {
	written := 0
	w := newWrittenChoices(func(part string, dot any) (template.HTML, error) {
		written++
		return template.HTML(part + fmt.Sprint(dot)), nil
	})
	look := func(c facetChoice) {
		t.Helper()
		if got, err := w.of(c); err != nil || got != template.HTML("filter-choice"+fmt.Sprint(c)) {
			t.Fatalf("the choice %v is written %q, %v", c, got, err)
		}
	}
	direct := facetChoice{Name: "stops", Value: "0", Label: "Direct", Count: 3}
	more, ticked, none := direct, direct, direct
	more.Count, ticked.On, none.Count = 4, true, 0
	for range 2 {
		for _, c := range []facetChoice{direct, more, ticked, none} {
			look(c)
		}
	}
	if written != 4 || len(w.kept) != 4 {
		t.Errorf("4 choices were written %d times, and %d are kept; want each once", written, len(w.kept))
	}
	look(facetChoice{Name: "airline", Value: strings.Repeat("x", 1000), On: true})
	if len(w.kept) != 4 {
		t.Errorf("what was typed into an address is kept")
	}
	for n := range 2 * choicesWritten {
		look(facetChoice{Name: "airline", Value: "SQ", Count: n + 1})
	}
	if len(w.kept) != choicesWritten {
		t.Errorf("%d are kept; want %d", len(w.kept), choicesWritten)
	}
}
