package odata

import "slices"

// Stage is a transformation of $apply: FilterStage, ComputeStage or GroupStage.
type Stage interface {
	// Out returns what properties the rows have behind the stage.
	Out() *Row
}

// FilterStage keeps the rows for which a condition is true.
type FilterStage struct {
	By  Expr
	row *Row
}

// ComputeStage adds properties.
type ComputeStage struct {
	Computed []Computed
	row      *Row
}

// GroupStage makes one row of each group of rows that have the same values in
// Keys, null being one of them. Without keys there is always exactly one row,
// and null or 0 are the values of its aggregates if there are no rows to group.
type GroupStage struct {
	Keys       []*Property
	Aggregates []Aggregate
	row        *Row
}

// Out returns what properties the rows have.
func (s *FilterStage) Out() *Row { return s.row }

// Out returns what properties the rows have.
func (s *ComputeStage) Out() *Row { return s.row }

// Out returns what properties the rows have.
func (s *GroupStage) Out() *Row { return s.row }

// Method is how values are aggregated. Null counts in none (A 3.1.3).
type Method uint8

// The methods. Rows counts rows, and has no expression.
const (
	Sum           Method = iota
	Min                  // of all types but Boolean; texts by their bytes
	Max                  // likewise
	Average              // rounded half away from zero, to QuotientScale or the scale of the values if that is larger
	CountDistinct        // how many different values there are
	Rows                 // $count
)

var methods = map[string]Method{"sum": Sum, "min": Min, "max": Max, "average": Average,
	"countdistinct": CountDistinct}

// Aggregate is a property made of all values of a group. All but the counts are
// null if there are none.
type Aggregate struct {
	Property *Property
	Method   Method
	Of       Expr // nil for Rows
}

// mostRows bounds how many rows sums are made of.
const mostRows = 1e8

// otherTransformations are those of the standard that this service does not have.
var otherTransformations = []string{"concat", "expand", "top", "skip", "orderby", "search", "topcount", "topsum",
	"toppercent", "bottomcount", "bottomsum", "bottompercent", "addnested", "join", "outerjoin", "nest", "ancestors",
	"descendants", "traverse"}

// apply reads $apply (A 3).
func (p *parser) apply(q *Query) {
	for n := 1; ; n++ {
		t := p.tok
		if n > p.limits.Names {
			p.badf(t.at, "there are more than %d transformations", p.limits.Names)
		}
		name := t.word()
		if name == "" {
			p.unexpected("a transformation such as groupby")
		}
		p.next()
		if name != "identity" && p.err == nil {
			s := p.transformation(t, name)
			q.Apply = append(q.Apply, s)
			q.Row, p.row = s.Out(), s.Out()
		}
		if !p.tok.is("/") {
			return
		}
		p.next()
	}
}

// transformation reads what stands in parentheses behind the name.
func (p *parser) transformation(t token, name string) Stage {
	read := map[string]func() Stage{"filter": p.filterStage, "compute": p.computeStage,
		"aggregate": p.aggregateStage, "groupby": p.groupStage}[name]
	if read == nil {
		if slices.Contains(otherTransformations, name) {
			p.unsupported(t.at, "the transformation "+t.text)
		} else {
			p.badf(t.at, "there is no transformation %s", quote(t.text))
		}
		return &FilterStage{row: p.row}
	}
	p.expect("(")
	s := read()
	p.expect(")")
	return s
}

func (p *parser) filterStage() Stage { return &FilterStage{p.condition(p.expr(), "filter"), p.row} }

func (p *parser) computeStage() Stage {
	all, row := p.computed()
	return &ComputeStage{all, row}
}

func (p *parser) aggregateStage() Stage {
	s := &GroupStage{}
	p.aggregates(s)
	s.row = newRow(s.properties())
	return s
}

// groupStage reads (A,B),aggregate(…), or only (A,B).
func (p *parser) groupStage() Stage {
	s := &GroupStage{}
	p.expect("(")
	for ok := true; ok; ok = p.more() {
		t := p.tok
		if t.kind != tokName {
			p.unexpected("the name of a property")
		}
		p.next()
		if p.tok.is("(") && (t.word() == "rollup" || t.word() == "rolluprecursive") {
			p.unsupported(t.at, t.text)
		}
		prop := p.property(t)
		if p.tok.is("/") {
			p.badf(p.tok.at, "the property %s has no parts", t.text)
		} else if slices.Contains(s.Keys, prop) {
			p.badf(t.at, "%s is there twice", t.text)
		}
		s.Keys = append(s.Keys, prop)
	}
	p.expect(")")
	if p.more() {
		p.groupAggregates(s)
	}
	if p.err != nil { // there may be keys that are no properties
		s.row = p.row
		return s
	}
	s.row = newRow(s.properties())
	s.row.key = s.Keys
	return s
}

// groupAggregates reads what is done with each group.
func (p *parser) groupAggregates(s *GroupStage) {
	const other = "another transformation than aggregate within groupby"
	if p.tok.word() != "aggregate" {
		p.unsupported(p.tok.at, other)
	}
	p.next()
	p.expect("(")
	p.aggregates(s)
	p.expect(")")
	if p.tok.is("/") {
		p.unsupported(p.tok.at, other)
	}
}

// properties returns those of the result: the keys, and then the aggregates.
func (s *GroupStage) properties() []*Property {
	all := slices.Clone(s.Keys)
	for _, a := range s.Aggregates {
		all = append(all, a.Property)
	}
	return all
}
