package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrEmpty says that a document is empty, and ErrNoArray that it is not an array of records.
var (
	ErrEmpty   = errors.New("there is nothing in it")
	ErrNoArray = errors.New("it is not an array of records")
)

// ErrBehind is the reason of a *BrokenError for text after the array.
var ErrBehind = errors.New("something follows the records")

var (
	errMalformed = errors.New("it is not well formed")
	errEarly     = errors.New("it ends too early")
)

// maxMembers is how many members an object may have: more than any real record has, and few
// enough to check their names for repeats.
const maxMembers = 10_000

// byteOrderMark is U+FEFF in UTF-8.
const byteOrderMark = "\xEF\xBB\xBF"

// JSON cuts a JSON array into its records without reading them. What lies between the records must
// be strict JSON. A record that is nested too deep, has an object with more members than a record
// can have, or is too long is a *RecordError. A byte-order mark at the start, which some systems
// write, is skipped.
type JSON struct {
	scan scan
	from io.Reader // nil if the whole document is in the scan's buf
	most int       // bytes that a record may have

	heavy func() error // called before a record takes more than heavyValue; nil: nobody minds

	bare    bool  // the values follow one another and are in no array
	lines   int64 // line ends before counted
	counted int   // in buf, how far lines were counted
	begins  int64 // the line of the last record, of bare values
	before  int64 // bytes of the document before those in buf
	records int
	ended   error // what every further Next returns
}

// FromBytes returns the records of a document that is in memory. It leaves doc as it is.
func FromBytes(doc []byte, depth int) *JSON {
	return &JSON{scan: newScan(doc, depth), most: len(doc)}
}

// FromReader returns the records of a document while it arrives, each of at most most bytes. It keeps
// little more than the current record in memory.
func FromReader(doc io.Reader, depth, most int) *JSON {
	return &JSON{scan: newScan(make([]byte, 0, min(readAtOnce, most)), depth), from: doc, most: most}
}

// fromLines returns the values of a document in which they follow one another, as in JSON lines,
// each of at most so many bytes.
func fromLines(doc io.Reader, depth, most int) *JSON {
	r := FromReader(doc, depth, most)
	r.bare, r.scan.maxMembers = true, most
	return r
}

// readAtOnce is how many bytes are requested from a reader at a time.
const readAtOnce = 64 << 10

// Next returns the next record, and io.EOF after the last. A *RecordError concerns that record alone.
// After a *BrokenError, or any other error, nothing more can be read.
func (r *JSON) Next() (Record, error) {
	if r.ended != nil {
		return Record{}, r.ended
	}
	err := r.toRecord()
	if err != nil {
		r.ended = err
		return Record{}, err
	}
	r.records++
	return r.record()
}

// toRecord moves to the beginning of the next record.
func (r *JSON) toRecord() error {
	if r.bare {
		return r.toValue()
	}
	if r.records == 0 {
		if err := r.open(); err != nil {
			return err
		}
	}
	next, err := r.look()
	switch {
	case err != nil:
		return err
	case next == ']':
		return r.close()
	case r.records > 0 && next != ',':
		return r.broken(errMalformed)
	case r.records > 0:
		r.scan.at++
		if next, err = r.look(); err != nil {
			return err
		}
	}
	if bytes.IndexByte([]byte("]},:"), next) >= 0 {
		return r.broken(errMalformed)
	}
	return nil
}

// toValue moves to the beginning of the next value of those that are in no array.
func (r *JSON) toValue() error {
	next, err := r.look()
	var none *BrokenError
	switch {
	case errors.As(err, &none) && r.records == 0:
		return ErrEmpty
	case errors.As(err, &none):
		return io.EOF
	case err != nil:
		return err
	case bytes.IndexByte([]byte("]},:"), next) >= 0:
		return r.broken(errMalformed)
	}
	return nil
}

// open reads the bracket that opens the array.
func (r *JSON) open() error {
	for len(r.scan.buf) < len(byteOrderMark) && r.more() == nil {
	}
	if bytes.HasPrefix(r.scan.buf, []byte(byteOrderMark)) {
		r.scan.at = len(byteOrderMark)
	}
	first, err := r.look()
	switch {
	case errors.As(err, new(*BrokenError)):
		return ErrEmpty
	case err != nil:
		return err
	case first == '[':
		r.scan.at++
		return nil
	case bytes.IndexByte([]byte(`{"tfn-0123456789`), first) >= 0:
		return ErrNoArray
	}
	return r.broken(errMalformed)
}

// close reads the bracket that closes the array, and checks that nothing follows it.
func (r *JSON) close() error {
	r.scan.at++
	end := r.place()
	_, err := r.look()
	switch {
	case err == nil:
		return &BrokenError{ErrBehind, end}
	case errors.As(err, new(*BrokenError)):
		return io.EOF
	}
	return err
}

// record cuts out the record that begins here.
func (r *JSON) record() (Record, error) {
	at := r.place()
	if r.bare {
		r.begins = r.line()
	}
	r.scan.begin()
	long := false
	for !r.scan.end() {
		if len(r.scan.buf)-r.scan.start > r.most { // read on to its end, but keep nothing of it
			r.scan.start, long = r.scan.at, true
		}
		if err := r.more(); errors.Is(err, io.EOF) {
			if r.ended = r.broken(errEarly); r.bare && !r.scan.text && r.scan.level == 0 {
				r.ended = io.EOF
			}
			break
		} else if err != nil {
			r.ended = err
			return Record{}, err
		}
	}
	switch value := r.scan.buf[r.scan.start:r.scan.at]; {
	case r.scan.wrong != "":
		return Record{At: at}, &RecordError{r.scan.wrong}
	case long || len(value) > r.most:
		return Record{At: at}, &RecordError{fmt.Sprintf("it has more than %d bytes", r.most)}
	default:
		return Record{JSON: value, At: at}, nil
	}
}

// look skips white space and returns the next byte. At the end of the document it returns a
// *BrokenError.
func (r *JSON) look() (next byte, err error) {
	for {
		for r.scan.at < len(r.scan.buf) {
			next := r.scan.buf[r.scan.at]
			if next != ' ' && next != '\n' && next != '\r' && next != '\t' {
				return next, nil
			}
			r.scan.at++
		}
		r.scan.start = r.scan.at
		if err := r.more(); errors.Is(err, io.EOF) {
			return 0, r.broken(errEarly)
		} else if err != nil {
			return 0, err
		}
	}
}

// more reads more of the document into the buffer, after what is kept.
func (r *JSON) more() error {
	if r.from == nil {
		return io.EOF
	}
	s := &r.scan
	if s.start > 0 {
		r.countLines(s.start)
		r.counted -= s.start
		kept := copy(s.buf, s.buf[s.start:])
		r.before += int64(s.start)
		s.buf, s.at, s.start = s.buf[:kept], s.at-s.start, 0
	}
	if len(s.buf) == cap(s.buf) { // record cuts what is longer than most
		if 2*cap(s.buf) >= heavyValue && r.heavy != nil {
			if err := r.heavy(); err != nil {
				return err
			}
		}
		s.buf = append(make([]byte, 0, min(2*cap(s.buf), max(r.most, len(s.buf))+readAtOnce)), s.buf...)
	}
	had, err := len(s.buf), error(nil)
	if s.buf, err = readMore(r.from, s.buf); len(s.buf) > had {
		return nil // the reader returns the error again
	}
	return err
}

func (r *JSON) place() Place { return Place{Unit: "byte", N: r.before + int64(r.scan.at)} }

// line returns the line of the next byte, from 1.
func (r *JSON) line() int64 {
	r.countLines(r.scan.at)
	return r.lines + 1
}

func (r *JSON) countLines(to int) {
	if to > r.counted {
		r.lines += int64(bytes.Count(r.scan.buf[r.counted:to], []byte("\n")))
		r.counted = to
	}
}

func (r *JSON) broken(why error) error {
	if r.bare && r.records > 1 { // then they are lines, and no single value
		return &BrokenError{why, Place{Unit: "line", N: r.line()}}
	}
	return &BrokenError{why, r.place()}
}
