package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	endpointHeading = regexp.MustCompile(`(?m)^#### ([AB]\d)\.`)
	specComment     = regexp.MustCompile(`// Spec: ([AB]\d)`)
)

// TestEveryEndpointIsAnsweredFor keeps code and interface easy to find from each
// other: every endpoint of docs/interface.md is claimed by a comment at the code
// that serves it, and nothing else is claimed.
func TestEveryEndpointIsAnsweredFor(t *testing.T) {
	t.Chdir(top)
	text, err := os.ReadFile("docs/interface.md")
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string][]string{}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		code, err := os.ReadFile(path)
		for _, m := range specComment.FindAllStringSubmatch(string(code), -1) {
			claims[m[1]] = append(claims[m[1]], path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var endpoints []string
	for _, m := range endpointHeading.FindAllStringSubmatch(string(text), -1) {
		endpoints = append(endpoints, m[1])
	}
	if len(endpoints) != 12 {
		t.Fatalf("docs/interface.md has the endpoints %v; want A1 to A7 and B1 to B5", endpoints)
	}
	for _, e := range endpoints {
		if len(claims[e]) == 0 {
			t.Errorf("no code serves %s", e)
		}
	}
	for e, where := range claims {
		if !slices.Contains(endpoints, e) {
			t.Errorf("%v claims %s, which the interface does not have", where, e)
		}
	}
}
