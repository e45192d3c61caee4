package store

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// A Row is a record as it is stored, ready to be written: its columns, all of
// them texts, its key first and the record itself, as JSON, last.
type Row []any

func (r Row) doc() string { return r[len(r)-1].(string) }

// docSize is how many bytes most records take, so that their buffer is allocated once.
const docSize = 300

// rowsOf returns records as they are stored: row makes one record's row from the record and its
// JSON. The same record always becomes the same text. The standard library writes JSON faster than
// the other package that we use.
func rowsOf[T any](list []T, row func(record *T, doc string) Row) ([]Row, error) {
	rows := make([]Row, 0, len(list))
	var ends [rowsAtOnce]int
	for some := range slices.Chunk(list, rowsAtOnce) { // a text of all would be copied again and again as it grows
		var all strings.Builder
		all.Grow(len(some) * docSize)
		enc := json.NewEncoder(&all)
		enc.SetEscapeHTML(false)
		for i := range some {
			if err := enc.Encode(&some[i]); err != nil {
				return nil, fmt.Errorf("write record %d: %w", len(rows)+i, err)
			}
			ends[i] = all.Len()
		}
		text, from := all.String(), 0
		for i, end := range ends[:len(some)] {
			rows = append(rows, row(&some[i], text[from:end-1])) // without the line break
			from = end
		}
		runtime.Gosched()
	}
	return rows, nil
}
