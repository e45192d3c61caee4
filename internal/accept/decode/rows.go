package decode

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A row has the texts of a table's row, without white space around them. It is valid until the next row
// is read.
type row struct {
	cells []string
	at    Place
	open  bool // the text ends with it, and it has no line end
}

func (r row) blank() bool {
	for _, cell := range r.cells {
		if cell != "" && cell != "\x1A" { // with which DOS ends files
			return false
		}
	}
	return true
}

// rows returns the rows of a table one at a time, blank rows included.
type rows interface {
	nextRow() (row, error)
}

// How many columns a table may have, as many as Excel can, and how long a row of text may be.
const (
	mostColumns = 16384
	longestRow  = 1 << 20 // bytes
)

// A table turns rows into objects by the names of their columns, or into arrays if these have no names.
type table struct {
	rows   rows
	header *header // nil if columns have no names
	loose  bool    // values beyond the named columns are kept, because their column is certain
	named  int     // how many columns the header has
	least  int     // how many values a row has that is whole: the columns with a name, or the row before
	extra  string  // a member besides the columns, and its value
	value  string
	title  title
}

// A header has the names of a table's columns.
type header struct {
	names   []string
	columns map[string]int // from 1
	again   map[string]int // how often a name occurred again
}

// openTable reads the row with the column names: the one with that number, from 1, or if number is nil
// the first that is not blank. 0 means that there is none.
func openTable(from rows, number *int) (*table, error) {
	t := &table{rows: from}
	if number != nil && *number == 0 {
		return t, nil
	}
	for n := 1; ; n++ {
		r, err := from.nextRow()
		t.title.row = n
		if number != nil && n < *number && err == nil {
			continue
		}
		switch {
		case errors.As(err, new(*RecordError)):
			return nil, &BrokenError{fmt.Errorf("the row with the column names: %v", err), r.at}
		case errors.Is(err, io.EOF) && number != nil:
			return nil, wrong("it has no row %d to take the column names from", *number)
		case errors.Is(err, io.EOF):
			return nil, ErrEmpty
		case err != nil:
			return nil, err
		case r.blank() && number != nil:
			return nil, &BrokenError{fmt.Errorf("row %d should have the column names and is empty", n), r.at}
		case r.blank():
			continue
		}
		t.header = newHeader(r.cells)
		t.named = len(r.cells)
		t.least = filled(r.cells)
		if number == nil {
			t.title.names = filled(r.cells)
		}
		return t, nil
	}
}

// newHeader gives every column a unique name: its own, followed by a number if it occurred before, or one
// made of its position.
func newHeader(cells []string) *header {
	h := &header{columns: make(map[string]int, len(cells)), again: map[string]int{}}
	for i, cell := range cells {
		h.add(strings.Clone(cell), i+1)
	}
	return h
}

func (h *header) add(name string, column int) {
	name = cmp.Or(name, "column_"+strconv.Itoa(column))
	for plain := name; h.columns[name] > 0; {
		h.again[plain]++
		name = plain + "_" + strconv.Itoa(h.again[plain]+1)
	}
	h.names = append(h.names, name)
	h.columns[name] = column
}

// column returns the number of the column with that name, from 1; 0 if there is none.
func (h *header) column(name string) int { return h.columns[name] }

func (t *table) next() (Item, error) {
	for {
		r, err := t.rows.nextRow()
		t.title.look(r)
		if err != nil {
			return Item{At: r.at}, err
		}
		if r.blank() {
			continue
		}
		item := Item{At: r.at, header: t.header}
		if r.open && len(r.cells) < t.least {
			return item, &BrokenError{fmt.Errorf("%w: its last row is short and has no line end", errCut), r.at}
		}
		if t.header == nil {
			t.least = len(r.cells)
			item.Value = list(r.cells)
			return item, nil
		}
		item.Value, err = t.object(r.cells)
		return item, err
	}
}

func list(cells []string) []any {
	values := make([]any, len(cells))
	for i, cell := range cells {
		values[i] = cell
	}
	return values
}

// object turns a row into an object. A short row has fewer members.
func (t *table) object(cells []string) (any, error) {
	names := t.header.names
	for len(cells) > len(names) && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	if len(cells) > len(names) {
		if !t.loose {
			return nil, &RecordError{fmt.Sprintf("it has %d values, and the columns have %d names", len(cells),
				len(names))}
		}
		for len(names) < len(cells) {
			t.header.add("", len(names)+1)
			names = t.header.names
		}
	}
	members := make(map[string]any, len(names)+1)
	for i, cell := range cells {
		if cell != "" || i < t.named {
			members[names[i]] = cell
		}
	}
	if t.extra != "" {
		members[t.extra] = t.value
	}
	return members, nil
}

// notUTF8 is the error of a record with invalid bytes.
func notUTF8() error {
	return &RecordError{`it has bytes that are not valid UTF-8: set "encoding" in the format`}
}

// trimmed returns a text without surrounding white space.
func trimmed(text string) string {
	if n := len(text) - 1; n < 0 || isPlain(text[0]) && isPlain(text[n]) {
		return text
	}
	return strings.TrimSpace(text)
}

// isPlain reports whether b is ASCII and not white space.
func isPlain(b byte) bool { return b > ' ' && b < utf8.RuneSelf }
