package mapping

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"gangway"

	"github.com/google/go-cmp/cmp"
)

// TestTheGuideSaysWhatHelpersMake runs the examples of docs/mappings.md, which are those that pages show.
func TestTheGuideSaysWhatHelpersMake(t *testing.T) {
	guide := sample(t, "../../../docs/mappings.md")
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([^`]+)` \\| `([^`]+)` \\|$")
	documented, shown := map[string]bool{}, []HelperExample{}
	for _, example := range row.FindAllStringSubmatch(guide, -1) {
		var given, want any
		if err := json.Unmarshal([]byte(example[2]), &given); err != nil {
			t.Fatal(example[2], err)
		}
		if err := json.Unmarshal([]byte(example[3]), &want); err != nil {
			t.Fatal(example[3], err)
		}
		if got := evaluated(t, example[1], given); !cmp.Equal(got, want) {
			t.Errorf("%s of %s = %#v; the guide says %s", example[1], example[2], got, example[3])
		}
		name, _, _ := strings.Cut(example[1], "(")
		documented[name] = true
		shown = append(shown, HelperExample{example[1], example[2], example[3]})
	}
	if !cmp.Equal(shown, HelperExamples) {
		t.Errorf("the guide has other examples than pages: %s", cmp.Diff(HelperExamples, shown))
	}
	if !cmp.Equal(documented, helperNames) {
		t.Errorf("the guide has examples of %v; the helpers are %v", documented, helperNames)
	}
}

// TestTheGuidesFirstMappingWorks runs the example that the guide begins with.
func TestTheGuidesFirstMappingWorks(t *testing.T) {
	guide := sample(t, "../../../docs/mappings.md")
	block := func(kind string) string {
		_, rest, _ := strings.Cut(guide, "```"+kind+"\n")
		text, _, ok := strings.Cut(rest, "```")
		if !ok {
			t.Fatalf("the guide has no %s", kind)
		}
		return text
	}
	doc := open(t, block("csv"), gangway.DocumentFormat{})
	got := made(t, compiled(t, block("jq"), gangway.TravellersFlow), doc, gangway.Ask{})
	if want := strings.TrimSpace(block("json")); got != want {
		t.Fatalf("it makes %s; the guide says %s", got, want)
	}
}
