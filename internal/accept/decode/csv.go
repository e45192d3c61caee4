package decode

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gangway/internal/gangway"
)

// A csvReader reads rows of values between delimiters. A value may be in quotation marks and then
// contain delimiters, line ends and doubled quotation marks.
//
// We do not use the standard library's reader because a malformed row has to be refused alone, with its
// line, and because an endless row or value must not be held in memory.
type csvReader struct {
	lines     *lines
	delimiter byte
	cells     []string
	text      []byte // of all values of a row that has quotation marks
	ends      []int  // where each value ends in text
	again     int    // bytes that were read again after a malformed row
}

// openCSV reads CSV. head is the beginning of the text.
func openCSV(text io.Reader, head []byte, as *gangway.DocumentFormat) (items, error) {
	r := &csvReader{lines: newLines(withLines(text, head))}
	said, n := separatorLine(head)
	if n > 0 {
		if _, _, err := r.lines.next(); err != nil {
			return nil, err
		}
		head = head[n:]
	}
	switch {
	case as.Delimiter != "":
		r.delimiter = as.Delimiter[0]
	case said != 0:
		r.delimiter = said
	default:
		r.delimiter, _ = findDelimiter(head, as.Header)
	}
	as.Delimiter = string(r.delimiter)
	return openTable(r, as.Header)
}

// separatorLine reads a first line such as "sep=;", which Excel understands, and returns its length; 0
// if there is none.
func separatorLine(head []byte) (delimiter byte, n int) {
	line, _, ended := bytes.Cut(head, []byte("\n"))
	said := bytes.TrimRight(line, "\r")
	if len(said) != 5 || !bytes.EqualFold(said[:4], []byte("sep=")) || said[4] >= utf8.RuneSelf {
		return 0, 0
	}
	if n = len(line); ended {
		n++
	}
	return said[4], n
}

func (c *csvReader) nextRow() (row, error) {
	at := Place{Unit: "line", N: c.lines.line}
	n, long, err := c.lines.endOfLine()
	if err != nil {
		return row{at: at}, err
	}
	if line := c.lines.rest()[:n]; bytes.IndexByte(line, '"') >= 0 {
		err = c.quoted()
	} else if long {
		err = c.lines.passLong()
	} else {
		c.lines.pass(n, 1)
		err = c.plain(line)
	}
	return row{c.cells, at, c.lines.unended()}, err
}

// plain reads a row without quotation marks.
func (c *csvReader) plain(line []byte) error {
	c.cells = c.cells[:0]
	if !utf8.Valid(line) {
		return notUTF8()
	}
	for text := string(line); ; {
		if len(c.cells) == mostColumns {
			return tooManyColumns()
		}
		i := strings.IndexByte(text, c.delimiter)
		if i < 0 {
			c.cells = append(c.cells, trimmed(text))
			return nil
		}
		c.cells = append(c.cells, trimmed(text[:i]))
		text = text[i+1:]
	}
}

var (
	errMisplaced = errors.New("text follows a closing quotation mark")
	errUnclosed  = errors.New("a quotation mark is not closed")
	errLongRow   = fmt.Errorf("it has more than %d bytes, or a quotation mark in it is not closed", longestRow)
)

// mostReadAgain is how many bytes of a document are read again because a row that spanned them was
// malformed. Without a limit a document could make that quadratic.
const mostReadAgain = 16 * longestRow

// quoted reads a row that contains quotation marks and moves to the next line. After a malformed row
// that is the line after the one on which the row begins.
func (c *csvReader) quoted() error {
	n, err := c.values()
	switch {
	case errors.Is(err, errMisplaced), errors.Is(err, errUnclosed), errors.Is(err, errLongRow):
		return c.passWrong(n, err)
	case err != nil:
		return err
	}
	c.lines.pass(n, int64(bytes.Count(c.lines.rest()[:n], []byte("\n"))))
	switch {
	case len(c.ends) > mostColumns:
		return tooManyColumns()
	case !utf8.Valid(c.text):
		return notUTF8()
	}
	c.cells = c.cells[:0]
	text, from := string(c.text), 0
	for _, to := range c.ends {
		c.cells = append(c.cells, trimmed(text[from:to]))
		from = to
	}
	return nil
}

// passWrong skips the line on which a malformed row begins. n is how many bytes of the row were read.
func (c *csvReader) passWrong(n int, why error) error {
	line, long, err := c.lines.endOfLine()
	switch {
	case err != nil:
		return err
	case long:
		return c.lines.passLong()
	case errors.Is(why, errUnclosed) && c.lines.rest()[line-1] != '\n':
		return &BrokenError{fmt.Errorf("%w: %w", errCut, errUnclosed), Place{Unit: "line", N: c.lines.line}}
	}
	if c.again += max(n-line, 0); c.again > mostReadAgain {
		return &BrokenError{errUnclosed, Place{Unit: "line", N: c.lines.line}}
	}
	c.lines.pass(line, 1)
	return &RecordError{why.Error()}
}

// values reads the values of the next row into text and returns the length of the row with its line end.
func (c *csvReader) values() (n int, err error) {
	c.text, c.ends = c.text[:0], c.ends[:0]
	for i := 0; ; i++ {
		if i, err = c.value(i); err != nil {
			return i, err
		}
		if len(c.ends) <= mostColumns {
			c.ends = append(c.ends, len(c.text))
		}
		if b, ok := c.at(i); !ok {
			return i, c.whyEnded()
		} else if b == '\n' {
			return i + 1, nil
		}
	}
}

// value reads the value that begins at i into text, and returns where it ends.
func (c *csvReader) value(i int) (int, error) {
	first := i
	b, ok := c.at(i)
	for ok && (b == ' ' || b == '\t') && b != c.delimiter {
		i++
		b, ok = c.at(i)
	}
	if ok && b == '"' {
		return c.inQuotes(i + 1)
	}
	for i = first; ; i++ {
		if b, ok := c.at(i); !ok || b == c.delimiter || b == '\n' {
			c.text = append(c.text, c.lines.rest()[first:i]...)
			return i, nil
		}
	}
}

// inQuotes reads the value whose text in quotation marks begins at i.
func (c *csvReader) inQuotes(i int) (int, error) {
	for {
		if _, ok := c.at(i); !ok {
			return i, cmp.Or(c.whyEnded(), errUnclosed)
		}
		rest := c.lines.rest()[i:]
		n := bytes.IndexByte(rest, '"')
		if n < 0 {
			c.text = append(c.text, rest...)
			i += len(rest)
			continue
		}
		c.text = append(c.text, rest[:n]...)
		i += n + 1
		if b, ok := c.at(i); !ok || b != '"' {
			return c.behindQuotes(i)
		}
		c.text = append(c.text, '"')
		i++
	}
}

// behindQuotes returns where the value ends whose closing quotation mark is before i.
func (c *csvReader) behindQuotes(i int) (int, error) {
	for {
		b, ok := c.at(i)
		switch {
		case !ok, b == c.delimiter, b == '\n':
			return i, nil
		case b != ' ' && b != '\t' && b != '\r':
			return i, errMisplaced
		}
		i++
	}
}

// at returns byte i of the row; ok is false if there is none.
func (c *csvReader) at(i int) (b byte, ok bool) {
	for i >= len(c.lines.rest()) {
		if i > longestRow || !c.lines.more() {
			return 0, false
		}
	}
	return c.lines.rest()[i], true
}

// whyEnded returns why a row has no more bytes: nil if the text ended.
func (c *csvReader) whyEnded() error {
	switch {
	case len(c.lines.rest()) > longestRow:
		return errLongRow
	case !errors.Is(c.lines.err, io.EOF):
		return c.lines.err
	}
	return nil
}

func tooManyColumns() error {
	return &RecordError{fmt.Sprintf("it has more than %d columns", mostColumns)}
}
