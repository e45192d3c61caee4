// Package report says what the report (A7) tells of bookings: its sets of rows, their
// columns, and how a row is worked out from a booking.
//
// Spec: Flight booking report row; decided: docs/choices.md, "Report (A7)".
package report

// A Kind is what the values of a column are.
type Kind int

// The kinds, with the Go type of a value in a Row. Every kind may also be nil: unknown.
const (
	Text    Kind = iota // string
	Integer             // int64
	Decimal             // int64, in units of the column's Scale: 12.5 with Scale 3 is 12500
	Instant             // int64, milliseconds since 1970 in UTC
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
	Unit     string // as in "kg"; empty where there is none
	Currency string // of an amount: the column that says which currency it is in
	About    string // what it means, a sentence
}

// A Row has a value for each column of its set, in their order.
type Row []any

// A Set is a set of rows, as the service document lists it.
type Set struct {
	Name    string
	Key     []string // the columns that no two rows have alike
	Newest  string   // the column whose highest values come first, unless somebody asks for another order
	Columns []Column
	About   string
}
