package files

import (
	"io"
	"strconv"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
)

// A CSV is a file of comma-separated values (RFC 4180) that is being written, in UTF-8 with a byte
// order mark: without one, Excel reads names in the code page of its machine.
//
// Instants, days, decimals and flags are written as in the report's JSON, and what is unknown is empty.
// Texts from outside cannot become formulas, see gangway.Harmless; numbers stay numbers.
type CSV struct {
	w       io.Writer
	columns []report.Column
	buf     []byte
}

// NewCSV begins a file of rows with these columns. It writes nothing before Write or Close.
func NewCSV(w io.Writer, columns []report.Column) *CSV {
	c := &CSV{w: w, columns: columns, buf: []byte("\ufeff")}
	for i, column := range columns {
		c.begin(i)
		c.buf = append(c.buf, column.Name...)
	}
	c.buf = append(c.buf, "\r\n"...)
	return c
}

// Write adds rows, which have a value for each column.
func (c *CSV) Write(rows []report.Row) error {
	for _, row := range rows {
		for i, column := range c.columns {
			c.begin(i)
			c.buf = appendField(c.buf, column, row[i])
		}
		c.buf = append(c.buf, "\r\n"...)
	}
	return c.flush()
}

// Close ends the file.
func (c *CSV) Close(About) error { return c.flush() }

// begin begins the field of a column.
func (c *CSV) begin(i int) {
	if i > 0 {
		c.buf = append(c.buf, ',')
	}
}

func (c *CSV) flush() error {
	_, err := c.w.Write(c.buf)
	c.buf = c.buf[:0]
	return err
}

// appendField appends a value as a field.
func appendField(dst []byte, column report.Column, value any) []byte {
	switch v := value.(type) {
	case string:
		return appendTextField(dst, gangway.Harmless(v))
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		switch column.Kind {
		case report.Instant, report.Day:
			return appendDate(dst, column, v)
		case report.Decimal:
			return report.AppendDecimal(dst, v, column.Scale)
		}
		return strconv.AppendInt(dst, v, 10)
	}
	return dst
}

// appendTextField puts a text into quotes if it could be misread without them.
func appendTextField(dst []byte, text string) []byte {
	if !strings.ContainsAny(text, "\",;\t\r\n") && strings.TrimSpace(text) == text {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, '"')
}
