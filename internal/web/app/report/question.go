package report

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"
)

// A question is what a chart asks of the report: the options of a request for its rows. The page adds up the answer
// itself (sums.go); other programs get the same one at the question's address.
type question struct {
	Of      subject
	Rank    string // what its rows are ordered by, if that is a sum
	Set     string // of the rows; FlightBookingDetailed unless set
	Apply   []string
	Filter  string
	OrderBy string
}

// bookings are the rows that questions are about unless they name others.
const bookings = "FlightBookingDetailed"

// set returns the name of the set that is asked.
func (q question) set() string { return cmp.Or(q.Set, bookings) }

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

// number returns a number of the row; 0 if it is unknown. Keys that are numbers are texts.
func (r row) number(i int) *big.Rat {
	n, _ := r[i].(*big.Rat)
	if key, ok := r[i].(string); ok {
		n, _ = new(big.Rat).SetString(key)
	}
	return cmp.Or(n, new(big.Rat))
}

// count returns a number of the row that is whole.
func (r row) count(i int) int { return int(r.number(i).Num().Int64()) }
