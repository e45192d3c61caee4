package odata

import (
	"errors"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Query is what the options of a request ask of a set. Its parts act in this
// order: Apply, Compute, Search, Filter, Count, OrderBy, Skip, Top; then Expand
// and Select shape what is left (P 11.2.1).
type Query struct {
	Set     *EntitySet
	Apply   []Stage
	Compute []Computed
	Search  Search
	Filter  Expr // a condition, or nil
	// Row is what Search, Filter, OrderBy and Select refer to: the properties of
	// the set, or what Apply and Compute made of them.
	Row *Row
	// OrderBy is a total order: what was asked for, or the order of the set unless
	// these are rows that another leads to, and then the key or whatever tells the
	// rows of Apply apart, in the direction of what comes before it, so that one
	// index serves both directions. It is empty only where there is a single row.
	OrderBy []Order
	Skip    int64
	Top     *int64        // nil is all
	Select  []*Property   // in the order asked for; nil is all of Row
	Links   []*Navigation // those that $select names, of which links are asked for
	Expand  []Expand
	Count   bool

	Format     string // json, xml, atom or a media type, as it came; empty if not given
	SkipToken  string
	DeltaToken string
}

// Order is an expression to sort by. Null comes first, or last if Descending.
type Order struct {
	By         Expr
	Descending bool
}

// Expand asks for what a navigation property leads to. Of its query, Apply,
// Format and the tokens are always empty.
type Expand struct {
	Navigation *Navigation
	Form       ExpandForm
	Query      *Query
	Options    map[string]string // the options of Query, decoded, by their names with the dollar
}

// ExpandForm is what of the rows is asked for.
type ExpandForm uint8

// The forms.
const (
	ExpandRows       ExpandForm = iota
	ExpandReferences            // Segments/$ref: only their addresses
	ExpandCount                 // Segments/$count: only how many there are
)

// Computed is a property made of an expression.
type Computed struct {
	Property *Property
	By       Expr
}

// query reads the options of a request for rows of set: all of them, or only those that others lead to.
func (r *reading) query(set *EntitySet, led bool, values map[string]string) *Query {
	q := &Query{Set: set, Row: set.row}
	for _, step := range []struct {
		option string
		read   func(*parser, *Query)
	}{
		{"$apply", (*parser).apply},
		{"$compute", (*parser).computeOption},
		{"$filter", (*parser).filter},
		{"$orderby", (*parser).orderBy},
		{"$select", (*parser).selection},
		{"$expand", (*parser).expand},
	} {
		if value, ok := values[step.option]; ok && r.err == nil {
			p := r.newParser(step.option, value, q.Row)
			step.read(p, q)
			p.end("the end")
		}
	}
	r.search(q, values)
	if err := q.simple(values); err != nil {
		r.stop(err)
	}
	if r.err == nil {
		q.completeOrder(led)
	}
	return q
}

// simple reads the options that are no expressions.
func (q *Query) simple(values map[string]string) error {
	for _, option := range []string{"$top", "$skip", "$count", "$format", "$skiptoken", "$deltatoken"} {
		value, ok := values[option]
		if !ok {
			continue
		}
		var err error
		switch option {
		case "$top":
			var top int64
			top, err = whole(option, value)
			q.Top = &top
		case "$skip":
			q.Skip, err = whole(option, value)
		case "$count":
			q.Count, err = yesNo(option, value)
		case "$format":
			q.Format, err = format(value)
		case "$skiptoken":
			q.SkipToken, err = value, notEmpty(option, value)
		case "$deltatoken":
			q.DeltaToken, err = value, notEmpty(option, value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// whole returns a number that is not negative.
func whole(option, value string) (int64, error) {
	n, err := strconv.ParseInt(value, 10, 64)
	if errors.Is(err, strconv.ErrRange) && !notDigit(rune(value[0])) {
		return 0, errorf(http.StatusBadRequest, option, "%s is more than %d", quote(value), int64(math.MaxInt64))
	}
	if err != nil || n < 0 || notDigit(rune(value[0])) {
		return 0, errorf(http.StatusBadRequest, option, "%s is not a whole number from 0 up", quote(value))
	}
	return n, nil
}

func yesNo(option, value string) (bool, error) {
	if !strings.EqualFold(value, "true") && !strings.EqualFold(value, "false") {
		return false, errorf(http.StatusBadRequest, option, "it can be true or false, not %s", quote(value))
	}
	return len(value) == len("true"), nil
}

func notEmpty(option, value string) error {
	if value == "" {
		return errorf(http.StatusBadRequest, option, "it has no value")
	}
	return nil
}

// format returns the value of $format if it is json, xml, atom or a media type (U 5.1.9).
func format(value string) (string, error) {
	if slices.Contains([]string{"json", "xml", "atom"}, strings.ToLower(value)) {
		return value, nil
	}
	if media, _, err := mime.ParseMediaType(value); err != nil || !strings.Contains(media, "/") {
		return "", errorf(http.StatusBadRequest, "$format", "%s is neither json, xml nor a media type", quote(value))
	}
	return value, nil
}

// filter reads $filter.
func (p *parser) filter(q *Query) { q.Filter = p.condition(p.whole(), p.option) }

// orderBy reads $orderby.
func (p *parser) orderBy(q *Query) {
	for ok := true; ok; ok = p.more() {
		e := p.expr()
		if isNull(e) || e.Info().Type.Kind == beyond {
			p.badf(e.Info().At, "nothing can be ordered by this")
		}
		p.putLiteral(e)
		o := Order{By: e}
		if word := p.tok.word(); word == "asc" || word == "desc" {
			o.Descending = word == "desc"
			if !p.tok.space {
				p.unexpected("a space and then " + word)
			}
			p.next()
		}
		if q.OrderBy = append(q.OrderBy, o); len(q.OrderBy) > p.limits.Names {
			p.badf(e.Info().At, "there are more than %d names", p.limits.Names)
		}
	}
}

// completeOrder makes the order a total one. The few rows that another leads to are in the order of their key, as the
// flights of a booking are flown.
func (q *Query) completeOrder(led bool) {
	if len(q.OrderBy) == 0 && q.Row.set != nil && !led {
		for _, s := range q.Set.Order {
			q.OrderBy = append(q.OrderBy, Order{By: refTo(s.Property), Descending: s.Descending})
		}
	}
	there := map[*Property]bool{}
	for _, o := range q.OrderBy {
		if r, ok := o.By.(*Ref); ok {
			there[r.Property] = true
		}
	}
	keys := q.Row.key
	if q.Row.set != nil {
		keys = q.Row.set.Key
	}
	descending := len(q.OrderBy) > 0 && q.OrderBy[len(q.OrderBy)-1].Descending
	for _, k := range keys {
		if !there[k] {
			q.OrderBy = append(q.OrderBy, Order{By: refTo(k), Descending: descending})
		}
	}
}

func refTo(p *Property) *Ref {
	return &Ref{Node: Node{Type: p.Type, Nullable: p.Nullable, Max: p.Type.max()}, Property: p}
}
