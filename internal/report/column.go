// Package report says what the report (A7) tells of bookings: its sets of rows, their
// columns, and how a row is worked out from a booking.
//
// Spec: Flight booking report row; decided: docs/choices.md, "Report (A7)".
package report

import "slices"

// A Kind is what the values of a column are.
type Kind int

// The kinds, with the Go type of a value in a Row. Every kind may also be nil: unknown.
const (
	Text    Kind = iota // string
	Integer             // int64
	Decimal             // int64, in units of the column's Scale: 12.5 with Scale 3 is 12500
	Instant             // int64, milliseconds since 1970 in UTC
	Day                 // int64, milliseconds since 1970 at the beginning of the day in UTC
	Flag                // bool
)

// A Column is one column of a set.
type Column struct {
	Name     string // as the interface has it, as in "PriceTotal"
	SQL      string // in the database, as in "price_total"
	Kind     Kind
	Scale    int    // of a Decimal: how many decimals are kept
	Always   bool   // it is never unknown
	Searched bool   // $search looks at it
	Forced   string // the column in the database of the same with radiative forcing; empty: there is none
	Unit     string // as in "kg"; empty where there is none
	Currency string // of an amount: the column that says which currency it is in
	About    string // what it means, a sentence
}

// A Row has a value for each column of its set, in their order.
type Row []any

// A Set is a set of rows, as the service document lists it.
type Set struct {
	Name        string
	Key         []string // the columns that no two rows have alike
	Newest      string   // the column whose highest values come first; empty: they come in the order of their key
	Leading     []string // columns that an index begins with, behind the account
	Beside      []string // columns that the index of Newest has besides: what people narrow rows down by most
	Columns     []Column
	Navigations []Navigation
	// Table is where the rows are kept, each also whole as JSON; empty: they are read from what they
	// tell of, which changes all the time or is all there is to them.
	Table     string
	Vanishing bool // of a booking that has changed, rows may be gone: their table has a column that says so
	Tracked   bool // rows that were written since a time, or are gone since, can be told
	About     string
}

// A Navigation leads from the rows of a set to those of another that have the same values in columns.
type Navigation struct {
	Name string   // as in "Segments"
	To   string   // name of the set it leads to
	Many bool     // leads to any number of rows; otherwise to one or none
	On   []string // names of columns that both sets have, as in "BookingId"
}

// Sets lists all sets. That of the interface comes first.
var Sets = []Set{FlightBookings, Segments, Actions, Refunds, Deliveries, HotelRequirements}

// KeySQL are the columns of the key in the database.
func (s Set) KeySQL() []string {
	names := make([]string, len(s.Key))
	for i, k := range s.Key {
		names[i] = s.Columns[slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == k })].SQL
	}
	return names
}

// RowOfKey returns a row with the values of the key, and nothing in all other columns.
func (s Set) RowOfKey(key []any) Row {
	row := make(Row, len(s.Columns))
	for i, c := range s.Columns {
		if n := slices.Index(s.Key, c.Name); n >= 0 {
			row[i] = key[n]
		}
	}
	return row
}

// SameKey reports whether two rows have the same key.
func (s Set) SameKey(a, b Row) bool {
	for i, c := range s.Columns {
		if slices.Contains(s.Key, c.Name) && a[i] != b[i] {
			return false
		}
	}
	return true
}

// Searched reports whether $search looks at rows of the set.
func (s Set) Searched() bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Searched })
}

// ofBooking leads from a row to the booking that it belongs to.
var ofBooking = Navigation{Name: "Booking", To: "FlightBookingDetailed", On: []string{"BookingId"}}
