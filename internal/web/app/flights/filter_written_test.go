package flights

import (
	"fmt"
	"html/template"
	"strings"
	"testing"
)

// TestFilterChoicesKeptAreBounded holds that text from the address is not kept, and that the number kept is bounded.
func TestFilterChoicesKeptAreBounded(t *testing.T) {
	w := newWrittenChoices(func(part string, dot any) (template.HTML, error) {
		return template.HTML(part + fmt.Sprint(dot)), nil
	})
	look := func(c facetChoice) {
		t.Helper()
		if got, err := w.of(c); err != nil || got != template.HTML("filter-choice"+fmt.Sprint(c)) {
			t.Fatalf("the choice %v is written %q, %v", c, got, err)
		}
	}
	look(facetChoice{Name: "airline", Value: strings.Repeat("x", 1000), On: true})
	if len(w.kept) != 0 {
		t.Errorf("what was typed into an address is kept")
	}
	for n := range 2 * choicesWritten {
		look(facetChoice{Name: "airline", Value: "SQ", Count: n + 1})
	}
	if len(w.kept) != choicesWritten {
		t.Errorf("%d are kept; want %d", len(w.kept), choicesWritten)
	}
}
