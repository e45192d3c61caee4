package world

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A csvRow is a row of a file that an operator may have written. The errors of its
// methods name the line and the column.
type csvRow struct {
	line  int
	heads []string
	cells []string // one for each head, without spaces around it
}

// readCSV calls read for each row below the heading, which must be heads. Lines
// that begin with # are comments.
func readCSV(in io.Reader, heads []string, read func(csvRow) error) error {
	text := bufio.NewReader(in)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" { // a byte-order mark, as spreadsheets write it
		text.Discard(3)
	}
	c := csv.NewReader(text)
	c.FieldsPerRecord, c.ReuseRecord, c.Comment = -1, true, '#'
	for heading := true; ; heading = false {
		cells, err := c.Read()
		switch {
		case err == io.EOF && heading:
			return fmt.Errorf("the file is empty; its first line must be %s", strings.Join(heads, ","))
		case err == io.EOF:
			return nil
		case err != nil:
			return err // it names line and column
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		row := csvRow{heads: heads, cells: cells}
		row.line, _ = c.FieldPos(0)
		switch {
		case heading && !slices.Equal(cells, heads):
			err = fmt.Errorf("line %d: the columns are %s; want %s", row.line, strings.Join(cells, ","),
				strings.Join(heads, ","))
		case heading:
		case len(cells) < len(heads):
			err = row.wrong(len(cells), "missing")
		case len(cells) > len(heads):
			err = fmt.Errorf("line %d, column %d: there are only %d columns", row.line, len(heads)+1, len(heads))
		default:
			err = read(row)
		}
		if err != nil {
			return err
		}
	}
}

// wrong returns an error about the cell of column i.
func (r csvRow) wrong(i int, format string, args ...any) error {
	return fmt.Errorf("line %d, column %s: %s", r.line, r.heads[i], fmt.Sprintf(format, args...))
}

// oneOf returns the index in words of the value in column i.
func (r csvRow) oneOf(i int, words []string) (int, error) {
	at := slices.Index(words, r.cells[i])
	if at < 0 {
		return 0, r.wrong(i, "%q is not one of %s", r.cells[i], strings.Join(words, ", "))
	}
	return at, nil
}

// number returns the number in column i, which must be above 0 and at most most.
func (r csvRow) number(i int, most float64) (float64, error) {
	n, err := strconv.ParseFloat(r.cells[i], 64)
	if err != nil || !(n > 0 && n <= most) {
		return 0, r.wrong(i, "%q is not a number above 0 and up to %v", r.cells[i], most)
	}
	return n, nil
}
