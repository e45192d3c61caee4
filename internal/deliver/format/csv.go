package format

import (
	"slices"
	"strconv"
	"strings"

	"gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// A table has a row for each record, and a column for each leaf that any of them has.
type table struct {
	columns []string
	rows    []map[string]string
}

// writeCSV writes comma-separated values (RFC 4180) in UTF-8. It is read by programs, so that there is no byte
// order mark. Texts cannot become formulas, see gangway.Harmless; numbers stay numbers.
func writeCSV(records []jsontext.Value) ([]byte, error) {
	var t table
	for _, record := range records {
		list, err := items(record)
		if err != nil {
			return nil, err
		}
		for _, item := range list {
			if err := t.add(item); err != nil {
				return nil, err
			}
		}
	}
	var b []byte
	for i, column := range t.columns {
		b = appendField(b, i, gangway.Harmless(column))
	}
	b = append(b, "\r\n"...)
	for _, row := range t.rows {
		for i, column := range t.columns {
			b = appendField(b, i, row[column])
		}
		b = append(b, "\r\n"...)
	}
	return b, nil
}

// add adds a row. A column that is new stands behind the one before it in the record.
func (t *table) add(record jsontext.Value) error {
	row, next := map[string]string{}, 0
	err := leaves("", record, func(column string, value jsontext.Value) error {
		at := next // where it mostly is
		if at == len(t.columns) || t.columns[at] != column {
			at = slices.Index(t.columns, column)
		}
		if at < 0 {
			at = next
			t.columns = slices.Insert(t.columns, at, column)
		}
		next = at + 1
		field, err := text(value)
		if value.Kind() == '"' {
			field = gangway.Harmless(field)
		}
		row[column] = field
		return err
	})
	t.rows = append(t.rows, row)
	return err
}

// leaves calls each with what has no members, by its path: names and numbers from 0 on, with dots
// between them. An object or a list without any has no leaf; a record that is no object has one
// called value.
func leaves(path string, value jsontext.Value, each func(path string, value jsontext.Value) error) error {
	kind := value.Kind()
	if kind != '{' && kind != '[' {
		if path == "" {
			path = "value"
		}
		return each(path, value)
	}
	n := 0
	return members(value, func(name string, inner jsontext.Value) error {
		if kind == '[' {
			name = strconv.Itoa(n)
			n++
		}
		return leaves(joined(path, name), inner, each)
	})
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

// appendField appends the field of the i-th column, in quotes if it could be misread without them.
func appendField(dst []byte, i int, text string) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	if !strings.ContainsAny(text, "\",;\t\r\n") && strings.TrimSpace(text) == text {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, '"')
}
