package decode

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A title looks for the row with the column names where the one taken for it may be a title above the table.
type title struct {
	row   int // that was read last, from 1
	names int // cells of the row taken for the one with the names, as far as they are not empty; 0: it was said
	found int // the row that looks like it instead; 0: none
	at    Place
}

// A title is looked for in the first rows of a table. Names of columns are at least fewestNames, and twice as many as
// the title has cells.
const (
	titleRows   = 10
	fewestNames = 3
	longestName = 60
)

// look looks at the next row.
func (t *title) look(r row) {
	if t.row++; t.names == 0 || t.found > 0 || t.row > titleRows {
		return
	}
	if n := filled(r.cells); n >= fewestNames && n >= 2*t.names && areNames(r.cells) {
		t.found, t.at = t.row, r.at
	}
}

func (t *title) words() string {
	return fmt.Sprintf(`The names of the columns seem to stand in row %d: set "header" to %[1]d in the feed's format.`,
		t.found)
}

func filled(cells []string) (n int) {
	for _, cell := range cells {
		if cell != "" {
			n++
		}
	}
	return n
}

// areNames reports whether cells may be names of columns: each another one, short, and none a number, a date or an
// address of mail.
func areNames(cells []string) bool {
	seen := map[string]bool{}
	for _, cell := range cells {
		if cell == "" {
			continue
		}
		first, _ := utf8.DecodeRuneInString(cell)
		isName := unicode.IsLetter(first) || first == '#'
		if !isName || len(cell) > longestName || strings.Contains(cell, "@") || seen[cell] {
			return false
		}
		seen[cell] = true
	}
	return true
}
