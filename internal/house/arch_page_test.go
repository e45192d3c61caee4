package house

import (
	"os"
	"strings"
	"testing"
)

// TestPageShowsEveryPackage checks that ARCHITECTURE.md lists every package.
func TestPageShowsEveryPackage(t *testing.T) {
	t.Chdir(top)
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		folder := p.name[strings.LastIndex(p.name, "/")+1:] + "/"
		if !strings.HasPrefix(p.name, "tools/") && !strings.Contains(string(page), folder) {
			t.Errorf("ARCHITECTURE.md does not list %s", p.name)
		}
	}
}
