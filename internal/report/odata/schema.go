package odata

import "slices"

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

// NewSchema returns a schema of the sets. Names of sets, and of members of a set, must differ; every set has a key that
// is never null, and decimals have at most 18 digits. Tests of the sets hold that: they depend on nothing but the
// program.
func NewSchema(sets ...*EntitySet) *Schema {
	s := &Schema{Sets: sets, sets: map[string]*EntitySet{}}
	for _, set := range sets {
		s.sets[set.Name] = set
		set.row = newRow(set.Properties)
		set.row.set = set
		for _, p := range set.Properties {
			if d := digitsOf[p.Type.Kind]; d > 0 {
				p.Type.Precision = d
			}
		}
	}
	return s
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

func newRow(properties []*Property) *Row {
	r := &Row{Properties: properties, names: make(map[string]*Property, len(properties))}
	for _, p := range properties {
		r.names[p.Name] = p
	}
	return r
}
