// Package wire has the interface's shapes, letter by letter: customers'
// records as they come in, booking records as they go out.
//
// It holds no rules of the trade and no policy. The nouns of package gangway check
// what a record must contain, and package accept decides what happens to a wrong
// one. Reading is strict: a value of the wrong type is reported by its path, and
// nothing is guessed.
package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// A reader reads records of canonical JSON one after the other, and notes in
// problems what it cannot read.
type reader struct {
	dec      *jsontext.Decoder
	value    bytes.Buffer // what dec reads
	problems gangway.Problems
	at       gangway.ProblemPath
	extra    []byte // members that the interface does not name, as the inside of an object
	names    map[string]bool
	sections []*gangway.Member // objects that the record has
	words    [wordSlots]string // names and codes that come again with every record
}

// A Reading is what was found while reading a record. It is valid until the next
// record is read.
type Reading struct {
	Record    int              // its index in the document
	Problems  gangway.Problems // values of the wrong type or form
	Malformed *Malformed       // where it stops being JSON; nil if it is well formed
	Checkable bool             // all required parts are there, so that their contents can be checked
}

// records yields the record of each value, with its Reading. Both are reused for the next record.
func records[T any](values iter.Seq2[int, jsontext.Value], list gangway.Members) iter.Seq2[*T, *Reading] {
	return func(yield func(*T, *Reading) bool) {
		var r reader
		r.dec = jsontext.NewDecoder(&r.value)
		var record, none T
		var reading Reading
		for i, value := range values {
			record, r.problems, r.at = none, gangway.Problems{}, gangway.ProblemPath{Record: i}
			r.value = *bytes.NewBuffer(value)
			r.dec.Reset(&r.value)
			checkable, err := r.record(list, reflect.ValueOf(&record).Elem())
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

// end fails if anything follows the value that was read.
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
	Alone bool // the record's end is certain all the same, so that the records after it can be read
}

// malformed describes err, which stopped the reading of a value.
func malformed(record int, value jsontext.Value, err error) *Malformed {
	m := &Malformed{Path: gangway.ProblemPath{Record: record}.Field(""), Why: "it is not well formed"}
	if syntax, is := errors.AsType[*jsontext.SyntacticError](err); is {
		m.Byte = syntax.ByteOffset
		m.Path = pathOf(m.Path, syntax.JSONPointer)
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		m.Why, m.Alone = "a name occurs twice in one object", true
	case strings.Contains(err.Error(), "UTF-8"):
		m.Why, m.Alone = "it is not valid UTF-8", true
	// a value of another type has no end of its own: it ends where the next thing begins
	case errors.Is(err, io.ErrUnexpectedEOF) && strings.IndexByte(`{["`, value[0]) >= 0:
		m.Why = "it ends too early"
	}
	m.Alone = m.Alone && value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return m
}

// pathOf turns a JSON pointer within a record ("/last_name") into the path of the
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
		path.WriteString(gangway.FieldName(name))
	}
	return fmt.Sprintf("%.200s", path.String())
}

// object reads an object and calls member for each name; member must read the
// value. A value that is not an object is noted under field and skipped. there
// reports whether there was an object.
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

// The most that one record may have: more than any real one, and little enough to
// be kept, shown and sent on.
//
// Decided: docs/choices.md, "What anybody may fill".
const (
	freeText  = 100_000   // characters of a remark or an additional entry
	entryName = 255       // characters of the name of an additional entry
	entries   = 1_000     // additional entries under one name
	extra     = 256 << 10 // bytes of members that the interface does not name
)

// list reads an array of at most most values and calls item for each. If it has
// more, none of them is kept.
func (r *reader) list(field string, most int, item func(i int) error) error {
	if r.dec.PeekKind() != '[' {
		return r.wrong(field, "must be an array")
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	at, tooMany := r.at, hasMore(r.dec.UnreadBuffer(), most) // the buffer has all of the record
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

// keepUnknown reads a value that the interface does not name and keeps it under name.
func (r *reader) keepUnknown(name string) error {
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
	for r.names[name] { // a member called "flight.x" may exist beside x in flight
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

// unnamed is the field of a record, and of a member of a crew change, for what the interface does not name.
const unnamed = "Extra"

// takeUnknown puts what was kept since the last call into v, as an object.
func (r *reader) takeUnknown(v reflect.Value) {
	if len(r.extra) == 0 {
		return
	}
	doc := make([]byte, 0, len(r.extra)+2)
	v.FieldByName(unnamed).SetBytes(append(append(append(doc, '{'), r.extra...), '}'))
	r.extra, r.names = r.extra[:0], nil
}
