// Package wire has the interface's shapes, letter by letter: customers'
// records as they come in, booking records as they go out.
//
// It holds no rule of the trade and no policy: what a record must contain, the
// nouns of package gangway check, and what becomes of one that is wrong, package
// accept decides. What is read here is read strictly: a value of the wrong type
// is named by its path, and nothing is guessed.
package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// A reader reads records of canonical JSON, one after the other, and notes in
// problems what it cannot read of each.
type reader struct {
	dec      *jsontext.Decoder
	value    bytes.Buffer // that dec reads
	problems gangway.Problems
	at       gangway.ProblemPath
	extra    []byte // members nobody asked for, as the inside of an object
	names    map[string]bool
	words    [manyWords]string // names and codes, which come again with every record
}

// A Reading is what there is to say of a record as it was read, until the next
// one is.
type Reading struct {
	Record    int              // which of the document's it is
	Problems  gangway.Problems // values that cannot be what they are to be
	Malformed *Malformed       // where it is no JSON; nil: nowhere
	Checkable bool             // it has all its parts, so that what they say can be checked
}

// records yields what read makes of each of values, numbered as these are, with
// what there is to say of it. The next record takes the place of both.
func records[T any](values iter.Seq2[int, jsontext.Value],
	read func(r *reader, record *T) (checkable bool, err error)) iter.Seq2[*T, *Reading] {
	return func(yield func(*T, *Reading) bool) {
		var r reader
		r.dec = jsontext.NewDecoder(&r.value)
		var record, none T
		var reading Reading
		for i, value := range values {
			record, r.problems, r.at = none, gangway.Problems{}, gangway.ProblemPath{Record: i}
			r.value = *bytes.NewBuffer(value)
			r.dec.Reset(&r.value)
			checkable, err := read(&r, &record)
			if err == nil {
				err = r.end()
			}
			reading = Reading{Record: i, Problems: r.problems, Checkable: checkable}
			if err != nil {
				reading.Malformed, reading.Checkable = malformed(i, value, err), false
			}
			if !yield(&record, &reading) {
				return
			}
		}
	}
}

// end fails when something stands behind the value that was read.
func (r *reader) end() error {
	if len(r.dec.UnreadBuffer()) == 0 {
		return nil
	}
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return cmp.Or(err, io.ErrUnexpectedEOF)
	}
	return nil
}

// A Malformed says where a record stops being strict JSON. It repeats names,
// never values.
type Malformed struct {
	Path  string // of the field
	Byte  int64  // of the record
	Why   string
	Alone bool // where the record ends is certain all the same, so that others can be read
}

// malformed says what err, that stopped reading a value, means.
func malformed(record int, value jsontext.Value, err error) *Malformed {
	m := &Malformed{Path: gangway.ProblemPath{Record: record}.Field(""), Why: "it is not well formed"}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		m.Byte = syntax.ByteOffset
		m.Path = pathOf(m.Path, syntax.JSONPointer)
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		m.Why, m.Alone = "a name stands twice in one object", true
	case strings.Contains(err.Error(), "UTF-8"):
		m.Why, m.Alone = "it is not valid UTF-8", true
	// others end where something stands behind them
	case errors.Is(err, io.ErrUnexpectedEOF) && strings.IndexByte(`{["`, value[0]) >= 0:
		m.Why = "it ends too early"
	}
	m.Alone = m.Alone && value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return m
}

// pathOf turns a pointer into a record ("/last_name") into the path of the
// field ("[3].LastName").
func pathOf(record string, p jsontext.Pointer) string {
	var path strings.Builder
	path.WriteString(record)
	for name := range p.Tokens() {
		if _, err := strconv.ParseUint(name, 10, 32); err == nil {
			fmt.Fprintf(&path, "[%s]", name)
			continue
		}
		path.WriteByte('.')
		path.WriteString(pascal(name))
	}
	return fmt.Sprintf("%.200s", path.String())
}

// pascal writes a name of the wire as problems do: last_name and lastName
// become LastName.
func pascal(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		first, size := utf8.DecodeRuneInString(word)
		if size > 0 {
			b.WriteRune(unicode.ToUpper(first))
		}
		b.WriteString(word[size:])
	}
	return b.String()
}

// object reads an object, calling member for each of its names; member must
// read the value. A value that is no object is noted under field and skipped,
// and so is nothing at all: there reports whether there was an object.
func (r *reader) object(field string, member func(name string) error) (there bool, err error) {
	if r.dec.PeekKind() != '{' {
		return false, r.wrong(field, "must be an object")
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return false, err
	}
	for r.dec.PeekKind() != '}' {
		name, err := r.word()
		if err != nil {
			return false, err
		}
		if err := member(name); err != nil {
			return false, err
		}
	}
	_, err = r.dec.ReadToken()
	return true, err
}

// What one record may have at most: more than anybody means, little enough to
// be kept, shown and sent on.
//
// Decided: docs/choices.md, "What anybody may fill".
const (
	freeText  = 100_000   // characters of a remark or an additional entry
	entryName = 255       // characters of the name of an additional entry
	entries   = 1_000     // additional entries under one name
	extra     = 256 << 10 // bytes of members that the interface does not name
	people    = 10_000    // who join, or who leave
	stops     = 50        // intermediate airports
)

// list reads an array of at most so many values, calling item for each of them.
// Of one that is seen to have more, nothing is kept.
func (r *reader) list(field string, most int, item func(i int) error) error {
	if r.dec.PeekKind() != '[' {
		return r.wrong(field, "must be an array")
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	at, tooMany := r.at, hasMore(r.dec.UnreadBuffer(), most) // which is all of the record
	if tooMany {
		r.problems.Add(at.Field(field), "The %s field must have at most %d entries.", field, most)
	}
	for i := 0; r.dec.PeekKind() != ']'; i++ {
		if i == most && !tooMany {
			tooMany = true
			r.problems.Add(at.Field(field), "The %s field must have at most %d entries.", field, most)
		}
		if tooMany || r.problems.Truncated {
			if err := r.dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if err := item(i); err != nil {
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return err
}

// keep reads a value nobody asked for and keeps it under name.
func (r *reader) keep(name string) error {
	value, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	if len(r.extra)+len(name)+len(value) > extra {
		if path := r.at.Field(""); !r.problems.Has(path) {
			r.problems.Add(path, "The record must have at most %d bytes of members that the interface does not name.",
				extra)
		}
		return nil
	}
	if r.names == nil {
		r.names = map[string]bool{}
	}
	for r.names[name] { // "flight.x" may be a name of its own beside x in flight
		name += "'"
	}
	r.names[name] = true
	if len(r.extra) > 0 {
		r.extra = append(r.extra, ',')
	}
	if r.extra, err = jsontext.AppendQuote(r.extra, name); err != nil {
		return err
	}
	r.extra = append(append(r.extra, ':'), value...)
	return nil
}

// kept returns what was kept since the last call, as an object; nil when it is nothing.
func (r *reader) kept() []byte {
	if len(r.extra) == 0 {
		return nil
	}
	doc := make([]byte, 0, len(r.extra)+2)
	doc = append(append(append(doc, '{'), r.extra...), '}')
	r.extra, r.names = r.extra[:0], nil
	return doc
}
