package format

import (
	"cmp"
	"context"
	"strings"
	"unicode"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// mostColumns is how many columns a table has at most: as many as spreadsheets read.
const mostColumns = 16_384

// A table has a column for each leaf that any of its records has.
type table struct {
	first *column // nil: there is none
	by    map[string]*column
	bytes int // that their names have
}

type column struct {
	name string
	at   int // from 0, once all are known
	next *column
}

// writeCSV writes comma-separated values (RFC 4180) in UTF-8, a row for a record. It is read by programs, so that
// there is no byte order mark. Texts cannot become formulas, see gangway.Harmless; numbers stay numbers. Where no
// record has a column there is nothing. The records are read twice, so that no more is kept than the columns.
func writeCSV(ctx context.Context, records []jsontext.Value) ([]byte, error) {
	t := table{by: map[string]*column{}}
	err := eachItem(ctx, records, func(d *jsontext.Decoder) error {
		return t.eachField(d, t.insert, func(*column, jsontext.Token) {})
	})
	if err != nil || t.first == nil {
		return nil, err
	}
	row := make([]string, len(t.by))
	for c, i := t.first, 0; c != nil; c, i = c.next, i+1 {
		c.at, row[i] = i, gangway.Harmless(c.name)
	}
	b := appendRow(nil, row)
	err = eachItem(ctx, records, func(d *jsontext.Decoder) error {
		clear(row)
		err := t.eachField(d, t.find, func(c *column, value jsontext.Token) {
			if row[c.at] = text(value); value.Kind() == '"' {
				row[c.at] = gangway.Harmless(row[c.at])
			}
		})
		if err != nil {
			return err
		}
		b = appendRow(b, row)
		return tooLong(len(b))
	})
	return b, err
}

// eachField calls each with the fields of the record that comes next, and their columns, which find returns: it is
// told the column of the field before it, nil for the first.
func (t *table) eachField(d *jsontext.Decoder, find func(before *column, name string) (*column, error),
	each func(*column, jsontext.Token)) error {
	var before *column
	return leaves("", d, func(name string, value jsontext.Token) (err error) {
		if before, err = find(before, name); err == nil {
			each(before, value)
		}
		return err
	})
}

// find returns the column of a name.
func (t *table) find(before *column, name string) (*column, error) {
	if next := t.behind(before); next != nil && next.name == name { // where it mostly is
		return next, nil
	}
	return t.by[name], nil
}

// insert is find, and a column that is new stands behind the one before it. Invalid: there are too many.
func (t *table) insert(before *column, name string) (*column, error) {
	found, _ := t.find(before, name)
	if found != nil {
		return found, nil
	}
	if len(t.by) == mostColumns {
		return nil, gangway.Errorf(gangway.Invalid, "the table would have more than %d columns, one for each value "+
			"that any record has: let the mapping make fewer", mostColumns)
	}
	fresh := &column{name: name, next: t.behind(before)}
	if before == nil {
		t.first = fresh
	} else {
		before.next = fresh
	}
	t.by[name] = fresh
	t.bytes += len(name)
	return fresh, tooLong(t.bytes)
}

// behind returns the column behind one, the first behind none.
func (t *table) behind(c *column) *column {
	if c == nil {
		return t.first
	}
	return c.next
}

// leaves calls each with what has no members of the value that comes next, by its path: names and numbers from 0 on,
// with dots between them. An object or a list without any has no leaf; a record that is no object has one
// called value.
func leaves(path string, d *jsontext.Decoder, each func(path string, value jsontext.Token) error) error {
	value, err := d.ReadToken()
	if err != nil {
		return err
	}
	if kind := value.Kind(); kind != '{' && kind != '[' {
		path = cmp.Or(path, "value")
		return each(path, value)
	}
	return members(d, func(name string) error { return leaves(joined(path, name), d, each) })
}

// escape keeps a dot in a name apart from those between names.
var escape = strings.NewReplacer(`\`, `\\`, `.`, `\.`)

func joined(path, name string) string {
	name = escape.Replace(name)
	if path == "" {
		return name
	}
	return path + "." + name
}

func appendRow(dst []byte, row []string) []byte {
	for i, field := range row {
		dst = appendField(dst, i, field)
	}
	return append(dst, "\r\n"...)
}

// appendField appends the field of the i-th column, in quotes if it could be misread without them.
func appendField(dst []byte, i int, text string) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	if text == "" {
		return dst
	}
	text = strings.Map(printed, text)
	if !strings.ContainsAny(text, "\",;\t\r\n") && strings.TrimSpace(text) == text {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, '"')
}

// printed puts a mark in place of a control character, at which readers stop.
func printed(r rune) rune {
	if unicode.IsControl(r) && !strings.ContainsRune("\t\r\n", r) {
		return unicode.ReplacementChar
	}
	return r
}
