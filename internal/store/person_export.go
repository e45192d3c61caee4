package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// A PersonExport is what an account has of one person.
type PersonExport struct {
	Identifiers []string                    `json:"identifiers"` // the customer's own
	Records     map[string][]map[string]any `json:"records"`     // by kind
	Alike       []string                    `json:"alike,omitempty"`
}

// An exportedTable is a table whose rows belong to one of the person's bookings.
type exportedTable struct {
	kind, table, booking string
	columns              []string
}

// exportedTables are all tables with personal columns that are written because of a booking. The report's rows are
// left out: they are made from the booking.
var exportedTables = []exportedTable{
	{"actions", "action", "booking", []string{"seq", "name", "at", "note", "snapshot"}},
	{"deliveries", "delivery", "booking", []string{"outlet", "seq", "made_at", "done_at", "state", "body"}},
	{"answers_to_deliveries", "attempt", "booking", []string{"outlet", "seq", "at", "status", "answer"}},
	{"supplier_documents", "supplier_document", "reference", []string{"doc"}},
	{"rows_of_agent_lists", "agent_list_row", "booking", []string{"list", "words"}},
}

// exportedKinds name the records of the traveller tables.
var exportedKinds = map[string]string{"search": "searches", "crew_change": "crew_changes",
	"travel_request": "travel_requests", "intent": "attempts_to_book", "batch_item": "batches", "booking": "bookings",
	"traveller": "travellers"}

// ExportTraveller returns what the account has of a person, found as EraseTraveller finds it. Of records about several
// people it has the person's own part. The audit log has an entry before anything is returned.
//
// NotFound: nobody matches. Conflict: several people do.
func (s Scoped) ExportTraveller(ctx context.Context, by gangway.Actor, who erasure.DataSubject,
	at time.Time) (PersonExport, error) {
	e, x := &erasing{words: map[string]bool{}}, PersonExport{Records: map[string][]map[string]any{}}
	rows, err := s.find(ctx, who, e)
	if err != nil {
		return x, err
	}
	n := 0
	add := func(kind string, list []map[string]any, err error) error {
		if len(list) > 0 {
			x.Records[kind], n = append(x.Records[kind], list...), n+len(list)
		}
		return wrapf(err, "export %s", kind)
	}
	for _, row := range rows {
		list, err := s.exportRow(ctx, row, e)
		if err = add(exportedKinds[row.holder.table], list, err); err != nil {
			return x, err
		}
		if row.holder.table != "booking" {
			continue
		}
		for _, t := range exportedTables {
			list, err := s.exportOfBooking(ctx, t, row.id())
			if err = add(t.kind, list, err); err != nil {
				return x, err
			}
		}
	}
	x.Identifiers = e.identifiers()
	for _, l := range e.alike {
		x.Alike = append(x.Alike, l.Describe())
	}
	return x, s.write(ctx, func(tx *sql.Tx) error {
		about := map[string]any{"records": n}
		if len(x.Identifiers) > 0 {
			about["id"] = x.Identifiers
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.TravellerExported, After: about})
	})
}

// exportRow returns the person's part of a row: a record for each source that has told of the person, or for each
// place in it.
func (s Scoped) exportRow(ctx context.Context, row travellerRow, e *erasing) (list []map[string]any, err error) {
	docs, err := scanTexts(s.db.reader.QueryRowContext(ctx, `SELECT `+strings.Join(row.holder.docs, ", ")+
		` FROM `+row.holder.table+` WHERE `+row.at(), row.key...), len(row.holder.docs))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	people, err := row.holder.read(docs...)
	if err != nil {
		return nil, err
	}
	add := func(t gangway.Traveller, name string, v any, more map[string]any) {
		if e.has(t) {
			one := maps.Clone(more)
			for i, column := range row.holder.key {
				one[column] = row.key[1+i]
			}
			one[name] = v
			list = append(list, one)
		}
	}
	all, others, dropped := []string{docs[0]}, "", ""
	if len(docs) > 1 {
		others = docs[1]
	}
	if len(docs) == 5 { // of a crew change
		others, dropped = others+docs[3], docs[2]
	}
	claims, err := readClaims(others)
	for _, c := range claims {
		all = append(all, string(c.Doc))
	}
	for i, doc := range all {
		switch row.holder.table {
		case "search":
			search, _ := readSearch(doc) // which has been read above
			for _, m := range search.Members {
				add(m.Traveller, "member", m, map[string]any{"vessel": search.Vessel, "created_at": search.CreatedAt})
			}
		case "crew_change":
			c, _ := readCrewChange(doc, dropped, "")
			about := map[string]any{"vessel": c.Vessel, "change_date": c.ChangeDate}
			for _, m := range slices.Concat(c.OnSigners, c.OffSigners) {
				add(m.Traveller, "member", m, about)
			}
			for _, m := range c.Dropped {
				add(m.Traveller, "dropped", m, about)
			}
			dropped = ""
		default:
			add(people[i], "record", jsontext.Value(doc), map[string]any{})
		}
	}
	return list, err
}

// exportOfBooking returns a table's rows of a booking. What is JSON stays JSON.
func (s Scoped) exportOfBooking(ctx context.Context, t exportedTable, booking string) ([]map[string]any, error) {
	return selectAll(ctx, s.db.reader, func(r scanner) (map[string]any, error) {
		texts, err := scanTexts(r, len(t.columns))
		one := map[string]any{"booking": booking}
		for i, column := range t.columns {
			one[column] = texts[i]
			if v := jsontext.Value(texts[i]); v.IsValid() {
				one[column] = v
			}
			if ms, err := strconv.ParseInt(texts[i], 10, 64); err == nil && strings.HasSuffix(column, "at") {
				one[column] = time.UnixMilli(ms).UTC()
			}
		}
		return one, err
	}, `SELECT `+strings.Join(t.columns, ", ")+` FROM `+t.table+` WHERE account = $1 AND `+t.booking+` = $2`,
		s.account, booking)
}
