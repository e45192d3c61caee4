package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"gangway"

	"github.com/go-json-experiment/json"
)

// A holder is a table whose documents have travellers in them.
type holder struct {
	table string
	key   []string // after the account
	docs  string   // the columns that people are read from
	read  func(docs ...string) ([]gangway.Traveller, error)
	erase func(Scoped, context.Context, *sql.Tx, held, *erasing) error
}

// holders are all of them, in the order in which somebody is erased: what is
// known least of comes first, so that what was interrupted still finds the rest.
var holders = []holder{
	{"search", []string{"id"}, "doc", inSearch, Scoped.eraseFromSearch},
	{"crew_change", []string{"key"}, "doc, dropped", inCrewChange, Scoped.eraseFromCrewChange},
	{"travel_request", []string{"request_id", "sub_request_id"}, "doc", inDocument(func(r gangway.TravelRequest) gangway.Traveller { return r.Traveller }), Scoped.eraseRow},
	{"intent", []string{"id"}, "doc", inIntent, Scoped.eraseIntent},
	{"booking", []string{"id"}, "doc", inDocument(func(b booked) gangway.Traveller { return b.Passenger }), Scoped.eraseBooking},
	{"traveller", []string{"key"}, "doc", inDocument(func(t gangway.Traveller) gangway.Traveller { return t }), Scoped.eraseRow},
}

// held is a row of a holder.
type held struct {
	holder holder
	key    []any
}

// A booked is who flies on a booking: there may be a million, and the rest of
// their documents need not be read.
type booked struct {
	Passenger gangway.Traveller `json:"passenger"`
}

func inDocument[T any](of func(T) gangway.Traveller) func(...string) ([]gangway.Traveller, error) {
	return func(docs ...string) ([]gangway.Traveller, error) {
		var v T
		err := json.Unmarshal([]byte(docs[0]), &v)
		return []gangway.Traveller{of(v)}, err
	}
}

func inSearch(docs ...string) (list []gangway.Traveller, err error) {
	search, err := readSearch(docs[0])
	for _, m := range search.Members {
		list = append(list, m.Traveller)
	}
	return list, err
}

func inCrewChange(docs ...string) ([]gangway.Traveller, error) {
	c, err := readCrewChange(docs[0], docs[1])
	return aboard(c), err
}

// aboard lists the members of c, dropped ones too.
func aboard(c gangway.CrewChange) (list []gangway.Traveller) {
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

// inIntent returns whom an intent is to book. What else is in it is book's.
func inIntent(docs ...string) ([]gangway.Traveller, error) {
	var doc struct {
		Booking *booked `json:"booking"`
	}
	if err := json.Unmarshal([]byte(docs[0]), &doc); err != nil || doc.Booking == nil {
		return nil, nil // nobody is in what cannot be read
	}
	return []gangway.Traveller{doc.Booking.Passenger}, nil
}

// heldAtOnce is how many rows are read in one go when all are looked through.
const heldAtOnce = 500

// eachHeld hands out all rows of the account that have travellers in them, with these.
func (s Scoped) eachHeld(ctx context.Context, each func(held, []gangway.Traveller)) error {
	for _, h := range holders {
		for last := []any(nil); ; {
			next, err := s.heldAfter(ctx, h, last, each)
			if err != nil {
				return fmt.Errorf("look through %s: %w", h.table, err)
			}
			if next == nil {
				break
			}
			last = next
		}
	}
	return nil
}

// heldAfter hands out the rows of a holder after a key, and returns the last
// one's; nil when there are no more.
func (s Scoped) heldAfter(ctx context.Context, h holder, last []any, each func(held, []gangway.Traveller)) (next []any, err error) {
	columns, args, where := strings.Join(h.key, ", "), []any{s.account}, ""
	if last != nil {
		where = ` AND (` + columns + `) > (` + places(2, len(h.key)) + `)`
		args = append(args, last...)
	}
	rows, err := s.db.reader.QueryContext(ctx, fmt.Sprintf(`
		SELECT %s, %s
		FROM %s
		WHERE account = $1%s
		ORDER BY %s
		LIMIT %d`, columns, h.docs, h.table, where, columns, heldAtOnce), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		values := make([]string, len(h.key)+1+strings.Count(h.docs, ","))
		into := make([]any, len(values))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := held{holder: h}
		for _, key := range values[:len(h.key)] {
			row.key = append(row.key, key)
		}
		list, err := h.read(values[len(h.key):]...)
		if err != nil {
			return nil, err
		}
		each(row, list)
		next = row.key
		n++
	}
	if n < heldAtOnce {
		next = nil
	}
	return next, errors.Join(rows.Err(), rows.Close())
}

// places lists n placeholders from the first on, as in "$2, $3".
func places(first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", first+i)
	}
	return strings.Join(list, ", ")
}

// at is the condition that names r, with the account as $1.
func (r held) at() string {
	list := []string{"account = $1"}
	for i, column := range r.holder.key {
		list = append(list, fmt.Sprintf("%s = $%d", column, i+2))
	}
	return strings.Join(list, " AND ")
}

// lock reads the documents of r and keeps everybody else from changing them
// until the transaction ends. sql.ErrNoRows: it is gone.
func (r held) lock(ctx context.Context, tx *sql.Tx, account string, into ...any) error {
	return tx.QueryRowContext(ctx, `
		UPDATE `+r.holder.table+`
		SET doc = doc
		WHERE `+r.at()+`
		RETURNING `+r.holder.docs,
		append([]any{account}, r.key...)...).Scan(into...)
}
