package accept

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// A Kind is a kind of record that customers send, and how it is taken in.
type Kind[T identified] struct {
	name string // of such a record, for messages
	read func(values iter.Seq2[int, jsontext.Value]) iter.Seq2[*T, *wire.Reading]

	// What is demanded of a record that is uploaded, and of one that the customer's system was asked for: less, since
	// people can fill in the rest.
	uploaded, fed gangway.Record

	check func(record *T, p *gangway.Problems, at gangway.ProblemPath, of gangway.Record, today gangway.Today)
	warn  func(record *T, w *gangway.Problems, at gangway.ProblemPath, o gangway.WarningContext)

	// identity returns what makes two records the same, and the field that problems name for it.
	identity func(record *T) (key, field string)

	// fill puts into a record what it leaves out and was asked for; nil: nothing. Where the field fills is there and
	// cannot be read, the record is refused.
	fill  func(record *T, asked gangway.Ask)
	fills string

	// asked reports whether a record is among what was asked for: systems answer with more. One that
	// does not say it is.
	asked func(record *T, asked gangway.Ask) bool

	rows  func(list []T) ([]store.Row, error)
	write func(in store.Scoped, ctx context.Context, rows []store.Row, from gangway.Origin) (store.Counts, error)

	// drop drops what a run of a feed has not seen, by identities, of the days that the run asked for.
	drop func(ctx context.Context, in store.Scoped, from gangway.Origin, of store.Days,
		seen func(identity string) bool) (int, error)
}

// identified records know the customer's identifier for the part of the record at a path.
type identified interface{ IDAt(path string) string }

// kindOf returns the kind of a flow's records.
func kindOf(flow gangway.Flow) interface {
	allOrNothing(ctx context.Context, in store.Scoped, doc Records, format string, limits Limits,
		at time.Time) (Receipt, error)
	run(in store.Scoped, from gangway.Origin, asked gangway.Ask, limits Limits) Run
} {
	switch flow {
	case gangway.TravelRequestsFlow:
		return travelRequests
	case gangway.CrewChangesFlow:
		return crewChanges
	}
	return travellers
}

// travellers are suggested to bookers as soon as they are taken in.
var travellers = Kind[gangway.Traveller]{
	name: "traveller", read: wire.Travellers, uploaded: gangway.UploadedTraveller, fed: gangway.FedTraveller,
	check: (*gangway.Traveller).Check,
	warn: func(t *gangway.Traveller, w *gangway.Problems, at gangway.ProblemPath, o gangway.WarningContext) {
		t.Warn(w, at, "DocExpire", "", o)
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
	asked: func(t *gangway.Traveller, asked gangway.Ask) bool {
		return t.LastName == "" || strings.HasPrefix(gangway.Fold(t.LastName), gangway.Fold(asked.Surname))
	},
	rows:  store.TravellerRows,
	write: store.Scoped.UpsertTravellerRows,
	drop: func(ctx context.Context, in store.Scoped, from gangway.Origin, _ store.Days,
		seen func(string) bool) (int, error) {
		return in.DropTravellers(ctx, from, seen)
	},
}

// travelRequests are planned journeys for which bookers book.
var travelRequests = Kind[gangway.TravelRequest]{
	name: "travel request", read: wire.TravelRequests, uploaded: gangway.UploadedRequest, fed: gangway.FedRequest,
	check: (*gangway.TravelRequest).Check,
	warn:  (*gangway.TravelRequest).Warn,
	identity: func(r *gangway.TravelRequest) (key, field string) {
		return requestIdentity(r.RequestID, r.SubRequestID), "ExternalInfo.RequestId"
	},
	asked: func(r *gangway.TravelRequest, asked gangway.Ask) bool {
		starts, _ := r.Starts()
		return !starts.Valid() || (asked.From == "" || starts >= asked.From) && (asked.To == "" || starts <= asked.To)
	},
	rows:  store.TravelRequestRows,
	write: store.Scoped.UpsertTravelRequestRows,
	drop: func(ctx context.Context, in store.Scoped, from gangway.Origin, of store.Days,
		seen func(string) bool) (int, error) {
		return in.DropTravelRequests(ctx, from, of, func(id, sub string) bool { return seen(requestIdentity(id, sub)) })
	},
}

func requestIdentity(id, sub string) string { return id + "\x00" + sub }

// crewChanges are crews for which bookers book. Each is written to its row and released as soon as it
// is read: all members of all crew changes would take several times the document's memory.
var crewChanges = Kind[gangway.CrewChange]{
	name: "crew change", read: wire.CrewChanges, uploaded: gangway.UploadedChange, fed: gangway.FedChange,
	check: (*gangway.CrewChange).Check,
	warn:  (*gangway.CrewChange).Warn,
	identity: func(c *gangway.CrewChange) (key, field string) {
		switch {
		case c.TravelRequestID != "":
			return c.Key(), "TravelRequestId"
		case c.ChangeDate == "":
			return c.Key(), "ChangeDate"
		}
		return c.Key(), "Vessel"
	},
	fill: func(c *gangway.CrewChange, asked gangway.Ask) {
		c.ChangeDate = cmp.Or(c.ChangeDate, asked.Date)
	},
	fills: "ChangeDate",
	asked: func(c *gangway.CrewChange, asked gangway.Ask) bool {
		return asked.Date == "" || !c.ChangeDate.Valid() || c.ChangeDate == asked.Date
	},
	rows:  store.CrewChangeRows,
	write: store.Scoped.UpsertCrewChangeRows,
	drop: func(ctx context.Context, in store.Scoped, from gangway.Origin, of store.Days,
		seen func(string) bool) (int, error) {
		return in.DropCrewChanges(ctx, from, of, seen)
	},
}
