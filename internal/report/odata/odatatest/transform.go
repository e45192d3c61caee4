package odatatest

import (
	"fmt"
	"maps"
	"math/big"

	"gangway/internal/report/odata"
)

// transform returns what a stage of $apply makes of rows.
func (d Data) transform(s odata.Stage, rows []Record) []Record {
	switch s := s.(type) {
	case *odata.FilterStage:
		return keep(rows, func(r Record) bool { return d.Value(s.By, r) == true })
	case *odata.ComputeStage:
		return d.compute(s.Computed, rows)
	case *odata.GroupStage:
		return d.group(s, rows)
	}
	panic(fmt.Sprintf("an unknown stage %T", s))
}

// compute adds properties to rows.
func (d Data) compute(all []odata.Computed, rows []Record) []Record {
	out := make([]Record, len(rows))
	for i, r := range rows {
		out[i] = maps.Clone(r)
		for _, c := range all {
			out[i][c.Property.Name] = d.Value(c.By, r)
		}
	}
	return out
}

// group returns a row for each group, in the order of their first rows.
func (d Data) group(s *odata.GroupStage, rows []Record) []Record {
	groups := map[string][]Record{}
	var names []string
	for _, r := range rows {
		name := ""
		for _, k := range s.Keys {
			name += fmt.Sprintf("%T %q\n", r[k.Name], fmt.Sprint(r[k.Name]))
		}
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], r)
	}
	if len(s.Keys) == 0 {
		names = []string{""}
	}
	var out []Record
	for _, name := range names {
		one := Record{}
		for _, k := range s.Keys {
			one[k.Name] = normal(groups[name][0][k.Name])
		}
		for _, a := range s.Aggregates {
			one[a.Property.Name] = d.aggregate(a, groups[name])
		}
		out = append(out, one)
	}
	return out
}

// aggregate returns the one value that is made of all rows of a group.
func (d Data) aggregate(a odata.Aggregate, rows []Record) any {
	if a.Method == odata.Rows {
		return big.NewInt(int64(len(rows)))
	}
	var values []any
	different := map[string]bool{}
	for _, r := range rows {
		if v := d.Value(a.Of, r); v != nil {
			values = append(values, v)
			different[fmt.Sprint(v)] = true
		}
	}
	if a.Method == odata.CountDistinct {
		return big.NewInt(int64(len(different)))
	}
	if len(values) == 0 {
		return nil
	}
	if a.Method == odata.Min || a.Method == odata.Max {
		best := values[0]
		for _, v := range values {
			if c := order(v, best); c < 0 && a.Method == odata.Min || c > 0 && a.Method == odata.Max {
				best = v
			}
		}
		return best
	}
	sum := new(big.Int)
	for _, v := range values {
		sum.Add(sum, v.(*big.Int))
	}
	if a.Method == odata.Average {
		places := a.Property.Type.Scale - a.Of.Info().Type.Scale
		return quotient(scaled(sum, places), big.NewInt(int64(len(values))))
	}
	return sum
}
