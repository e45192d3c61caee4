package odata

import (
	"net/http"
	"slices"
	"strings"
)

// expand reads $expand: Segments,Actions($select=Name;$top=3), or * for all.
func (p *parser) expand(q *Query) {
	if q.Row.set == nil {
		p.stop(errorf(http.StatusBadRequest, "$expand", "what $apply has grouped leads nowhere"))
		return
	}
	if p.work.expands++; p.work.expands > p.limits.Expand {
		p.badf(p.tok.at, "more than %d levels of $expand", p.limits.Expand)
	}
	defer func() { p.work.expands-- }()
	for ok := p.err == nil; ok; ok = p.more() {
		p.expandItem(q)
	}
}

// expandItem reads one navigation property with its options.
func (p *parser) expandItem(q *Query) {
	t := p.tok
	targets := []*Navigation{q.Set.Navigation(t.text)}
	switch {
	case t.is("*"):
		targets = q.Set.Navigations
	case t.kind == tokAlias || t.kind == tokDollar:
		p.unsupported(t.at, "the expansion of "+quote(t.text))
	case t.kind != tokName:
		p.unexpected("a navigation property")
	case targets[0] == nil:
		p.fail(http.StatusBadRequest, t.at, t.text, "there is no navigation property "+quote(t.text))
	}
	if p.err != nil {
		return
	}
	if slices.ContainsFunc(q.Expand, func(e Expand) bool { return slices.Contains(targets, e.Navigation) }) {
		p.badf(t.at, "%s is there twice", t.text)
	}
	values := map[string]string{}
	p.next()
	form := p.expandForm(!slices.ContainsFunc(targets, func(n *Navigation) bool { return !n.Many }))
	if p.tok.is("(") {
		values = p.nested(nestedOptions[form])
	}
	for _, n := range targets {
		if p.work.expanded++; p.work.expanded > p.limits.Expands {
			p.badf(t.at, "more than %d navigation properties are expanded", p.limits.Expands)
		}
		if p.err != nil {
			return
		}
		inner := p.query(n.Target, true, values)
		if e, ok := p.err.(*Error); ok {
			e.Option = "$expand=" + n.Name + "(" + e.Option + ")"
		}
		q.Expand = append(q.Expand, Expand{n, form, inner, values})
	}
}

// expandForm reads /$ref or /$count, if one of them is there.
func (p *parser) expandForm(many bool) ExpandForm {
	if !p.tok.is("/") {
		return ExpandRows
	}
	at := p.tok.at
	p.next()
	form := map[string]ExpandForm{"$ref": ExpandReferences, "$count": ExpandCount}[p.tok.text]
	switch {
	case form == ExpandRows:
		p.unsupported(at, "a path in $expand")
	case form == ExpandCount && !many:
		p.badf(at, "$count goes with navigation properties to many rows")
	}
	p.next()
	return form
}

// nestedOptions are what $expand can hold (U 5.1.3).
var nestedOptions = map[ExpandForm][]string{
	ExpandRows:       {"$filter", "$orderby", "$select", "$top", "$skip", "$count", "$expand", "$search", "$compute"},
	ExpandReferences: {"$filter", "$orderby", "$top", "$skip", "$count", "$search"},
	ExpandCount:      {"$filter", "$search"},
}

// nested reads the options in the parentheses behind a navigation property,
// which semicolons separate. The cursor is on the opening one, and behind the
// closing one after that.
func (p *parser) nested(may []string) map[string]string {
	open := p.tok.at
	values := map[string]string{}
	depth, start := 0, open+1
	for i := open; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\'' || c == '"':
			end := strings.IndexByte(p.src[i+1:], c)
			if end < 0 {
				p.badf(i, "the text has no closing quote")
				return nil
			}
			i += end + 1
		case c == '(':
			depth++
		case c == ')' && depth > 1:
			depth--
		case c == ')', c == ';' && depth == 1:
			p.nestedOption(values, may, start, p.src[start:i])
			start = i + 1
			if c == ')' {
				p.pos = i + 1
				p.next()
				return values
			}
		}
	}
	p.badf(open, "the parenthesis is not closed")
	return nil
}

// nestedOption puts one option of $expand into values.
func (p *parser) nestedOption(values map[string]string, may []string, at int, text string) {
	name, value, _ := strings.Cut(text, "=")
	option := "$" + strings.ToLower(strings.TrimPrefix(strings.TrimSpace(name), "$"))
	switch {
	case slices.Contains(may, option):
	case slices.Contains(nestedOptions[ExpandRows], option):
		p.badf(at, "%s does not go with $ref or $count", option)
	case strings.HasPrefix(strings.TrimSpace(name), "@"), systemOptions[option[1:]], otherOptions[option[1:]]:
		p.unsupported(at, strings.TrimSpace(name)+" within $expand")
	default:
		p.badf(at, "there is no option %s within $expand", quote(name))
	}
	if _, twice := values[option]; twice {
		p.badf(at, "%s is there twice", option)
	}
	values[option] = value
}
