package odata

import (
	"net/http"
	"slices"
)

// selection reads $select.
func (p *parser) selection(q *Query) {
	all, chosen := false, []*Property{}
	for n, ok := 1, true; ok; n, ok = n+1, p.more() {
		t := p.tok
		switch {
		case n > p.limits.Names:
			p.badf(t.at, "there are more than %d names", p.limits.Names)
		case t.is("*"):
			all = true
		case t.kind == tokAlias:
			p.unsupported(t.at, "the selection of annotations")
		case t.kind != tokName:
			p.unexpected("the name of a property")
		case p.row.navigates(t.text):
			if n := p.row.set.Navigation(t.text); !slices.Contains(q.Links, n) {
				q.Links = append(q.Links, n)
			}
		default:
			if prop := p.property(t); !slices.Contains(chosen, prop) {
				chosen = append(chosen, prop)
			}
		}
		p.next()
		if p.tok.is("/") || p.tok.is("(") {
			p.fail(http.StatusBadRequest, p.tok.at, t.text, "the property "+t.text+" has no parts to select")
		}
	}
	if !all {
		q.Select = chosen
	}
}
