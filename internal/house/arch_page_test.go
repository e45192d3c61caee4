package house

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var updatePage = flag.Bool("update", false, "write the table of imports into ARCHITECTURE.md")

// The table stands between this heading, with its fence, and the end of the fence.
const tableBegins = "## Who may import whom (nothing else)\n\n```\n"

// TestPageSaysWhoImportsWhom checks that ARCHITECTURE.md has the list of
// arch_test.go: go test ./internal/house -run PageSays -update writes it there.
func TestPageSaysWhoImportsWhom(t *testing.T) {
	t.Chdir(top)
	doc, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(doc), tableBegins)
	table, after, ends := strings.Cut(rest, "```\n")
	if !begins || !ends {
		t.Fatalf("ARCHITECTURE.md has no table after %q", tableBegins)
	}
	want := importTable()
	if table == want {
		return
	}
	if !*updatePage {
		t.Fatalf("ARCHITECTURE.md has a table of imports that differs from arch_test.go; run go test . -run " +
			"PageSays -update")
	}
	if err := os.WriteFile("ARCHITECTURE.md", []byte(before+tableBegins+want+"```\n"+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestPageShowsEveryPackage checks that the tour of ARCHITECTURE.md shows every package.
func TestPageShowsEveryPackage(t *testing.T) {
	t.Chdir(top)
	doc, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	tour, _, _ := strings.Cut(string(doc), tableBegins)
	for _, p := range packages {
		folder := p.name[strings.LastIndex(p.name, "/")+1:] + "/"
		if !strings.HasPrefix(p.name, "tools/") && !strings.Contains(tour, folder) {
			t.Errorf("the tour in ARCHITECTURE.md does not show %s", p.name)
		}
	}
}

// importTable returns what packages may import, as people read it: a line for each, in reading order.
func importTable() string {
	const names, width = 31, 118
	var b strings.Builder
	for _, p := range packages {
		var may []string
		for _, dep := range strings.Fields(p.may) {
			may = append(may, shown(dep))
		}
		switch {
		case p.may == "*":
			may = []string{"everything"}
		case p.name == vocabulary:
			may = []string{"the standard library only"}
		case len(may) == 0:
			may = []string{"nothing of ours"}
		}
		line := shown(p.name) + strings.Repeat(" ", max(0, names-len(shown(p.name)))) + "→"
		for i, dep := range may {
			if i < len(may)-1 {
				dep += ","
			}
			if len(line)+1+len(dep) > width {
				b.WriteString(line + "\n")
				line = strings.Repeat(" ", names+1)
			}
			line += " " + dep
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// shown returns a package's name as people write it.
func shown(name string) string {
	if name == "." {
		return "gangway"
	}
	return strings.TrimPrefix(name, "internal/")
}
