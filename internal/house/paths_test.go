package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// A path in prose: a file of ours by its ending, or a folder below one of the top folders.
	namedFile   = regexp.MustCompile(`[A-Za-z0-9_.\-/{},<>*]*[a-zA-Z0-9_>*]\.(go|md|html|css|js|mjs|sh|txtar)\b`)
	namedFolder = regexp.MustCompile(`\b(internal|cmd|docs|tools|scripts)/[A-Za-z0-9_/.\-]*[a-z0-9_]`)
	codeSpan    = regexp.MustCompile("`[^`\n]+`|\\]\\([^)\n]+\\)")
	comment     = regexp.MustCompile(`//( .*)?$`)
	address     = regexp.MustCompile(`https?://\S+`)
	placeholder = regexp.MustCompile(`[<>*{}$%]`)
)

// TestNamedPathsExist checks that documents and comments name no file or folder
// that has moved. A path may omit leading folders.
func TestNamedPathsExist(t *testing.T) {
	t.Chdir(top)
	tree := readTree(t)
	suffixes := map[string]bool{}
	for path := range tree {
		for rest, more := path, true; more; _, rest, more = strings.Cut(rest, "/") {
			suffixes[rest] = true
		}
	}
	for path, text := range tree {
		if path == "docs/interface.md" || strings.Contains(path, "testdata/") || strings.Contains(path, "/dist/") {
			continue
		}
		var prose string
		switch filepath.Ext(path) {
		case ".md":
			prose = strings.Join(codeSpan.FindAllString(text, -1), "\n")
		case ".go":
			for line := range strings.Lines(text) {
				prose += address.ReplaceAllString(comment.FindString(strings.TrimSpace(line)), "") + "\n"
			}
		}
		named := append(namedFile.FindAllString(prose, -1), namedFolder.FindAllString(prose, -1)...)
		for _, name := range named {
			name = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(name, "../"), "./"), "/")
			if placeholder.MatchString(name) || strings.Contains(name, "//") || suffixes[name] || name == "Node.js" {
				continue
			}
			t.Errorf("%s names %s, which does not exist", path, name)
		}
	}
}

// readTree returns the text of all files of ours by path, and every folder
// with an empty text.
func readTree(t *testing.T) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "node_modules" || d.Name() == "bin" {
				return fs.SkipDir
			}
			tree[filepath.ToSlash(path)] = ""
			return nil
		}
		text := []byte{}
		if filepath.Ext(path) != "" {
			text, err = os.ReadFile(path)
		}
		tree[filepath.ToSlash(path)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
