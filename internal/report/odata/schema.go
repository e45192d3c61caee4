package odata

import (
	"errors"
	"fmt"
	"slices"
)

// Schema is what can be asked for: the entity sets. NewSchema makes one.
type Schema struct {
	Sets []*EntitySet
	sets map[string]*EntitySet
}

// EntitySet is a table of rows that have the same properties.
type EntitySet struct {
	Name        string
	Properties  []*Property
	Key         []*Property // tells the rows apart; every row has a value in each
	Navigations []*Navigation
	// Order is in which order rows come unless the request names another. The
	// key follows it, in the direction of its last part.
	Order []Sort

	row *Row
}

// Property is a column of an entity set, or of the result of $apply or $compute.
type Property struct {
	Name        string
	Type        Type // an Int64 has at most 18 digits, and so has a Decimal of an entity set
	Nullable    bool
	Searchable  bool   // $search looks at it; for text
	Description string // for $metadata: the meaning, and the unit
	Unit        string // for $metadata, as in "kg"
	Currency    string // for $metadata: the property that says which currency it is in
	texts       int    // see Node; 0 is 1
}

// Navigation leads from the rows of one set to rows of another.
type Navigation struct {
	Name   string
	Target *EntitySet
	Many   bool // leads to any number of rows; otherwise to one or none
	// On are the names of properties that both sets have, in which linked rows have
	// the same values. Null is the same as nothing. One row at most is led to by the
	// key of its set.
	On []string
}

// Sort is a property in an order.
type Sort struct {
	Property   *Property
	Descending bool
}

// Row is what properties the rows have at some point of a query: those of the
// entity set at first, and others after $apply and $compute.
type Row struct {
	Properties []*Property
	names      map[string]*Property
	set        *EntitySet  // whose rows they still are; nil once grouped
	key        []*Property // tells rows apart that are grouped; none if there is a single one
}

func (r *Row) navigates(name string) bool { return r.set != nil && r.set.Navigation(name) != nil }

// NewSchema returns a schema of the sets. It fails if a name occurs twice, a
// key is missing, a number may be too large for exact arithmetic, or a navigation
// property leads nowhere.
func NewSchema(sets ...*EntitySet) (*Schema, error) {
	s := &Schema{Sets: sets, sets: map[string]*EntitySet{}}
	for _, set := range sets {
		if s.sets[set.Name] != nil {
			return nil, fmt.Errorf("two entity sets are called %s", set.Name)
		}
		s.sets[set.Name] = set
		row, err := newRow(set.Properties)
		if err != nil {
			return nil, fmt.Errorf("entity set %s: %w", set.Name, err)
		}
		set.row, row.set = row, set
		if len(set.Key) == 0 {
			return nil, fmt.Errorf("entity set %s has no key", set.Name)
		}
		for _, k := range set.Key {
			if row.names[k.Name] != k || k.Nullable {
				return nil, fmt.Errorf("entity set %s: %s cannot be part of the key", set.Name, k.Name)
			}
		}
		for _, p := range set.Properties {
			if d := digitsOf[p.Type.Kind]; d > 0 {
				p.Type.Precision = d
			}
			if p.Type.Kind == Decimal && p.Type.Precision > maxLiteral {
				return nil, fmt.Errorf("entity set %s: %s has more than %d digits", set.Name, p.Name, maxLiteral)
			}
		}
		for _, n := range set.Navigations {
			if row.names[n.Name] != nil {
				return nil, fmt.Errorf("entity set %s has two members called %s", set.Name, n.Name)
			}
		}
	}
	for _, set := range sets {
		for _, n := range set.Navigations {
			if err := s.checkLink(set, n); err != nil {
				return nil, fmt.Errorf("entity set %s: %s %w", set.Name, n.Name, err)
			}
		}
	}
	return s, nil
}

// checkLink returns an error if rows of a set cannot be linked as a navigation property says.
func (s *Schema) checkLink(set *EntitySet, n *Navigation) error {
	if s.sets[n.Target.Name] != n.Target {
		return errors.New("leads to no set of the schema")
	}
	if len(n.On) == 0 {
		return errors.New("is on no property")
	}
	for _, name := range n.On {
		from, to := set.row.names[name], n.Target.row.names[name]
		if from == nil || to == nil || from.Type != to.Type {
			return fmt.Errorf("is on %s, which is not a property of both sets", name)
		}
	}
	if !n.Many && (len(n.On) != len(n.Target.Key) || slices.ContainsFunc(n.Target.Key, func(k *Property) bool {
		return !slices.Contains(n.On, k.Name)
	})) {
		return errors.New("leads to one row, and is not on its key")
	}
	return nil
}

// Set returns the entity set of that name, or nil.
func (s *Schema) Set(name string) *EntitySet { return s.sets[name] }

// Navigation returns the navigation property of that name, or nil.
func (s *EntitySet) Navigation(name string) *Navigation {
	for _, n := range s.Navigations {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// Partner returns the navigation property that leads the other way, or nil.
func (s *EntitySet) Partner(n *Navigation) *Navigation {
	for _, back := range n.Target.Navigations {
		if back.Target == s && back != n && !(back.Many && n.Many) && slices.Equal(back.On, n.On) {
			return back
		}
	}
	return nil
}

// Named returns the property of the set of that name, or nil.
func (s *EntitySet) Named(name string) *Property { return s.row.names[name] }

// Property returns the property of that name, or nil.
func (r *Row) Property(name string) *Property { return r.names[name] }

func newRow(properties []*Property) (*Row, error) {
	r := &Row{Properties: properties, names: make(map[string]*Property, len(properties))}
	for _, p := range properties {
		switch {
		case r.names[p.Name] != nil:
			return nil, fmt.Errorf("two properties are called %s", p.Name)
		case p.Type.Kind == Decimal && (p.Type.Precision < 1 || p.Type.Precision > maxDigits ||
			p.Type.Scale < 0 || p.Type.Scale > p.Type.Precision):
			return nil, fmt.Errorf("property %s: a Decimal has 1 to %d digits", p.Name, maxDigits)
		}
		r.names[p.Name] = p
	}
	return r, nil
}
