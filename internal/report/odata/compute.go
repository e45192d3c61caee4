package odata

import "slices"

// computeOption reads $compute. Its properties follow those that are there.
func (p *parser) computeOption(q *Query) { q.Compute, q.Row = p.computed() }

// computed reads expression as Name, any number of times, and returns what
// properties rows have then. None of the expressions can use the new names.
func (p *parser) computed() ([]Computed, *Row) {
	var all []Computed
	properties := slices.Clone(p.row.Properties)
	for ok := true; ok; ok = p.more() {
		e := p.expr()
		n := e.Info()
		if isNull(e) || n.Type.Kind == beyond {
			p.badf(n.At, "this has no type")
		}
		at := p.tok.at
		name := p.as(properties)
		if p.row.navigates(name) {
			p.badf(at, "the name %s is taken", name)
		}
		p.putLiteral(e)
		prop := &Property{Name: name, Type: n.Type, Nullable: n.Nullable, texts: texts(e)}
		properties = append(properties, prop)
		if all = append(all, Computed{prop, e}); len(all) > p.limits.Names {
			p.badf(at, "there are more than %d computed properties", p.limits.Names)
		}
	}
	row := newRow(properties)
	row.set, row.key = p.row.set, p.row.key
	return all, row
}
