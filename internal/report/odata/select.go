package odata

import (
	"net/http"
	"slices"
)

// selection reads $select.
func (p *parser) selection(q *Query) error {
	all, chosen := false, []*Property{}
	for n := 1; ; n++ {
		t := p.tok
		if n > p.limits.Names {
			return p.badf(t.at, "there are more than %d names", p.limits.Names)
		}
		switch {
		case t.is("*"):
			all = true
		case t.kind == tokAlias:
			return p.unsupported(t.at, "the selection of annotations")
		case t.kind != tokName:
			return p.unexpected("the name of a property")
		case p.row.navigates(t.text):
			if n := p.row.set.Navigation(t.text); !slices.Contains(q.Links, n) {
				q.Links = append(q.Links, n)
			}
		default:
			prop, err := p.property(t)
			if err != nil {
				return err
			}
			if !slices.Contains(chosen, prop) {
				chosen = append(chosen, prop)
			}
		}
		if err := p.next(); err != nil {
			return err
		}
		if p.tok.is("/") || p.tok.is("(") {
			return p.fail(http.StatusBadRequest, p.tok.at, t.text, "the property "+t.text+" has no parts to select")
		}
		if !p.tok.is(",") {
			break
		}
		if err := p.next(); err != nil {
			return err
		}
	}
	if !all {
		q.Select = chosen
	}
	return nil
}
