package report

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
)

// A question is what a chart asks of the report: the options of a request for its rows.
type question struct {
	Set     string // of the rows; FlightBookingDetailed unless set
	Apply   []string
	Filter  string
	OrderBy string
}

// bookings are the rows that questions are about unless they name others.
const bookings = "FlightBookingDetailed"

// set returns the name of the set that is asked.
func (q question) set() string {
	if q.Set == "" {
		return bookings
	}
	return q.Set
}

// options returns the question as the query of an address.
func (q question) options() string {
	var all []string
	for _, o := range []struct{ name, value string }{
		{"$apply", strings.Join(q.Apply, "/")}, {"$filter", q.Filter}, {"$orderby", q.OrderBy},
	} {
		if o.value != "" {
			all = append(all, o.name+"="+escaped(o.value))
		}
	}
	return strings.Join(all, "&")
}

// Address returns where other programs get the same answer, below the root of the service.
func (q question) Address(root string) string { return root + q.set() + "?" + q.options() }

// escaped writes the value of an option so that it can still be read: whatever has no other meaning in an
// address stays as it is.
func escaped(value string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*,:;@/="
	var b strings.Builder
	for _, c := range []byte(value) {
		if strings.IndexByte(plain, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// A row is a row of an answer, each value nil, a string or a *big.Rat.
type row []any

// text returns a text of the row; empty if it is unknown.
func (r row) text(i int) string {
	s, _ := r[i].(string)
	return s
}

// number returns a number of the row; 0 if it is unknown.
func (r row) number(i int) *big.Rat {
	if n, ok := r[i].(*big.Rat); ok {
		return n
	}
	return new(big.Rat)
}

// count returns a number of the row that is whole.
func (r row) count(i int) int { return int(r.number(i).Num().Int64()) }

// ask reads the answer to a question for a person, row by row, when it is the person's turn. It asks as a client of
// the OData service would: the address of the question is all that is read.
func (room *Room) ask(ctx context.Context, in store.Scoped, person string, q question, each func(row) error) error {
	read, err := odata.Parse(query.Schema, "/"+q.set(), q.options(), odata.Options{Now: room.Now()})
	if err != nil {
		return fmt.Errorf("read the question %q: %w", q.options(), err)
	}
	req, err := query.For(read)
	if err != nil {
		return err
	}
	end, err := room.people.Take(ctx, person)
	if err != nil {
		return err
	}
	defer end()
	columns := len(query.Shown(req.Query))
	return in.Report(ctx, req, store.ReportAnswer{Row: func(r query.Row) error {
		answer := make(row, columns)
		for i := range answer {
			var err error
			if answer[i], err = valueOf(r, i); err != nil {
				return err
			}
		}
		return each(answer)
	}})
}

// valueOf returns a value of an answer.
func valueOf(r query.Row, i int) (any, error) {
	switch v := r.Value(i).(type) {
	case nil:
		return nil, nil
	case string:
		return v, nil
	case int64, *big.Int:
		text := string(r.AppendJSON(nil, i)) // knows the decimal places
		n, ok := new(big.Rat).SetString(text)
		if !ok {
			return nil, fmt.Errorf("%q is no number", text)
		}
		return n, nil
	default:
		return nil, fmt.Errorf("a question has a %T in its answer", v)
	}
}
