package gangway_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is how many columns a line may have, a tab counting as four. Wider
// ones are cut where two files stand beside each other, as in a review.
const widest = 120

// TestLinesFitTheWindow holds that no line is wider than a window. Wide lines
// stay where a line break would mean something: in raw strings (SQL, JSON, tags
// of flags), in tables of Markdown, in templates, in migrations that have run
// somewhere, and in a line that has no blank to be broken at.
func TestLinesFitTheWindow(t *testing.T) {
	for path, text := range readTree(t) {
		if path == "docs/interface.md" || strings.Contains(path, "testdata/") || strings.Contains(path, "/dist/") {
			continue
		}
		ext := filepath.Ext(path)
		switch ext {
		case ".go", ".md", ".css", ".js", ".mjs":
		default:
			continue
		}
		raw, n := false, 0
		for line := range strings.Lines(text) {
			n++
			line = strings.TrimRight(line, "\n")
			table := ext == ".md" && strings.HasPrefix(line, "|")
			within := raw || ext == ".go" && strings.Contains(line, "`")
			if ext == ".go" && strings.Count(line, "`")%2 == 1 {
				raw = !raw
			}
			words := strings.Fields(strings.TrimLeft(line, "\t /*-"))
			if width := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); width > widest && !table &&
				!within && len(words) > 1 && !strings.HasPrefix(line, "//go:") {
				t.Errorf("%s:%d: the line has %d columns; want at most %d", path, n, width, widest)
			}
		}
	}
}
