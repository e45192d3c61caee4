package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// A travellerTable is a table whose documents contain travellers.
type travellerTable struct {
	table  string
	key    []string // after the account
	docs   []string // the columns that travellers are read from
	trace  tracing
	people int // about how many travellers a row has
	read   func(docs ...string) ([]gangway.Traveller, error)
	erase  func(Scoped, context.Context, *sql.Tx, travellerRow, *erasing) error
}

// travellerTables lists them in the order in which somebody is erased: those with the fewest
// details first, so that an erasure that was interrupted can still find the rest.
var travellerTables = []travellerTable{
	{"search", []string{"id"}, []string{"doc"}, traceOnce, 10, inSearch, Scoped.eraseFromSearch},
	{"crew_change", []string{"key"}, []string{"doc", "outranked", "dropped", "former", "news"}, traceEach, 20,
		inCrewChange, Scoped.eraseFromCrewChange},
	{"travel_request", []string{"request_id", "sub_request_id"}, []string{"doc", "outranked"}, traceEach, 1,
		inRecord(func(r gangway.TravelRequest) gangway.Traveller { return r.Traveller }), Scoped.eraseRow},
	{"intent", []string{"id"}, []string{"doc"}, traceOnce, 1, inIntent, Scoped.eraseIntent},
	{"batch_item", []string{"batch", "booking"}, []string{"doc"}, traceOnce, 1, inBatchItem, Scoped.eraseBatchItem},
	{"booking", []string{"id"}, []string{"doc"}, traceOnce, 1,
		inDocument(func(b bookedTraveller) gangway.Traveller { return b.Passenger }), Scoped.eraseBooking},
	{"traveller", []string{"key"}, []string{"doc", "outranked"}, traceEach, 1,
		inRecord(func(t gangway.Traveller) gangway.Traveller { return t }), Scoped.eraseRow},
}

// A tracing says how a row shows that its traces are out of date, and how it is
// marked once they are written.
type tracing struct{ due, done string }

// A booking, an intent or a batch item is always about the same traveller, and whatever changes a
// search marks it to be traced again; the other tables are traced for each version of a row.
var (
	traceOnce = tracing{"traced = 0", "traced = 1"}
	traceEach = tracing{"traced <> version", "traced = version"}
)

// traces is the name of the table with a traveller table's traces.
func (h travellerTable) traces() string { return h.table + "_trace" }

func travellerTableOf(table string) travellerTable {
	return travellerTables[slices.IndexFunc(travellerTables, func(h travellerTable) bool { return h.table == table })]
}

// travellerRow is a row of a traveller table.
type travellerRow struct {
	holder travellerTable
	key    []any // the account first
}

// row is the row of h with the given key.
func (h travellerTable) row(key []string) travellerRow {
	return travellerRow{holder: h, key: anys(key)}
}

// A bookedTraveller reads only the passenger of a booking's document: there may be a million
// bookings.
type bookedTraveller struct {
	Passenger gangway.Traveller `json:"passenger"`
}

func inDocument[T any](of func(T) gangway.Traveller) func(...string) ([]gangway.Traveller, error) {
	return func(docs ...string) ([]gangway.Traveller, error) {
		var v T
		err := json.Unmarshal([]byte(docs[0]), &v)
		return []gangway.Traveller{of(v)}, err
	}
}

// inRecord is inDocument for a record and its claims: first the record's traveller, then that of each claim.
func inRecord[T any](of func(T) gangway.Traveller) func(...string) ([]gangway.Traveller, error) {
	read := inDocument(of)
	return func(docs ...string) ([]gangway.Traveller, error) {
		list, err := read(docs[0])
		if err != nil || docs[1] == "" {
			return list, err
		}
		claims, err := readClaims(docs[1])
		for _, c := range claims {
			if err == nil {
				var more []gangway.Traveller
				more, err = read(string(c.Doc))
				list = append(list, more...)
			}
		}
		return list, err
	}
}

func inSearch(docs ...string) ([]gangway.Traveller, error) {
	search, err := readSearch(docs[0])
	return searchTravellers(search), err
}

// searchTravellers lists the members of a search.
func searchTravellers(search gangway.Search) []gangway.Traveller {
	return gangway.Each(search.Members, func(m gangway.SearchMember) gangway.Traveller { return m.Traveller })
}

func inCrewChange(docs ...string) ([]gangway.Traveller, error) {
	c, err := readCrewChange(docs[0], docs[2], "")
	if err != nil || docs[1]+docs[3] == "" {
		return crewChangeTravellers(c), err
	}
	list := crewChangeTravellers(c)
	claims, err := readClaims(docs[1] + docs[3])
	for _, claim := range claims {
		if err == nil {
			c, err = readCrewChange(string(claim.Doc), "", "")
			list = append(list, crewChangeTravellers(c)...)
		}
	}
	return list, err
}

// crewChangeTravellers lists the members of c, dropped ones too.
func crewChangeTravellers(c gangway.CrewChange) (list []gangway.Traveller) {
	for _, m := range c.OnSigners {
		list = append(list, m.Traveller)
	}
	for _, m := range c.OffSigners {
		list = append(list, m.Traveller)
	}
	for _, d := range c.Dropped {
		list = append(list, d.Traveller)
	}
	return list
}

// inIntent returns the traveller whom an intent is to book. The rest of the document belongs to package book.
func inIntent(docs ...string) ([]gangway.Traveller, error) {
	var doc struct {
		Booking *bookedTraveller `json:"booking"`
	}
	if err := json.Unmarshal([]byte(docs[0]), &doc); err != nil || doc.Booking == nil {
		return nil, nil // a document that cannot be read has nobody in it
	}
	return []gangway.Traveller{doc.Booking.Passenger}, nil
}

// inBatchItem returns the traveller whom an item of a batch is to book. The rest of the document
// belongs to package book.
func inBatchItem(docs ...string) ([]gangway.Traveller, error) {
	var doc struct {
		Passenger *gangway.Traveller `json:"passenger"`
	}
	if err := json.Unmarshal([]byte(docs[0]), &doc); err != nil || doc.Passenger == nil {
		return nil, nil // a document that cannot be read has nobody in it
	}
	return []gangway.Traveller{*doc.Passenger}, nil
}

// name identifies r among the rows of all tables.
func (r travellerRow) name() string { return fmt.Sprintf("%s %q", r.holder.table, r.key) }

// id is the first column of r's key after the account.
func (r travellerRow) id() string { return r.key[1].(string) }

// at is the condition that selects r by its key.
func (r travellerRow) at() string { return hasKey(r.holder.key) }

// placeholders lists n placeholders beginning with number first, as in "$2, $3".
func placeholders(first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", first+i)
	}
	return strings.Join(list, ", ")
}

// lock returns the documents of r and locks it until the transaction ends.
// sql.ErrNoRows: it is gone.
func (r travellerRow) lock(ctx context.Context, tx *sql.Tx) (docs []string, err error) {
	return scanTexts(tx.QueryRowContext(ctx, `
		UPDATE `+r.holder.table+`
		SET doc = doc
		WHERE `+r.at()+`
		RETURNING `+strings.Join(r.holder.docs, ", "),
		r.key...), len(r.holder.docs))
}
