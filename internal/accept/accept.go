// Package accept takes in what customers send: document → decode → wire →
// check → store. What it has acknowledged is on disk and visible to every
// replica; what it has refused has left no trace.
//
// The caller decides what one wrong record means for its document: all or nothing for uploads, each
// record for itself for a feed that is read again and again.
//
// It knows nothing of HTTP: uploads come from package api. The form of a hand-off is read by
// package wire and stored elsewhere.
package accept

import (
	"errors"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/world"
)

// Limits bound one document.
type Limits struct {
	Records int // how many it may have
	Depth   int // how deep its values may be nested
}

// Weight estimates how many bytes of memory AllOrNothing needs for a document in JSON, besides the document.
func Weight(doc []byte) int64 { return decode.Weight(doc) }

// JSON returns the records of a document in JSON, which must be one array.
func JSON(doc []byte, limits Limits) Records { return decode.FromBytes(doc, limits.Depth) }

// ErrTooMany says that a document has more records than one document may have.
var ErrTooMany = errors.New("too many records")

// A Receipt says how many of a document's records were new, changed or unchanged, and which were
// accepted with a warning.
type Receipt struct {
	store.Counts
	Warnings gangway.Problems
}

// warningContext returns what warnings depend on for a document that arrives at the given time.
func warningContext(at time.Time) gangway.WarningContext {
	return gangway.WarningContext{Today: gangway.TodayAt(at), Known: func(a gangway.Airport) bool {
		return world.Known(string(a))
	}}
}
