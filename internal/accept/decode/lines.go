package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lines reads a text line by line with a bounded buffer.
type lines struct {
	from  io.Reader
	buf   []byte
	start int   // how much of buf was consumed
	line  int64 // the number of the line at start, from 1
	err   error // of from; after io.EOF buf has all the rest
}

func newLines(from io.Reader) *lines { return newLinesOf(from, readAtOnce) }

// newLinesOf reads a text of so many bytes, about.
func newLinesOf(from io.Reader, size int) *lines {
	return &lines{from: from, buf: make([]byte, 0, min(max(size, 1<<10), readAtOnce)), line: 1}
}

// rest returns what was read and not consumed.
func (l *lines) rest() []byte { return l.buf[l.start:] }

// more reads more of the text and reports whether there was any. It keeps what was not consumed.
func (l *lines) more() bool {
	if l.err != nil {
		return false
	}
	if l.start > 0 {
		kept := copy(l.buf, l.buf[l.start:])
		l.buf, l.start = l.buf[:kept], 0
	}
	if len(l.buf) == cap(l.buf) {
		l.buf = append(make([]byte, 0, 2*cap(l.buf)), l.buf...)
	}
	had := len(l.buf)
	l.buf, l.err = readMore(l.from, l.buf)
	return len(l.buf) > had
}

// readMore reads more of a text into the room that a buffer has.
func readMore(from io.Reader, buf []byte) ([]byte, error) {
	for range 100 {
		n, err := from.Read(buf[len(buf):cap(buf)])
		if buf = buf[:len(buf)+n]; n > 0 || err != nil {
			return buf, err
		}
	}
	return buf, io.ErrNoProgress
}

// pass consumes n bytes, in which so many lines end.
func (l *lines) pass(n int, ended int64) {
	l.start += n
	l.line += ended
}

// endOfLine returns the length of the next line with its end. If that exceeds the longest row, long is
// true and n is what was read of it. After the last line it returns io.EOF.
func (l *lines) endOfLine() (n int, long bool, err error) {
	for looked := 0; ; {
		rest := l.rest()
		if i := bytes.IndexByte(rest[looked:], '\n'); i >= 0 {
			return looked + i + 1, looked+i > longestRow, nil
		}
		looked = len(rest)
		switch {
		case looked > longestRow:
			return looked, true, nil
		case l.more():
		case !errors.Is(l.err, io.EOF):
			return 0, false, l.err
		case looked == 0:
			return 0, false, io.EOF
		default:
			return looked, false, nil
		}
	}
}

// next returns the next line without its end. A line that is too long is skipped with a *RecordError.
// The line is valid until the next call.
func (l *lines) next() (line []byte, at Place, err error) {
	at = Place{Unit: "line", N: l.line}
	n, long, err := l.endOfLine()
	switch {
	case err != nil:
		return nil, at, err
	case long:
		return nil, at, l.passLong()
	}
	line = l.rest()[:n]
	l.pass(n, 1)
	return bytes.TrimRight(line, "\r\n"), at, nil
}

// unended reports whether what was passed last is the end of the text, without a line end.
func (l *lines) unended() bool { return l.start > 0 && l.buf[l.start-1] != '\n' }

// passLong skips a line that is too long.
func (l *lines) passLong() error {
	for {
		rest := l.rest()
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			l.pass(i+1, 1)
			break
		}
		if l.pass(len(rest), 0); !l.more() {
			if !errors.Is(l.err, io.EOF) {
				return l.err
			}
			break
		}
	}
	return &RecordError{fmt.Sprintf("it has more than %d bytes", longestRow)}
}

// carriageReturns replaces the carriage returns with which old Macintosh programs end lines.
type carriageReturns struct{ from io.Reader }

func (c carriageReturns) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// withLines returns text with lines that end in newlines; head is its beginning.
func withLines(text io.Reader, head []byte) io.Reader {
	if bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0 {
		return carriageReturns{text}
	}
	return text
}
