// Package accept takes in what customers send: document → decode → wire →
// check → store. What it has acknowledged is on disk and visible to every
// replica; what it has refused has left no trace.
//
// The caller decides what one wrong record does to its document: all or nothing, as for uploads, or
// each record for itself, as for a feed that is read again and again.
//
// It knows nothing of HTTP: uploads come from package api, and later from
// files and mail. The hand-off's form is read by package wire and needs no
// storing here.
package accept

import (
	"errors"
	"time"

	"gangway"
	"gangway/internal/accept/decode"
	"gangway/internal/store"
	"gangway/internal/world"
)

// Limits bound one document.
type Limits struct {
	Records int // that it may have
	Depth   int // of values within each other
}

// Weight estimates how many bytes of memory taking in doc, all or nothing, needs besides doc itself.
func Weight(doc []byte) int64 { return decode.Weight(doc) }

// ErrTooMany says that a document has more records than are taken at once.
var ErrTooMany = errors.New("too many records")

// A Receipt says what became of a document: how many of its records were new, and what was accepted
// with a warning.
type Receipt struct {
	store.Counts
	Warnings gangway.Problems
}

// warningContext returns what warnings depend on for a document that comes at the time at.
func warningContext(at time.Time) gangway.WarningContext {
	return gangway.WarningContext{Today: gangway.TodayAt(at), Known: func(a gangway.Airport) bool {
		return world.Known(string(a))
	}}
}
