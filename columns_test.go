package gangway_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is how many columns a line may have, a tab counting as four. Wider
// ones are cut where two files stand beside each other, as in a review.
const widest = 120

// stillWide are files that have wider lines still. It only shrinks.
var stillWide = []string{
	"CHANGELOG.md",
	"crew_warn.go",
	"crew_warn_test.go",
	"docs/choices.md",
	"internal/accept/all_or_nothing.go",
	"internal/accept/each_for_itself.go",
	"internal/accept/each_for_itself_test.go",
	"internal/accept/run_test.go",
	"internal/bench/document.go",
	"internal/store/bulk.go",
	"internal/store/crew_change_lines.go",
	"internal/store/crew_changes.go",
	"internal/store/crew_changes_test.go",
	"internal/store/drop.go",
	"internal/store/erase.go",
	"internal/store/erase_record.go",
	"internal/store/inherited_column.go",
	"internal/store/origins_test.go",
	"internal/store/personal.go",
	"internal/store/travel_requests.go",
	"internal/store/travel_requests_test.go",
	"internal/store/travellers.go",
	"internal/web/api/fields_test.go",
	"internal/web/app/bookings/being_booked.go",
	"internal/web/app/crew/crew_change.go",
	"internal/web/app/flights/came_from_test.go",
	"internal/web/app/flights/laid_offer_test.go",
	"internal/web/app/flights/offer_list.go",
	"internal/web/app/flights/words.go",
	"internal/web/app/inbox/take_back_test.go",
	"internal/wire/handoff_test.go",
	"warn.go",
}

// TestLinesFitTheWindow holds that no line is wider than a window. Wide lines
// stay where a line break would mean something: in raw strings (SQL, JSON, tags
// of flags), in tables of Markdown, in templates, in migrations that have run
// somewhere, and in a line that has no blank to be broken at.
func TestLinesFitTheWindow(t *testing.T) {
	for path, text := range readTree(t) {
		if path == "docs/interface.md" || slices.Contains(stillWide, path) || strings.Contains(path, "testdata/") ||
			strings.Contains(path, "/dist/") {
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
