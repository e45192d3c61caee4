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
	"gangway/internal/world"

	"github.com/go-json-experiment/json/jsontext"
)

// An Upload takes in one document for an account at an instant, all or nothing. Its error is
// a *gangway.ProblemsError that names every wrong field, ErrTooMany, or Invalid
// for a document that cannot be read.
type Upload func(ctx context.Context, in store.Scoped, doc []byte, limits Limits, at time.Time) (Receipt, error)

// Limits bound one document.
type Limits struct {
	Records int // that it may have
	Depth   int // of values within each other
}

// Weight estimates how many bytes of memory taking in doc needs, besides doc itself.
func Weight(doc []byte) int64 { return decode.Weight(doc) }

// ErrTooMany says that a document has more records than are taken at once.
var ErrTooMany = wire.ErrTooMany

// A Receipt says what became of a document: how many of its records were new,
// and what was taken though it will hurt.
type Receipt struct {
	store.Counts
	Warnings gangway.Problems
}

// Travellers takes in a JSON array of traveller records.
func Travellers(ctx context.Context, in store.Scoped, doc []byte, limits Limits, at time.Time) (Receipt, error) {
	outlook := outlookAt(at)
	list, err := read(doc, limits, outlook.Today, wire.ReadTravellers, gangway.Traveller.Key, travellerIdentity)
	if err != nil {
		return Receipt{}, err
	}
	var w gangway.Problems
	for i := range list {
		list[i].Warn(&w, gangway.At{Record: i}, gangway.UploadedTraveller, "", outlook)
		w.Sign(list[i].IDAt)
	}
	counts, err := in.UpsertTravellers(ctx, list)
	return Receipt{counts, w}, err
}

// TravelRequests takes in a JSON array of travel request records.
func TravelRequests(ctx context.Context, in store.Scoped, doc []byte, limits Limits, at time.Time) (Receipt, error) {
	outlook := outlookAt(at)
	key := func(r gangway.TravelRequest) string {
		if r.RequestID == "" {
			return "" // that it has none is what is wrong with it
		}
		return r.RequestID + "\x00" + r.SubRequestID
	}
	field := func(gangway.TravelRequest) string { return "ExternalInfo.RequestId" }
	list, err := read(doc, limits, outlook.Today, wire.ReadTravelRequests, key, field)
	if err != nil {
		return Receipt{}, err
	}
	var w gangway.Problems
	for i := range list {
		list[i].Warn(&w, i, outlook)
		w.Sign(list[i].IDAt)
	}
	counts, err := in.UpsertTravelRequests(ctx, list)
	return Receipt{counts, w}, err
}

// CrewChanges takes in a JSON array of crew change records.
func CrewChanges(ctx context.Context, in store.Scoped, doc []byte, limits Limits, at time.Time) (Receipt, error) {
	outlook := outlookAt(at)
	var w gangway.Problems
	var written []store.WrittenCrewChange
	// Each is written down and let go at once: all members of all would take several times the document.
	keep := func(c gangway.CrewChange, right bool) (gangway.CrewChange, error) {
		if right {
			c.Warn(&w, len(written), outlook)
			w.Sign(c.IDAt)
			doc, err := store.WriteCrewChange(c)
			if err != nil {
				return c, err
			}
			written = append(written, doc)
		}
		c.OnSigners, c.OffSigners, c.Extra = nil, nil, nil
		return c, nil
	}
	records := func(dec *jsontext.Decoder, limit int, today gangway.Today) ([]gangway.CrewChange, error) {
		return wire.ReadCrewChanges(dec, limit, today, keep)
	}
	_, err := read(doc, limits, outlook.Today, records, crewChangeKey, func(c gangway.CrewChange) string {
		if c.TravelRequestID != "" {
			return "TravelRequestId"
		}
		return "Vessel"
	})
	if err != nil {
		return Receipt{}, err
	}
	counts, err := in.UpsertWrittenCrewChanges(ctx, written, at)
	return Receipt{counts, w}, err
}

// crewChangeKey returns what makes two crew changes of a body the same. One that
// has neither an identifier nor all of what stands for it is wrong for that.
func crewChangeKey(c gangway.CrewChange) string {
	if c.TravelRequestID == "" && (c.Vessel == "" || c.ChangeDate == "") {
		return ""
	}
	return c.Key()
}

// outlookAt is what records are warned about by at an instant.
func outlookAt(at time.Time) gangway.Outlook {
	return gangway.Outlook{Today: gangway.TodayAt(at), Known: func(a gangway.Airport) bool { return world.Known(string(a)) }}
}

// travellerIdentity returns the field that a traveller is known by.
func travellerIdentity(t gangway.Traveller) string {
	if t.ID != "" {
		return "Id"
	}
	return "DocNumber"
}

// identified records say which identifier the customer has for what stands at a path.
type identified interface{ IDAt(path string) string }

// read reads a JSON document and refuses one that has the same record twice.
// key is what makes two records the same, field where that stands.
func read[T identified](
	doc []byte, limits Limits, today gangway.Today,
	records func(*jsontext.Decoder, int, gangway.Today) ([]T, error), key func(T) string, field func(T) string,
) ([]T, error) {
	dec, err := decode.JSON(doc, limits.Depth)
	if err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "the body cannot be read as JSON: %v", err)
	}
	list, err := records(dec, limits.Records, today)
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
			problems.Sign(record.IDAt)
			continue
		}
		first[k] = i
	}
	return list, problems.Err()
}
