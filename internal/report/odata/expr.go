package odata

import "slices"

// Expr is an expression: one of the types of this file, and no others.
type Expr interface {
	// Info returns what the expression knows of itself.
	Info() *Node
}

// Node is what every expression knows of itself.
type Node struct {
	Type     Type
	Nullable bool    // it may be null for some row
	Max      float64 // no number, unscaled, and no duration is larger than this, whatever its sign
	At       int     // where it begins, in bytes from the beginning of the option
	height   int
	texts    int // a text is no longer than so many texts of columns
}

// Info returns n.
func (n *Node) Info() *Node { return n }

// A Literal is a constant. Value is nil for null, or of the Go type that the
// constants of Kind name.
type Literal struct {
	Node
	Value any
	finer bool // there were digits beyond milliseconds; a comparison sees to them
}

// A Ref is the value of a property.
type Ref struct {
	Node
	Property *Property
	// Of is the Lambda whose row it belongs to; nil is the row itself.
	Of *Lambda
	// Via leads from that row to the one row that has the property; the value
	// is null if there is none. It is nil for a property of the row's own.
	Via *Navigation
}

// A Lambda is whether a condition is true for any of the rows that a navigation
// property leads to, or for all of them. It is never null: a condition that is
// null is not true. Without condition it is whether there is any row.
type Lambda struct {
	Node
	Of         *Lambda // whose row Navigation starts from; nil is the row itself
	Navigation *Navigation
	All        bool
	If         Expr // refers to the rows by Refs that are Of this
}

// RelatedCount is how many rows a navigation property leads to, or how many of them match.
type RelatedCount struct {
	Node
	Of         *Lambda
	Navigation *Navigation
	Some       *Lambda // whose condition the rows fulfil that are counted; nil: any
	Search     Search  // what they match; nil: anything
}

// Not turns a condition into its opposite; null stays null.
type Not struct {
	Node
	X Expr
}

// Negate is the minus sign before a number or a duration.
type Negate struct {
	Node
	X Expr
}

// Rescale is the same number with more decimal places: its integer times 10 to
// the power of Type.Scale - X's scale.
type Rescale struct {
	Node
	X Expr
}

// ArithmeticOp is an operator of arithmetic.
type ArithmeticOp uint8

// The operators of arithmetic. Div of integers truncates; DivBy and every
// other Div does not.
const (
	Add ArithmeticOp = iota
	Sub
	Mul
	Div
	DivBy
	Mod
)

var arithmeticNames = [...]string{"add", "sub", "mul", "div", "divby", "mod"}

func (op ArithmeticOp) String() string { return arithmeticNames[op] }

// Arithmetic is one of these, as the kinds of its sides tell:
//
//	number add|sub|mod number             both of the result's scale
//	number mul number                     the result's scale is the sum of both
//	Int div Int                           truncated
//	number div|divby number               any scales; L·10^(S-l+r)/R rounded half away from zero to an integer
//	DateTimeOffset|Date sub its kind      Duration
//	DateTimeOffset|Date add|sub Duration  null outside the years 1 to 9999; for a Date whole days, truncated
//	Duration add|sub Duration
//	Duration mul|div number               rounded half away from zero to milliseconds; the number is on the right,
//	                                      and L·R or L·10^r, twice, fits an int64
type Arithmetic struct {
	Node
	Op          ArithmeticOp
	Left, Right Expr
}

// CompareOp is a comparison.
type CompareOp uint8

// The comparisons.
const (
	Eq CompareOp = iota
	Ne
	Gt
	Ge
	Lt
	Le
)

var compareNames = [...]string{"eq", "ne", "gt", "ge", "lt", "le"}

func (op CompareOp) String() string { return compareNames[op] }

// Compare is never null. Its sides have the same kind and scale (an Int32
// stands beside an Int64 too, and either beside a Decimal of scale 0). A literal
// is on the right unless both are, and null always is; only Eq and Ne have it.
type Compare struct {
	Node
	Op          CompareOp
	Left, Right Expr
}

// LogicalOp is And or Or.
type LogicalOp uint8

// The logical operators with several operands.
const (
	And LogicalOp = iota
	Or
)

// Logical joins two or more conditions.
type Logical struct {
	Node
	Op    LogicalOp
	Terms []Expr
}

// In is whether X equals a member of the list, or is null if OrNull is set.
// The members have the type of X; there may be none if OrNull is set.
type In struct {
	Node
	X      Expr
	List   []*Literal
	OrNull bool
}

// Call is a function of its arguments, null if one of them is.
type Call struct {
	Node
	Func Func
	Args []Expr
}

// Cast is X as a value of Type, which is one of:
//
//	number to Int32, Int64           rounded half away from zero; null if there is no room for it
//	Int32, Int64 to Decimal          the same number
//	DateTimeOffset to Date, TimeOfDay
//	Date to DateTimeOffset           midnight
//	Boolean, Int32, Int64, Date, GUID to String
type Cast struct {
	Node
	X Expr
}

// Case is the value beside the first condition that is true, or null.
type Case struct {
	Node
	Whens []When
}

// When is a condition of a Case with its value.
type When struct {
	If, Then Expr
}

// Children returns what an expression is made of, in the order of reading.
func Children(e Expr) []Expr {
	switch e := e.(type) {
	case *Not:
		return []Expr{e.X}
	case *Negate:
		return []Expr{e.X}
	case *Rescale:
		return []Expr{e.X}
	case *Cast:
		return []Expr{e.X}
	case *In:
		return []Expr{e.X}
	case *Lambda:
		if e.If != nil {
			return []Expr{e.If}
		}
	case *RelatedCount:
		if e.Some != nil {
			return []Expr{e.Some.If}
		}
	case *Arithmetic:
		return []Expr{e.Left, e.Right}
	case *Compare:
		return []Expr{e.Left, e.Right}
	case *Logical:
		return slices.Clone(e.Terms)
	case *Call:
		return slices.Clone(e.Args)
	case *Case:
		var all []Expr
		for _, w := range e.Whens {
			all = append(all, w.If, w.Then)
		}
		return all
	}
	return nil
}
