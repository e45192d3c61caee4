// Package decode turns the bytes of a document into records of canonical JSON,
// one at a time, whatever the document's length. One file per format.
//
// It does not know what the records mean: package wire reads them, and is the
// only reader of our shapes. A format that is not JSON writes each of its rows
// as JSON; a customer's own fields are mapped between here and there.
package decode

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// A Record is one record of a document as canonical JSON. Nearly always it is
// an object; it is whatever stands in the place of one. Whether it is well
// formed shows when it is read.
type Record struct {
	JSON jsontext.Value // until the next record is asked for
	At   Place
}

// A Place says where a record stands in the document as it came: the byte or,
// in formats of lines, the line.
type Place struct {
	Unit string
	N    int64
}

func (p Place) String() string { return fmt.Sprintf("%s %d", p.Unit, p.N) }

// A RecordError is about one record alone, which is left out. Those behind it
// can be read.
type RecordError struct{ Msg string }

func (e *RecordError) Error() string { return e.Msg }

// A BrokenError says where a document stops being what it should be. Nothing
// behind that can be read.
type BrokenError struct {
	Why error
	At  Place
}

func (e *BrokenError) Error() string { return fmt.Sprintf("%v, at %s", e.Why, e.At) }

func (e *BrokenError) Unwrap() error { return e.Why }
