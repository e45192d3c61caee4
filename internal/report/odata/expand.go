package odata

import (
	"net/http"
	"slices"
	"strings"
)

// expand reads $expand: Segments,Actions($select=Name;$top=3), or * for all.
func (p *parser) expand(q *Query) error {
	if q.Row.set == nil {
		return errorf(http.StatusBadRequest, "$expand", "what $apply has grouped leads nowhere")
	}
	if p.work.expands++; p.work.expands > p.limits.Expand {
		return p.badf(p.tok.at, "more than %d levels of $expand", p.limits.Expand)
	}
	defer func() { p.work.expands-- }()
	for {
		if err := p.expandItem(q); err != nil {
			return err
		}
		if !p.tok.is(",") {
			return nil
		}
		if err := p.next(); err != nil {
			return err
		}
	}
}

// expandItem reads one navigation property with its options.
func (p *parser) expandItem(q *Query) error {
	t := p.tok
	targets := []*Navigation{q.Set.Navigation(t.text)}
	switch {
	case t.is("*"):
		targets = q.Set.Navigations
	case t.kind == tokAlias || t.kind == tokDollar:
		return p.unsupported(t.at, "the expansion of "+quote(t.text))
	case t.kind != tokName:
		return p.unexpected("a navigation property")
	case targets[0] == nil:
		return p.fail(http.StatusBadRequest, t.at, t.text, "there is no navigation property "+quote(t.text))
	}
	if slices.ContainsFunc(q.Expand, func(e Expand) bool { return slices.Contains(targets, e.Navigation) }) {
		return p.badf(t.at, "%s is there twice", t.text)
	}
	values := map[string]string{}
	if err := p.next(); err != nil {
		return err
	}
	form, err := p.expandForm(!slices.ContainsFunc(targets, func(n *Navigation) bool { return !n.Many }))
	if err == nil && p.tok.is("(") {
		values, err = p.nested(nestedOptions[form])
	}
	if err != nil {
		return err
	}
	for _, n := range targets {
		if p.work.expanded++; p.work.expanded > p.limits.Expands {
			return p.badf(t.at, "more than %d navigation properties are expanded", p.limits.Expands)
		}
		inner, err := p.query(n.Target, true, values)
		if err != nil {
			if e, ok := err.(*Error); ok {
				e.Option = "$expand=" + n.Name + "(" + e.Option + ")"
			}
			return err
		}
		q.Expand = append(q.Expand, Expand{n, form, inner, values})
	}
	return nil
}

// expandForm reads /$ref or /$count, if one of them is there.
func (p *parser) expandForm(many bool) (ExpandForm, error) {
	if !p.tok.is("/") {
		return ExpandRows, nil
	}
	at := p.tok.at
	if err := p.next(); err != nil {
		return 0, err
	}
	form := map[string]ExpandForm{"$ref": ExpandReferences, "$count": ExpandCount}[p.tok.text]
	switch {
	case form == ExpandRows:
		return 0, p.unsupported(at, "a path in $expand")
	case form == ExpandCount && !many:
		return 0, p.badf(at, "$count goes with navigation properties to many rows")
	}
	return form, p.next()
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
func (p *parser) nested(may []string) (map[string]string, error) {
	open := p.tok.at
	values := map[string]string{}
	depth, start := 0, open+1
	for i := open; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\'' || c == '"':
			end := strings.IndexByte(p.src[i+1:], c)
			if end < 0 {
				return nil, p.badf(i, "the text has no closing quote")
			}
			i += end + 1
		case c == '(':
			depth++
		case c == ')' && depth > 1:
			depth--
		case c == ')', c == ';' && depth == 1:
			if err := p.nestedOption(values, may, start, p.src[start:i]); err != nil {
				return nil, err
			}
			start = i + 1
			if c == ')' {
				p.pos = i + 1
				return values, p.next()
			}
		}
	}
	return nil, p.badf(open, "the parenthesis is not closed")
}

// nestedOption puts one option of $expand into values.
func (p *parser) nestedOption(values map[string]string, may []string, at int, text string) error {
	name, value, _ := strings.Cut(text, "=")
	option := "$" + strings.ToLower(strings.TrimPrefix(strings.TrimSpace(name), "$"))
	switch {
	case slices.Contains(may, option):
	case slices.Contains(nestedOptions[ExpandRows], option):
		return p.badf(at, "%s does not go with $ref or $count", option)
	case strings.HasPrefix(strings.TrimSpace(name), "@"), systemOptions[option[1:]], otherOptions[option[1:]]:
		return p.unsupported(at, strings.TrimSpace(name)+" within $expand")
	default:
		return p.badf(at, "there is no option %s within $expand", quote(name))
	}
	if _, twice := values[option]; twice {
		return p.badf(at, "%s is there twice", option)
	}
	values[option] = value
	return nil
}
