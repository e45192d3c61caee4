package decode

import (
	"io"
	"unicode/utf8"

	"gangway/internal/gangway"
)

// A fixedReader reads lines in which each value has fixed columns of characters.
type fixedReader struct {
	lines   *lines
	columns []gangway.FixedColumn
	cells   []string
	starts  []int // where each character begins, if the line is not ASCII
}

// openFixed reads lines of fixed width. A header line is skipped, with all lines above it, because the
// format names the columns.
func openFixed(text io.Reader, head []byte, as gangway.DocumentFormat) (items, error) {
	if len(as.Columns) == 0 {
		return nil, wrong("the format does not say in which columns the values are")
	}
	r := &fixedReader{lines: newLines(withLines(text, head)), columns: as.Columns}
	t := &table{rows: r, header: newHeader(nil), named: len(as.Columns), least: len(as.Columns)}
	for i, c := range as.Columns {
		t.header.add(c.Name, i+1)
	}
	if as.Header != nil {
		for n := range *as.Header {
			if _, err := r.nextRow(); err == io.EOF {
				return nil, wrong("it has no row %d to take the column names from", n+1)
			} else if err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

func (f *fixedReader) nextRow() (row, error) {
	line, at, err := f.lines.next()
	switch {
	case err != nil:
		return row{at: at}, err
	case !utf8.Valid(line):
		return row{at: at}, notUTF8()
	}
	f.cells = f.cells[:0]
	text := string(line)
	n := len(text)
	if ascii := asciiLength(line) == n; !ascii {
		f.starts = f.starts[:0]
		for i := range text {
			f.starts = append(f.starts, i)
		}
		n = len(f.starts)
		f.starts = append(f.starts, len(text))
	} else {
		f.starts = nil
	}
	for _, c := range f.columns {
		if c.From > n { // the line ends before it
			f.cells = append(f.cells, "")
			continue
		}
		from, to := c.From-1, min(c.To, n)
		if f.starts != nil {
			from, to = f.starts[from], f.starts[to]
		}
		f.cells = append(f.cells, trimmed(text[from:to]))
	}
	return row{f.cells[:f.there(n)], at, f.lines.unended()}, nil
}

// there returns how many columns a line of n characters has. Those after the last one that begins in the
// line are absent.
func (f *fixedReader) there(n int) int {
	last := len(f.columns)
	for last > 0 && f.columns[last-1].From > n {
		last--
	}
	return last
}
