package odata

import "fmt"

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
}

// Navigation leads from the rows of one set to rows of another.
type Navigation struct {
	Name   string
	Target *EntitySet
	Many   bool // leads to any number of rows; otherwise to one or none
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
// key is missing, or a number may be too large for exact arithmetic.
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
	return s, nil
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
