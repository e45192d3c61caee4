package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Lines are those of a text, with a bounded buffer. The buffer begins with what
// is not passed over yet.
type lines struct {
	from  io.Reader
	buf   []byte
	start int   // what of buf is passed over
	line  int64 // that begins at start, from 1
	err   error // of from; io.EOF: buf has all the rest
}

func newLines(from io.Reader) *lines {
	return &lines{from: from, buf: make([]byte, 0, readAtOnce), line: 1}
}

// rest returns what of the text is at hand.
func (l *lines) rest() []byte { return l.buf[l.start:] }

// more reads more of the text, and reports whether there was more. It keeps what
// was not passed over.
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
	for range 100 {
		n, err := l.from.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf, l.err = l.buf[:len(l.buf)+n], err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	l.err = io.ErrNoProgress
	return false
}

// pass passes over n bytes, in which so many lines end.
func (l *lines) pass(n int, ended int64) {
	l.start += n
	l.line += ended
}

// endOfLine returns how many bytes the next line has with its end; those at hand
// where it has more than a row may. It is io.EOF behind the last line.
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

// next returns the next line without its end. What is too long is passed over,
// and a *RecordError. The line is good until the next is asked for.
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

// passLong passes over a line that is too long.
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

// carriageReturns makes lines that end with a carriage return alone, as old
// Macintosh programs write them, end as others do.
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

// withLines returns text with lines that end as ours do; head is its beginning.
func withLines(text io.Reader, head []byte) io.Reader {
	if bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0 {
		return carriageReturns{text}
	}
	return text
}
