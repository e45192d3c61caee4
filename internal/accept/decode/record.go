// Package decode turns the bytes of a document into records of canonical JSON,
// one at a time, whatever the document's length. One file per format.
//
// It does not know what the records mean: package wire reads them, and is the
// only reader of our shapes. A format other than JSON writes each of its rows
// as JSON.
package decode

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// A Record is one record of a document as canonical JSON: nearly always an object, but it can be any
// value. Whether it is well formed turns out when it is read.
type Record struct {
	JSON jsontext.Value // valid until the next record is requested
	At   Place
}

// A Place says where a record stands in the document as it arrived: at which byte or,
// in formats of lines, on which line.
type Place struct {
	Unit string
	N    int64
}

func (p Place) String() string { return fmt.Sprintf("%s %d", p.Unit, p.N) }

// A RecordError concerns one record alone, which is left out. The records after it can be read.
type RecordError struct{ Msg string }

func (e *RecordError) Error() string { return e.Msg }

// A BrokenError says where a document stops being what it should be. Nothing after that place can
// be read.
type BrokenError struct {
	Why error
	At  Place
}

func (e *BrokenError) Error() string { return fmt.Sprintf("%v, at %s", e.Why, e.At) }

func (e *BrokenError) Unwrap() error { return e.Why }
