package query

import (
	"fmt"
	"strings"

	"gangway/internal/report/odata"
)

// rows are the rows that a query is about at some point: what to select from, and which of them.
type rows struct {
	with  []string // rows that are made once, as WITH has them
	from  string
	where []string
}

// keepIf leaves only the rows for which a condition is true.
func (r *rows) keepIf(condition string) { r.where = append(r.where, condition) }

// text is what follows what is selected.
func (r *rows) text() string {
	s := " FROM " + r.from + " AS " + row
	if len(r.where) > 0 {
		s += " WHERE " + joined(" AND ", r.where)
	}
	return s
}

// lightest is up to how heavy computed columns are left to the database to put where they are
// used. Two of them can double with each stage, so heavier ones are calculated once.
const lightest = 50

// through does the stages of $apply and $compute.
func (t *translator) through(q *odata.Query, r *rows) {
	for _, s := range q.Apply {
		switch s := s.(type) {
		case *odata.FilterStage:
			r.keepIf(t.condition(s.By, false))
		case *odata.ComputeStage:
			t.compute(s.Computed, r)
		case *odata.GroupStage:
			t.group(s, r)
		}
	}
	if q.Compute != nil {
		t.compute(q.Compute, r)
	}
}

// name returns the name of a new column.
func (t *translator) name() string {
	t.named++
	return fmt.Sprintf("k%d", t.named)
}

// compute adds properties.
func (t *translator) compute(all []odata.Computed, r *rows) {
	selected, heaviest := row+".*", 0
	made := map[*odata.Property]column{}
	for _, c := range all {
		weight := t.weight(c.By)
		name := t.name()
		selected += ", " + t.number(c.By, isWideColumn(c.Property)) + " AS " + name
		made[c.Property] = column{name, weight}
		heaviest = max(heaviest, weight)
	}
	for p, c := range made {
		t.columns[p] = c
	}
	t.nest(r, "SELECT "+selected+r.text(), heaviest > lightest)
}

// nest makes of a query the rows that the next one is about.
func (t *translator) nest(r *rows, query string, once bool) {
	if !once {
		r.from, r.where = "("+query+")", nil
		return
	}
	t.named++
	name := fmt.Sprintf("rows%d", t.named)
	r.with = append(r.with, name+" AS MATERIALIZED ("+query+")")
	r.from, r.where = name, nil
	for p, c := range t.columns {
		t.columns[p] = column{c.name, 1}
	}
}

// weight counts what there is to calculate for an expression if databases put the expressions of
// computed columns in their place.
func (t *translator) weight(e odata.Expr) int {
	if r, ok := e.(*odata.Ref); ok {
		return t.columns[r.Property].weight
	}
	n := 1
	for _, c := range odata.Children(e) {
		n += t.weight(c)
	}
	return n
}

// group makes a row of each group.
func (t *translator) group(s *odata.GroupStage, r *rows) {
	var selected, keys []string
	grouped, averages := map[*odata.Property]column{}, ""
	for _, k := range s.Keys {
		name := t.name()
		key := t.columns[k].name
		selected, keys = append(selected, row+"."+key+" AS "+name), append(keys, row+"."+key)
		grouped[k] = column{name, 1}
	}
	for _, a := range s.Aggregates {
		name := t.name()
		grouped[a.Property] = column{name, 1}
		if a.Method != odata.Average {
			selected = append(selected, t.aggregate(a)+" AS "+name)
			continue
		}
		wide := isWide(a.Of.Info())
		sum, n := t.name(), t.name()
		selected = append(selected, t.sum(t.value(a.Of), wide, true)+" AS "+sum,
			"count("+t.value(a.Of)+")"+" AS "+n)
		if t.postgres {
			n += "::numeric"
		}
		averages += ", " + t.rounded(t.times(row+"."+sum, a.Property.Type.Scale-a.Of.Info().Type.Scale, true),
			row+"."+n, isWideColumn(a.Property)) + " AS " + name
	}
	query := "SELECT " + strings.Join(selected, ", ") + r.text()
	if len(keys) > 0 {
		query += " GROUP BY " + strings.Join(keys, ", ")
	}
	t.columns = grouped
	t.nest(r, query, false)
	if averages != "" {
		t.nest(r, "SELECT "+row+".*"+averages+r.text(), false)
	}
}

// aggregate returns what is made of all values of a group, but for averages.
func (t *translator) aggregate(a odata.Aggregate) string {
	if a.Method == odata.Rows {
		return "count(*)"
	}
	x, wide := t.value(a.Of), isWide(a.Of.Info())
	if isText(a.Of.Info().Type.Kind) {
		x = t.bytewise(x)
	}
	switch a.Method {
	case odata.Sum:
		return t.sum(x, wide, isWideColumn(a.Property))
	case odata.CountDistinct:
		return "count(DISTINCT " + x + ")"
	}
	name := map[odata.Method]string{odata.Min: "min", odata.Max: "max"}[a.Method]
	if !isNumber(a.Of.Info().Type.Kind) {
		return name + "(" + x + ")"
	}
	return t.resized(name+"("+x+")", wide, isWideColumn(a.Property))
}

// sum returns the sum of numbers. SQLite adds up only what fits 64 bits, so that the halves of
// numbers, or the pieces of wide ones, are added up each for themselves.
func (t *translator) sum(x string, wide, as bool) string {
	switch {
	case t.postgres:
		return t.resized("sum("+x+")", true, as)
	case wide:
		s := "count(" + x + ")"
		for from := 1; from < wideDigits; from += pieceDigits {
			s += fmt.Sprintf(", sum(CAST(substr(%s, %d, %d) AS INTEGER))", x, from, pieceDigits)
		}
		return t.resized("odata_sum_wide("+s+")", true, as)
	case as:
		return "odata_join_wide(sum(" + x + " >> 32), sum(" + x + " & 4294967295))"
	}
	return "sum(" + x + ")"
}

// pieceDigits is how long the pieces are in which SQLite adds up wide numbers.
const pieceDigits = 10
