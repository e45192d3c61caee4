package odata

import (
	"math"
	"strings"
)

// Kind is a primitive type of the Entity Data Model.
type Kind uint8

// The kinds of values. Those of OData that are not here occur in no schema of
// ours, and a request that needs one is refused as not supported.
const (
	Null           Kind = iota // the literal null before it has a type; in no finished tree
	Boolean                    // bool
	String                     // string
	Int32                      // int64
	Int64                      // int64
	Decimal                    // int64, times 10 to the power of the scale
	Date                       // time.Time, midnight in UTC
	TimeOfDay                  // int64, milliseconds since midnight
	DateTimeOffset             // time.Time in UTC, whole milliseconds
	Duration                   // int64, milliseconds
	GUID                       // string, in lower case
	beyond                     // INF, NaN and numbers beyond any column; in no finished tree
)

var kindNames = [...]string{"null", "Edm.Boolean", "Edm.String", "Edm.Int32", "Edm.Int64", "Edm.Decimal", "Edm.Date",
	"Edm.TimeOfDay", "Edm.DateTimeOffset", "Edm.Duration", "Edm.Guid", "Edm.Double"}

// String returns the name in the Entity Data Model: Edm.String.
func (k Kind) String() string { return kindNames[k] }

func (k Kind) number() bool  { return k == Int32 || k == Int64 || k == Decimal || k == beyond }
func (k Kind) integer() bool { return k == Int32 || k == Int64 }

// Type is the type of an expression or a property.
type Type struct {
	Kind Kind
	// Precision is how many digits a number can have in all, and how many
	// digits of a second an instant or a time has. Numbers with at most 18
	// digits fit an int64.
	Precision int
	Scale     int // the decimal places of a Decimal
}

// digitsOf are the digits that the largest values of the integer kinds have.
var digitsOf = map[Kind]int{Int32: 10, Int64: 19}

// spanOfInstants is longer than from the first to the last instant, in milliseconds.
const spanOfInstants = 3.2e14

// max returns a bound that no unscaled value of a property of the type exceeds.
func (t Type) max() float64 {
	switch t.Kind {
	case Int32:
		return 1 << 31
	case Int64:
		return 1e18
	case Decimal:
		return math.Pow10(t.Precision)
	case Duration, TimeOfDay, DateTimeOffset, Date:
		return spanOfInstants
	}
	return 0
}

// otherTypes are types of the Entity Data Model that no property here has.
const otherTypes = " " +
	"binary byte double int16 sbyte single stream geography geographypoint geographylinestring " +
	"geographypolygon geographymultipoint geographymultilinestring geographymultipolygon " +
	"geographycollection geometry geometrypoint geometrylinestring geometrypolygon " +
	"geometrymultipoint geometrymultilinestring geometrymultipolygon geometrycollection "

// kindNamed returns the kind that name stands for in a URL; supported is false
// for the other types of the standard, and known for everything else.
func kindNamed(name string) (k Kind, known, supported bool) {
	for k = Boolean; k < beyond; k++ {
		if name == kindNames[k] {
			return k, true, true
		}
	}
	short, edm := strings.CutPrefix(name, "Edm.")
	return Null, edm && strings.Contains(otherTypes, " "+strings.ToLower(short)+" "), false
}
