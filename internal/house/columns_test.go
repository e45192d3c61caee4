package house

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is how many columns a line may have, a tab counting as four. Wider
// lines are cut off where two files are shown side by side, as in a review.
const widest = 120

// TestLinesFitTheWindow checks that no line is wider than a window. Wide lines
// are allowed where a line break would change the meaning: in raw strings (SQL,
// JSON, tags of flags), in Markdown tables, in templates, in migrations that may
// have run already, and in a line without a blank.
func TestLinesFitTheWindow(t *testing.T) {
	t.Chdir(top)
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
