// Package accept takes in what customers send: document → decode → wire →
// validate → store. What it has acknowledged is on disk and visible to every
// replica; what it has refused has left no trace.
//
// It knows nothing of HTTP: uploads come from package api, and later from
// files and mail. The hand-off's form is read by package wire and needs no
// storing here.
package accept

import (
	"context"
	"errors"
	"time"

	"gangway"
	"gangway/internal/accept/decode"
	"gangway/internal/store"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// An Upload takes in one document for an account at an instant, all or nothing. Its error is
// a *gangway.ProblemsError that names every wrong field, ErrTooMany, or Invalid
// for a document that cannot be read.
type Upload func(ctx context.Context, in store.Scoped, doc []byte, limits Limits, at time.Time) (store.Counts, error)

// Limits bound one document.
type Limits struct {
	Records int // that it may have
	Depth   int // of values within each other
}

// ErrTooMany says that a document has more records than are taken at once.
var ErrTooMany = wire.ErrTooMany

// Travellers takes in a JSON array of traveller records.
func Travellers(ctx context.Context, in store.Scoped, doc []byte, limits Limits, at time.Time) (store.Counts, error) {
	list, err := read(doc, limits, wire.ReadTravellers, gangway.Traveller.Key, identity("Id", "DocNumber"))
	if err != nil {
		return store.Counts{}, err
	}
	return in.UpsertTravellers(ctx, list)
}

// TravelRequests takes in a JSON array of travel request records.
func TravelRequests(ctx context.Context, in store.Scoped, doc []byte, limits Limits, at time.Time) (store.Counts, error) {
	key := func(r gangway.TravelRequest) string { return r.RequestID + "\x00" + r.SubRequestID }
	list, err := read(doc, limits, wire.ReadTravelRequests, key, func(gangway.TravelRequest) string { return "ExternalInfo.RequestId" })
	if err != nil {
		return store.Counts{}, err
	}
	return in.UpsertTravelRequests(ctx, list)
}

// CrewChanges takes in a JSON array of crew change records.
func CrewChanges(ctx context.Context, in store.Scoped, doc []byte, limits Limits, at time.Time) (store.Counts, error) {
	list, err := read(doc, limits, wire.ReadCrewChanges, gangway.CrewChange.Key, func(c gangway.CrewChange) string {
		if c.TravelRequestID != "" {
			return "TravelRequestId"
		}
		return "Vessel"
	})
	if err != nil {
		return store.Counts{}, err
	}
	return in.UpsertCrewChanges(ctx, list, at)
}

// identity returns the field that a traveller is known by: her id, or her passport.
func identity(id, passport string) func(gangway.Traveller) string {
	return func(t gangway.Traveller) string {
		if t.ID != "" {
			return id
		}
		return passport
	}
}

// read reads a JSON document and refuses one that has the same record twice.
// key is what makes two records the same, field where that stands.
func read[T any](doc []byte, limits Limits, records func(*jsontext.Decoder, int) ([]T, error), key func(T) string, field func(T) string) ([]T, error) {
	dec, err := decode.JSON(doc, limits.Depth)
	if err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "the body cannot be read as JSON: %v", err)
	}
	list, err := records(dec, limits.Records)
	var wrong *gangway.ProblemsError
	if err != nil && !errors.As(err, &wrong) {
		return nil, err
	}
	var problems gangway.Problems
	if wrong != nil {
		problems = wrong.Problems
	}
	first := make(map[string]int, len(list))
	for i, record := range list {
		k := key(record)
		if k == "" {
			continue
		}
		if j, twice := first[k]; twice {
			problems.Add(gangway.At{Record: i}.Field(field(record)), "This record is the same as [%d]; send it once.", j)
			continue
		}
		first[k] = i
	}
	return list, problems.Err()
}
