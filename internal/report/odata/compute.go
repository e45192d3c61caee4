package odata

import "slices"

// computeOption reads $compute. Its properties follow those that are there.
func (p *parser) computeOption(q *Query) error {
	var err error
	q.Compute, q.Row, err = p.computed()
	return err
}

// computed reads expression as Name, any number of times, and returns what
// properties rows have then. None of the expressions can use the new names.
func (p *parser) computed() ([]Computed, *Row, error) {
	var all []Computed
	properties := slices.Clone(p.row.Properties)
	for {
		e, err := p.expr()
		if err != nil {
			return nil, nil, err
		}
		if isNull(e) || e.Info().Type.Kind == beyond {
			return nil, nil, p.badf(e.Info().At, "this has no type")
		}
		name, err := p.as()
		if err != nil {
			return nil, nil, err
		}
		taken := func(q *Property) bool { return q.Name == name.text }
		if slices.ContainsFunc(properties, taken) || p.row.navigates(name.text) {
			return nil, nil, p.badf(name.at, "the name %s is taken", name.text)
		}
		n := e.Info()
		if err := p.putLiteral(e); err != nil {
			return nil, nil, err
		}
		prop := &Property{Name: name.text, Type: n.Type, Nullable: n.Nullable, texts: texts(e)}
		properties = append(properties, prop)
		if all = append(all, Computed{prop, e}); len(all) > p.limits.Names {
			return nil, nil, p.badf(name.at, "there are more than %d computed properties", p.limits.Names)
		}
		if !p.tok.is(",") {
			break
		}
		if err := p.next(); err != nil {
			return nil, nil, err
		}
	}
	row, err := newRow(properties)
	if err == nil {
		row.set, row.key = p.row.set, p.row.key
	}
	return all, row, err
}
