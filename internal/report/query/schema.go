package query

import (
	"slices"

	"gangway/internal/report"
	"gangway/internal/report/odata"
)

// digits is how many digits the report's decimals have; a BIGINT has room for any of them.
const digits = 18

// Schema is what can be asked for: the report's sets.
var Schema = schemaOf(report.Sets...)

// sets are the sets of the report that entity sets stand for.
var sets = map[*odata.EntitySet]report.Set{}

// columns are the names in the database of properties of entity sets.
var columns = map[*odata.Property]string{}

// schemaOf returns the schema of sets, and notes where they are from.
func schemaOf(of ...report.Set) *odata.Schema {
	var all []*odata.EntitySet
	for _, set := range of {
		e := entitySet(set)
		sets[e] = set
		all = append(all, e)
	}
	for i, set := range of {
		for _, n := range set.Navigations {
			all[i].Navigations = append(all[i].Navigations, navigation(n, all))
		}
	}
	return odata.NewSchema(all...)
}

// About returns what a set of Schema is about, a sentence.
func About(set *odata.EntitySet) string { return sets[set].About }

func entitySet(set report.Set) *odata.EntitySet {
	e := &odata.EntitySet{Name: set.Name}
	named := map[string]*odata.Property{}
	for _, c := range set.Columns {
		p := &odata.Property{Name: c.Name, Type: typeOf(c), Nullable: !c.Always, Searchable: c.Searched,
			Description: c.About, Unit: c.Unit, Currency: c.Currency}
		if c.Unit != "" {
			p.Description += " Unit: " + c.Unit + "."
		}
		e.Properties = append(e.Properties, p)
		named[c.Name], columns[p] = p, c.SQL
	}
	for _, k := range set.Key {
		e.Key = append(e.Key, named[k])
	}
	if p := named[set.Newest]; p != nil {
		e.Order = []odata.Sort{{Property: p, Descending: true}}
	}
	return e
}

// navigation returns what leads from the rows of a set to those of one of all.
func navigation(n report.Navigation, all []*odata.EntitySet) *odata.Navigation {
	to := all[slices.IndexFunc(all, func(e *odata.EntitySet) bool { return e.Name == n.To })]
	return &odata.Navigation{Name: n.Name, Target: to, Many: n.Many, On: n.On}
}

func typeOf(c report.Column) odata.Type {
	switch c.Kind {
	case report.Integer:
		return odata.Type{Kind: odata.Int32}
	case report.Decimal:
		return odata.Type{Kind: odata.Decimal, Precision: digits, Scale: c.Scale}
	case report.Instant:
		return odata.Type{Kind: odata.DateTimeOffset, Precision: 3}
	case report.Day:
		return odata.Type{Kind: odata.Date}
	case report.Flag:
		return odata.Type{Kind: odata.Boolean}
	}
	return odata.Type{Kind: odata.String}
}
