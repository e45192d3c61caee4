package store

import (
	"fmt"
	"iter"
	"math/bits"
	"runtime"
	"slices"
	"strings"
)

// givenColumns are the columns of a table that a statement is given.
type givenColumns []givenColumn

type givenColumn struct {
	name string
	kind columnKind
}

// A columnKind is what a given column contains: strings, or numbers of type int64.
type columnKind string

const (
	textColumn   columnKind = "TEXT"
	numberColumn columnKind = "BIGINT"
)

// given returns a table of rows, of which there is at least one, for a statement that has no other arguments.
//
// On SQLite it is a list of values. On PostgreSQL it is an array for each column, so that the statement is prepared
// once for any number of rows. It takes any such table to have few rows or many, and to be worth reading another from
// its beginning while that is small: a plan that it keeps when that has grown. Of a limit that it does not know yet it
// expects a tenth, and so of two a single row, for which the other is read by its key.
func (d dialect) given(columns givenColumns, rows [][]any) (table string, args []any) {
	if d == postgres {
		return columns.arrays(rows)
	}
	var b strings.Builder
	b.WriteString("(SELECT ")
	for i, c := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "column%d AS %s", i+1, c.name)
	}
	row := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	b.WriteString(" FROM (VALUES " + row + strings.Repeat(", "+row, len(rows)-1) + "))")
	return b.String(), slices.Concat(rows...)
}

// givenAtOnce is how many rows a statement on SQLite is given at most: it works in this process, and others wait for a
// processor until it is over. So many take it half a millisecond.
const givenAtOnce = 64

// parts are rows that are given together. On SQLite they are powers of two, so that there are few statements, which are
// kept, and between two parts whoever waits for a processor goes ahead.
func (d dialect) parts(rows [][]any) iter.Seq[[][]any] {
	return func(yield func([][]any) bool) {
		for n := len(rows); len(rows) > 0; rows = rows[n:] {
			if d == sqlite {
				n = min(givenAtOnce, 1<<(bits.Len(uint(len(rows)))-1))
				runtime.Gosched()
			}
			if !yield(rows[:n]) {
				return
			}
		}
	}
}

func (columns givenColumns) arrays(rows [][]any) (table string, args []any) {
	const unknown = ` LIMIT (SELECT 1000000)`
	var arrays, names []string
	for i, c := range columns {
		arrays, names = append(arrays, fmt.Sprintf("CAST($%d AS %s[])", i+1, c.kind)), append(names, c.name)
		if c.kind == textColumn {
			args = append(args, columnOf[string](rows, i))
		} else {
			args = append(args, columnOf[int64](rows, i))
		}
	}
	from := `unnest(` + strings.Join(arrays, ", ") + `) AS x (` + strings.Join(names, ", ") + `)`
	return `(SELECT * FROM (SELECT * FROM ` + from + unknown + `) y` + unknown + `)`, args
}

// columnOf returns a column of rows.
func columnOf[T any](rows [][]any, column int) []T {
	list := make([]T, len(rows))
	for i, row := range rows {
		list[i] = row[column].(T)
	}
	return list
}
