package house

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	evidence    = regexp.MustCompile("`([a-z]+)\\.(Test\\w+)`") // a test, as documents name it
	requirement = regexp.MustCompile(`(?m)^\| (\d+\.\d+\.\d+) \| (.*) \| (.*) \| (.*) \|$`)
)

// asvsRequirements is how many requirements OWASP ASVS 5.0 has in levels 1 and 2.
const asvsRequirements = 253

// TestNamedTestsExist checks that the tests which documents give as evidence exist, and that every requirement of ASVS
// has a row that says by what it is met, why it does not apply, or what is missing.
func TestNamedTestsExist(t *testing.T) {
	t.Chdir(top)
	tree, tests := readTree(t), map[string]bool{}
	for file, text := range tree {
		if strings.HasSuffix(file, "_test.go") {
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllStringSubmatch(text, -1) {
				tests[path.Base(path.Dir(file))+"."+m[1]] = true
			}
		}
	}
	for file, text := range tree {
		if !strings.HasSuffix(file, ".md") {
			continue
		}
		for _, m := range evidence.FindAllStringSubmatch(text, -1) {
			if !tests[m[1]+"."+m[2]] {
				t.Errorf("%s names %s.%s, which does not exist", file, m[1], m[2])
			}
		}
	}
	seen := map[string]bool{}
	for _, m := range requirement.FindAllStringSubmatch(tree["docs/asvs.md"], -1) {
		seen[m[1]] = true
		if m[2] == "" || m[4] == "" || m[3] != "met" && m[3] != "n/a" && m[3] != "open" {
			t.Errorf("the row of requirement %s says nothing: %s", m[1], m[0])
		}
	}
	if len(seen) != asvsRequirements {
		t.Errorf("docs/asvs.md has %d requirements; want %d", len(seen), asvsRequirements)
	}
}
