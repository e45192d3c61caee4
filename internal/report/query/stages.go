package query

import (
	"fmt"
	"maps"
	"strconv"
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

// ofRelated is how heavy looking at related rows is.
const ofRelated = 10

// lightest is up to how heavy computed columns are left to the database to put where they are
// used. Two of them can double with each stage, so heavier ones are calculated once. Those that are
// as short as shortest bytes are put there without asking the database.
const (
	lightest = 50
	shortest = 200
)

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
	selected, heaviest := "", 0
	made := map[*odata.Property]column{}
	for _, c := range all {
		weight, bound := t.weight(c.By), len(t.args)
		sql := t.number(c.By, isWideColumn(c.Property))
		// A literal in ORDER BY would be the number of a column, and PostgreSQL knows no type of an argument that
		// stands nowhere, as that of a column that is not used.
		_, literal := c.By.(*odata.Literal)
		if literal || len(t.args) > bound || weight > lightest || len(sql) > shortest {
			name := t.name()
			selected += ", " + sql + " AS " + name
			sql, heaviest = row+"."+name, max(heaviest, weight)
		}
		made[c.Property] = column{sql, weight}
	}
	maps.Copy(t.columns, made)
	if selected != "" {
		t.nest(r, "SELECT "+row+".*"+selected+r.text(), heaviest > lightest)
	}
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
		if strings.HasPrefix(c.sql, row+".k") {
			t.columns[p] = column{c.sql, 1}
		}
	}
}

// weight counts what there is to calculate for an expression if databases put the expressions of
// computed columns in their place.
func (t *translator) weight(e odata.Expr) int {
	n := 1
	switch e := e.(type) {
	case *odata.Ref:
		if e.Of == nil && e.Via == nil {
			return t.columns[e.Property].weight
		}
		n = ofRelated
	case *odata.Lambda, *odata.RelatedCount:
		n = ofRelated
	}
	for _, c := range odata.Children(e) {
		n += t.weight(c)
	}
	return n
}

// group makes a row of each group.
func (t *translator) group(s *odata.GroupStage, r *rows) {
	var selected, keys []string // a key is the place of what is selected, whatever it is made of
	grouped, averages := map[*odata.Property]column{}, ""
	for _, k := range s.Keys {
		name := t.name()
		selected = append(selected, t.columns[k].sql+" AS "+name)
		keys = append(keys, strconv.Itoa(len(selected)))
		grouped[k] = column{row + "." + name, 1}
	}
	for _, a := range s.Aggregates {
		name := t.name()
		grouped[a.Property] = column{row + "." + name, 1}
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
