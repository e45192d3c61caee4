// Package wire has the interface's shapes, letter by letter: customers'
// records as they come in, booking records as they go out.
//
// It holds no rule of the trade: what a record must contain, the nouns of
// package gangway check. What is read here is read strictly: a value of the
// wrong type is named by its path, and nothing is guessed.
package wire

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrTooMany says that an array has more records than the caller allows.
var ErrTooMany = errors.New("too many records")

// A reader walks through one document, record by record, and notes in problems
// what it cannot read.
type reader struct {
	dec      *jsontext.Decoder
	today    gangway.Today
	problems gangway.Problems
	at       gangway.At
	extra    []byte // members nobody asked for, as the inside of an object
	names    map[string]bool
	words    [manyWords]string // names and codes, which come again with every record
}

// breath is after how many records whoever waits for a processor gets it, for
// somebody may be typing: reading so many takes well below a millisecond.
const breath = 100

// identified records say which identifier the customer has for
// what stands at a path.
type identified interface{ IDAt(path string) string }

// records reads an array, calling each for every record in it, and fails when
// anything in it was wrong. what is the name of such a record for people. keep,
// where there is one, says what is kept of a record until all are read.
func records[T identified](
	dec *jsontext.Decoder, limit int, today gangway.Today, what string, each func(r *reader) (T, error), keep func(v T, right bool) (T, error),
) ([]T, error) {
	r := &reader{dec: dec, today: today}
	tok, err := dec.ReadToken()
	if err != nil {
		return nil, r.malformed(err)
	}
	if tok.Kind() != '[' {
		return nil, gangway.Errorf(gangway.Invalid, "the body must be an array of %s records", what)
	}
	var list []T
	skipped := 0
	for dec.PeekKind() != ']' {
		if len(list) == limit {
			return nil, ErrTooMany
		}
		if r.problems.Truncated { // it will be refused, and no more can be said of it: only whether it can be read
			if skipped++; len(list)+skipped > limit {
				return nil, ErrTooMany
			}
			if err := dec.SkipValue(); err != nil {
				return nil, r.malformed(err)
			}
			continue
		}
		r.at = gangway.At{Record: len(list)}
		v, err := each(r)
		if err != nil {
			err = r.malformed(err)
			r.problems.Sign(v.IDAt)
			return nil, err
		}
		r.problems.Sign(v.IDAt)
		if keep != nil {
			if v, err = keep(v, r.problems.Err() == nil); err != nil {
				return nil, err
			}
		}
		list = append(list, v)
		if len(list)%breath == 0 {
			runtime.Gosched()
		}
		if len(list) == 1 { // the others are probably as long: room for them is made once
			more := len(dec.UnreadBuffer())/int(dec.InputOffset()) + 1
			list = slices.Grow(list, min(more+more/8, limit))
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, r.malformed(err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, gangway.Errorf(gangway.Invalid, "the body must end after the array: byte %d", dec.InputOffset())
	}
	return list, r.problems.Err()
}

// malformed says where the document stops being strict JSON: by the path of the
// field, where it is in one, beside what was wrong before it. It repeats names,
// never values.
func (r *reader) malformed(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax):
		why := "it is not well formed"
		switch {
		case errors.Is(err, jsontext.ErrDuplicateName):
			why = "a name stands twice in one object"
		case strings.Contains(syntax.Error(), "UTF-8"):
			why = "it is not valid UTF-8"
		case errors.Is(err, io.ErrUnexpectedEOF):
			why = "it ends too early"
		}
		if path := pathOf(syntax.JSONPointer); path != "" {
			r.problems.Add(path, "The body cannot be read as JSON here, at byte %d: %s.", syntax.ByteOffset, why)
			return r.problems.Err()
		}
		return gangway.Errorf(gangway.Invalid, "the body cannot be read as JSON: %s, at byte %d", why, syntax.ByteOffset)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return gangway.Errorf(gangway.Invalid, "the body cannot be read as JSON: it ends too early")
	}
	return fmt.Errorf("read JSON: %w", err)
}

// pathOf turns a pointer into a document ("/3/last_name") into the path of the
// field ("[3].LastName"); empty when it points at no record.
func pathOf(p jsontext.Pointer) string {
	var path strings.Builder
	for name := range p.Tokens() {
		if _, err := strconv.ParseUint(name, 10, 32); err == nil {
			fmt.Fprintf(&path, "[%s]", name)
			continue
		}
		if path.Len() > 0 {
			path.WriteByte('.')
		}
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
	at, tooMany := r.at, hasMore(r.dec.UnreadBuffer(), most) // of a document from memory it has all
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
			r.problems.Add(path, "The record must have at most %d bytes of members that the interface does not name.", extra)
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
