package mapping

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"

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
	there := map[string]bool{}
	for name := range helpers(time.Time{}, nil) {
		name, _, _ = strings.Cut(name, "/")
		there[name] = true
	}
	if !cmp.Equal(documented, there) {
		t.Errorf("the guide has examples of %v; the helpers are %v", documented, there)
	}
}

// TestTheGuideListsTheNames: the names that are understood without a program are those that docs/mappings.md lists, as
// usual as it says.
func TestTheGuideListsTheNames(t *testing.T) {
	guide := sample(t, "../../../docs/mappings.md")
	listed := func(after, until string) string {
		_, text, found := strings.Cut(guide, after)
		text, _, ended := strings.Cut(text, until)
		if !found || !ended {
			t.Fatalf("the guide has no list between %q and %q", after, until)
		}
		var list strings.Builder
		for entry := range strings.SplitSeq(text, "\n- `") {
			if name, words, ok := strings.Cut(entry, "`: "); ok {
				words, _, _ = strings.Cut(words, "\n\n")
				list.WriteString(name + ": " + words + "\n")
			}
		}
		return list.String()
	}
	read := func(text string) *vocabulary {
		v := newVocabulary()
		v.add(text, func(name string) string { return name })
		return v
	}
	for table, list := range map[string]string{
		personNames:  listed("### Travellers\n", "### Travel requests\n"),
		requestNames: listed("### Travel requests\n", "### Crew changes\n"),
		crewNames:    listed("### Crew changes\n", "Lists of members"),
		crewLists:    listed("Lists of members", "### Values\n"),
	} {
		if got, want := read(list), read(table); !cmp.Equal(got.targets, want.targets) {
			t.Errorf("the guide lists other names: %s", cmp.Diff(want.targets, got.targets))
		}
	}
	for name, of := range map[string]struct {
		list  string
		words map[string]string
	}{
		"sides":   {listed("Who joins and who leaves", "Genders, besides"), sides},
		"genders": {listed("Genders, besides", "Countries are understood"), genders},
	} {
		got := map[string]string{}
		for line := range strings.Lines(strings.ReplaceAll(of.list, "\n  ", " ")) {
			value, words, _ := strings.Cut(line, ": ")
			for word := range strings.FieldsSeq(words) {
				got[word] = value
			}
		}
		if !cmp.Equal(got, of.words) {
			t.Errorf("the guide lists other %s: %s", name, cmp.Diff(of.words, got))
		}
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
	got, _ := made(t, block("jq"), gangway.TravellersFlow, block("csv"))
	if want := strings.TrimSpace(block("json")); got != want {
		t.Fatalf("it makes %s; the guide says %s", got, want)
	}
}
