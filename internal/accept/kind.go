package accept

import (
	"context"
	"iter"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// A Kind is a kind of record that customers send, and how it is taken in.
type Kind[T identified] struct {
	name  string // of such a record, for messages
	read  func(values iter.Seq2[int, jsontext.Value]) iter.Seq2[*T, *wire.Reading]
	check func(record *T, p *gangway.Problems, i int, today gangway.Today)
	warn  func(record *T, w *gangway.Problems, i int, o gangway.WarningContext)

	// letters checks names that were read from a document whose letters may be misread.
	letters func(record *T, p *gangway.Problems, at gangway.ProblemPath, twice func(path, name string))

	// identity returns what makes two records the same, and the field that problems name for it.
	// A record without an identity is wrong anyway, and the same as no other.
	identity func(record *T) (key, field string)

	fed fedRules[T]

	rows  func(list []T) ([]store.Row, error)
	write func(in store.Scoped, ctx context.Context, rows []store.Row, from gangway.Origin) (store.Counts, error)

	// drop drops what a run of a feed has not seen, by identities, of the days that the run asked for.
	drop func(ctx context.Context, in store.Scoped, from gangway.Origin, of store.Days,
		seen func(identity string) bool) (int, error)
}

// fedRules are what is demanded of a record that the customer's system was asked for: less than of
// one that is uploaded, since people can fill in the rest.
//
// Decided: docs/choices.md, "Records taken in each for itself".
type fedRules[T identified] struct {
	// fill puts into a record what it leaves out and was asked for; nil: nothing.
	fill  func(record *T, asked gangway.Ask)
	fills string // the field; where it is there and cannot be read, the record is refused
	check func(record *T, p *gangway.Problems, i int, today gangway.Today)

	// asked reports whether a record is among what was asked for: systems answer with more. One that
	// does not say it is.
	asked func(record *T, asked gangway.Ask) bool

	// identity is that of a record without fault; it is never empty.
	identity func(record *T) (key, field string)
}

// identified records know the customer's identifier for the part of the record at a path.
type identified interface{ IDAt(path string) string }

// Travellers are suggested to bookers as soon as they are taken in.
var Travellers = Kind[gangway.Traveller]{
	name: "traveller",
	read: wire.Travellers,
	check: func(t *gangway.Traveller, p *gangway.Problems, i int, today gangway.Today) {
		t.Check(p, gangway.ProblemPath{Record: i}, gangway.UploadedTraveller, today)
	},
	warn: func(t *gangway.Traveller, w *gangway.Problems, i int, o gangway.WarningContext) {
		t.Warn(w, gangway.ProblemPath{Record: i}, gangway.UploadedTraveller, "", o)
	},
	letters: (*gangway.Traveller).CheckLetters,
	identity: func(t *gangway.Traveller) (key, field string) {
		if t.ID != "" {
			return t.Key(), "Id"
		}
		return t.Key(), "DocNumber"
	},
	fed: fedRules[gangway.Traveller]{
		check: func(t *gangway.Traveller, p *gangway.Problems, i int, today gangway.Today) {
			t.Check(p, gangway.ProblemPath{Record: i}, gangway.FedTraveller, today)
		},
		asked: func(t *gangway.Traveller, asked gangway.Ask) bool {
			return t.LastName == "" || strings.HasPrefix(gangway.Fold(t.LastName), gangway.Fold(asked.Surname))
		},
		identity: func(t *gangway.Traveller) (key, field string) {
			switch {
			case t.ID != "":
				return t.RecordKey(), "Id"
			case t.DocNumber != "":
				return t.RecordKey(), "DocNumber"
			}
			return t.RecordKey(), "LastName"
		},
	},
	rows:  store.TravellerRows,
	write: store.Scoped.UpsertTravellerRows,
	drop: func(ctx context.Context, in store.Scoped, from gangway.Origin, _ store.Days,
		seen func(string) bool) (int, error) {
		return in.DropTravellers(ctx, from, seen)
	},
}

// TravelRequests are planned journeys for which bookers book.
var TravelRequests = Kind[gangway.TravelRequest]{
	name: "travel request",
	read: wire.TravelRequests,
	check: func(r *gangway.TravelRequest, p *gangway.Problems, i int, today gangway.Today) {
		r.Check(p, i, today)
	},
	warn:    (*gangway.TravelRequest).Warn,
	letters: (*gangway.TravelRequest).CheckLetters,
	identity: func(r *gangway.TravelRequest) (key, field string) {
		if r.RequestID != "" {
			key = requestIdentity(r.RequestID, r.SubRequestID)
		}
		return key, "ExternalInfo.RequestId"
	},
	fed: fedRules[gangway.TravelRequest]{
		check: func(r *gangway.TravelRequest, p *gangway.Problems, i int, today gangway.Today) {
			r.CheckFed(p, i, today)
		},
		asked: func(r *gangway.TravelRequest, asked gangway.Ask) bool {
			starts, _ := r.Starts()
			return !starts.Valid() || (asked.From == "" || starts >= asked.From) &&
				(asked.To == "" || starts <= asked.To)
		},
		identity: func(r *gangway.TravelRequest) (key, field string) {
			return requestIdentity(r.RequestID, r.SubRequestID), "ExternalInfo.RequestId"
		},
	},
	rows:  store.TravelRequestRows,
	write: store.Scoped.UpsertTravelRequestRows,
	drop: func(ctx context.Context, in store.Scoped, from gangway.Origin, of store.Days,
		seen func(string) bool) (int, error) {
		return in.DropTravelRequests(ctx, from, of, func(id, sub string) bool { return seen(requestIdentity(id, sub)) })
	},
}

func requestIdentity(id, sub string) string { return id + "\x00" + sub }

// CrewChanges are crews for which bookers book. Each is written to its row and released as soon as it
// is read: all members of all crew changes would take several times the document's memory.
var CrewChanges = Kind[gangway.CrewChange]{
	name: "crew change",
	read: wire.CrewChanges,
	check: func(c *gangway.CrewChange, p *gangway.Problems, i int, today gangway.Today) {
		c.Check(p, i, today)
	},
	warn:    (*gangway.CrewChange).Warn,
	letters: (*gangway.CrewChange).CheckLetters,
	identity: func(c *gangway.CrewChange) (key, field string) {
		switch {
		case c.TravelRequestID != "":
			return c.Key(), "TravelRequestId"
		case c.Vessel == "" || c.ChangeDate == "":
			return "", "Vessel"
		}
		return c.Key(), "Vessel"
	},
	fed: fedRules[gangway.CrewChange]{
		fill: func(c *gangway.CrewChange, asked gangway.Ask) {
			if c.ChangeDate == "" {
				c.ChangeDate = asked.Date
			}
		},
		fills: "ChangeDate",
		check: func(c *gangway.CrewChange, p *gangway.Problems, i int, today gangway.Today) {
			c.CheckFed(p, i, today)
		},
		asked: func(c *gangway.CrewChange, asked gangway.Ask) bool {
			return asked.Date == "" || !c.ChangeDate.Valid() || c.ChangeDate == asked.Date
		},
		identity: func(c *gangway.CrewChange) (key, field string) {
			if c.TravelRequestID != "" {
				return c.Key(), "TravelRequestId"
			}
			return c.Key(), "Vessel"
		},
	},
	rows:  store.CrewChangeRows,
	write: store.Scoped.UpsertCrewChangeRows,
	drop: func(ctx context.Context, in store.Scoped, from gangway.Origin, of store.Days,
		seen func(string) bool) (int, error) {
		return in.DropCrewChanges(ctx, from, of, seen)
	},
}
