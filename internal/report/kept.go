package report

import "gangway/internal/gangway"

// A columnOf is a column, and how its value is worked out from a T.
type columnOf[T any] struct {
	Column
	of func(T) any
}

func columnsOf[T any](list []columnOf[T]) []Column {
	return gangway.Each(list, func(c columnOf[T]) Column { return c.Column })
}

// rowsOf works out a row for each T.
func rowsOf[T any](columns []columnOf[T], list []T) []Row {
	rows := make([]Row, len(list))
	for i, v := range list {
		rows[i] = make(Row, len(columns))
		for j, c := range columns {
			rows[i][j] = c.of(v)
		}
	}
	return rows
}

// Told is what a set says of one booking.
type Told struct {
	Set    Set
	Rows   []Row // without radiative forcing
	Forced []any // what each row has in the column with it; nil: the set has no such column
}

// Kept are the sets whose rows are kept in tables, each worked out from a booking.
var Kept = []Set{Segments, Refunds, FlightBookings}

// OfBooking works out what each of the sets Kept says of a booking as it stands.
func OfBooking(b gangway.Booking, customer string) []Told {
	flown := segmentsOf(b)
	forced := gangway.Each(flown, func(f flight) any { return forcedGrams(f.CO2eRFKg, f.CO2eKg) })
	return []Told{
		{Segments, rowsOf(segments, flown), forced},
		{Refunds, rowsOf(refunds, refundsOf(b)), nil},
		{FlightBookings, []Row{RowOf(b, customer)}, []any{ForcedEmissions(b)}},
	}
}

// forcedGrams are the kilograms with radiative forcing in the units of a column, or those without where
// the method gives none.
func forcedGrams(with, without float64) any {
	if with > 0 {
		return grams(with)
	}
	return grams(without)
}
