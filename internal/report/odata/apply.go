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
func (p *parser) apply(q *Query) error {
	for n := 1; ; n++ {
		t := p.tok
		if n > p.limits.Names {
			return p.badf(t.at, "there are more than %d transformations", p.limits.Names)
		}
		name := t.word()
		if name == "" {
			return p.unexpected("a transformation such as groupby")
		}
		if err := p.next(); err != nil {
			return err
		}
		if name != "identity" {
			s, err := p.transformation(t, name)
			if err != nil {
				return err
			}
			q.Apply = append(q.Apply, s)
			q.Row, p.row = s.Out(), s.Out()
		}
		if !p.tok.is("/") {
			return nil
		}
		if err := p.next(); err != nil {
			return err
		}
	}
}

// transformation reads what stands in parentheses behind the name.
func (p *parser) transformation(t token, name string) (Stage, error) {
	read := map[string]func() (Stage, error){"filter": p.filterStage, "compute": p.computeStage,
		"aggregate": p.aggregateStage, "groupby": p.groupStage}[name]
	switch {
	case slices.Contains(otherTransformations, name):
		return nil, p.unsupported(t.at, "the transformation "+t.text)
	case read == nil:
		return nil, p.badf(t.at, "there is no transformation %s", quote(t.text))
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	s, err := read()
	if err != nil {
		return nil, err
	}
	return s, p.expect(")")
}

func (p *parser) filterStage() (Stage, error) {
	e, err := p.expr()
	if err != nil {
		return nil, err
	}
	e, err = p.condition(e, "filter")
	return &FilterStage{e, p.row}, err
}

func (p *parser) computeStage() (Stage, error) {
	all, row, err := p.computed()
	return &ComputeStage{all, row}, err
}

func (p *parser) aggregateStage() (Stage, error) {
	s := &GroupStage{}
	err := p.aggregates(s)
	if err == nil {
		s.row, err = newRow(s.properties())
	}
	return s, err
}

// groupStage reads (A,B),aggregate(…), or only (A,B).
func (p *parser) groupStage() (Stage, error) {
	s := &GroupStage{}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	for {
		t := p.tok
		if t.kind != tokName {
			return nil, p.unexpected("the name of a property")
		}
		if err := p.next(); err != nil {
			return nil, err
		}
		if p.tok.is("(") && (t.word() == "rollup" || t.word() == "rolluprecursive") {
			return nil, p.unsupported(t.at, t.text)
		}
		prop, err := p.property(t)
		switch {
		case err != nil:
			return nil, err
		case p.tok.is("/"):
			return nil, p.badf(p.tok.at, "the property %s has no parts", t.text)
		case slices.Contains(s.Keys, prop):
			return nil, p.badf(t.at, "%s is there twice", t.text)
		}
		if s.Keys = append(s.Keys, prop); !p.tok.is(",") {
			break
		}
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	if p.tok.is(",") {
		if err := p.groupAggregates(s); err != nil {
			return nil, err
		}
	}
	var err error
	if s.row, err = newRow(s.properties()); err == nil {
		s.row.key = s.Keys
	}
	return s, err
}

// groupAggregates reads what is done with each group.
func (p *parser) groupAggregates(s *GroupStage) error {
	if err := p.next(); err != nil {
		return err
	}
	t := p.tok
	if t.word() != "aggregate" {
		return p.unsupported(t.at, "another transformation than aggregate within groupby")
	}
	if err := p.next(); err != nil {
		return err
	}
	if err := p.expect("("); err != nil {
		return err
	}
	if err := p.aggregates(s); err != nil {
		return err
	}
	if err := p.expect(")"); err != nil {
		return err
	}
	if p.tok.is("/") {
		return p.unsupported(p.tok.at, "another transformation than aggregate within groupby")
	}
	return nil
}

// properties returns those of the result: the keys, and then the aggregates.
func (s *GroupStage) properties() []*Property {
	all := slices.Clone(s.Keys)
	for _, a := range s.Aggregates {
		all = append(all, a.Property)
	}
	return all
}
