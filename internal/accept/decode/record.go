// Package decode turns the bytes of a document into values, or into records of
// canonical JSON, one at a time, whatever the document's length. One file per
// format; Open finds out which it is.
//
// It does not know what the values mean: package mapping turns them into our records, and package
// wire, the only reader of our shapes, reads those.
package decode

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A Record is one record of a document as canonical JSON: nearly always an object, but it can be any
// value. Whether it is well formed turns out when it is read.
type Record struct {
	JSON jsontext.Value // valid until the next record is requested
	At   Place
}

// A Place says where something is in the document as it arrived: at which byte, in formats of lines
// on which line, in a workbook in which row or cell, of a query's answer in which row. The zero Place says nothing.
type Place struct {
	Unit   string // "byte", "line" or "row"
	N      int64  // bytes count from 0, lines and rows from 1
	In     string // the sheet, or the entry of an archive; empty where there is only one
	Column int    // of a cell, from 1; 0: of all the row
}

// String returns "byte 120", "line 19", "row 19", "Crew!A19" or, of one entry
// among several, "line 19 of crew.csv". It is empty for the zero Place.
func (p Place) String() string {
	switch {
	case p.Unit == "row" && p.In != "":
		return p.In + "!" + columnLetters(max(p.Column, 1)) + strconv.FormatInt(p.N, 10)
	case p.Unit == "":
		return p.In
	case p.In != "":
		return fmt.Sprintf("%s %d of %s", p.Unit, p.N, p.In)
	}
	return fmt.Sprintf("%s %d", p.Unit, p.N)
}

// columnLetters returns what spreadsheets call column n, from 1: A, B, …, Z, AA.
func columnLetters(n int) string {
	var letters []byte
	for ; n > 0; n = (n - 1) / 26 {
		letters = append(letters, byte('A'+(n-1)%26))
	}
	slices.Reverse(letters)
	return string(letters)
}

// A RecordError concerns one record alone, which is left out. The records after it can be read.
type RecordError struct{ Msg string }

func (e *RecordError) Error() string { return e.Msg }

// A BrokenError says where a document stops being what it should be. Nothing after that place can
// be read.
type BrokenError struct {
	Why error
	At  Place
}

func (e *BrokenError) Error() string {
	switch {
	case e.At == (Place{}):
		return e.Why.Error()
	case e.At.Unit == "":
		return fmt.Sprintf("%s: %v", e.At, e.Why)
	}
	return fmt.Sprintf("%v, at %s", e.Why, e.At)
}

// Unwrap returns why, but where that would make the error one about a record alone.
func (e *BrokenError) Unwrap() error {
	if _, alone := e.Why.(*RecordError); alone {
		return nil
	}
	return e.Why
}
