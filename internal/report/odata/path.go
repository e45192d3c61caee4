package odata

import (
	"net/http"
	"slices"
	"strings"
)

// PathKind says what a resource path leads to.
type PathKind uint8

// What a resource path leads to.
const (
	ServiceDocument  PathKind = iota // the root
	Metadata                         // $metadata
	Batch                            // $batch
	Collection                       // Set, or Set('key')/Navigation to many
	Count                            // a collection, and /$count
	Entity                           // Set('key'), or Set('key')/Navigation to one
	PropertyResource                 // an entity, and /Property
	PropertyValue                    // an entity, and /Property/$value
)

// Path is a resource path.
type Path struct {
	Kind     PathKind
	Set      *EntitySet // the set that the path begins with
	Key      []*Literal // in the order of Set.Key, if the path has a key
	Steps    []Step     // from the entity of that key on
	Property *Property  // of Target
	Refs     bool       // it ends with /$ref: of the rows only their addresses are asked for
	Query    bool       // it ends with /$query: more options are in the request's body
}

// A Step leads on from an entity.
type Step struct {
	Navigation *Navigation
	// Key tells one row from the others of the target's, in the order of its key. A
	// part is nil if what the navigation property is on implies it. There is none
	// unless the path has one.
	Key []*Literal
}

// Target returns the set whose rows the path leads to, or nil.
func (p *Path) Target() *EntitySet {
	if n := len(p.Steps); n > 0 {
		return p.Steps[n-1].Navigation.Target
	}
	return p.Set
}

// Parent returns the path that the last step goes on from. There must be a step.
func (p *Path) Parent() *Path {
	return &Path{Kind: Entity, Set: p.Set, Key: p.Key, Steps: p.Steps[:len(p.Steps)-1]}
}

// notFound is the answer to a path that leads nowhere.
func notFound(format string, args ...any) error {
	return errorf(http.StatusNotFound, "", format, args...)
}

// path reads a resource path, as it came in the address (U 4). It is split at
// slashes first, and decoded after that.
func (r *reading) path(raw string) (*Path, error) {
	raw = strings.TrimSuffix(strings.TrimPrefix(raw, "/"), "/")
	if raw == "" {
		return &Path{Kind: ServiceDocument}, nil
	}
	if strings.Count(raw, "/") > 8 {
		return nil, notFound("the path has too many segments")
	}
	segments := strings.Split(raw, "/")
	for i, s := range segments {
		var err error
		if segments[i], err = decode(s, false); err != nil {
			return nil, errorf(http.StatusBadRequest, "", "the path %v", err)
		}
	}
	first, rest := segments[0], segments[1:]
	switch {
	case first == "$metadata" && len(rest) == 0:
		return &Path{Kind: Metadata}, nil
	case first == "$batch" && len(rest) == 0:
		return &Path{Kind: Batch}, nil
	case first == "$metadata", first == "$batch":
		return nil, notFound("there is nothing below %s", first)
	case first == "$entity", first == "$all", strings.HasPrefix(first, "$crossjoin"):
		return nil, errorf(http.StatusNotImplemented, "", "%s is not supported here", quote(first))
	}
	p, err := r.set(first)
	for i := 0; err == nil && i < len(rest); i++ {
		err = r.segment(p, rest[i], i == len(rest)-1)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// set reads the first segment: Set, or Set('key').
func (r *reading) set(segment string) (*Path, error) {
	name, key := segment, ""
	if i := strings.IndexByte(segment, '('); i >= 0 {
		name, key = segment[:i], segment[i:]
	}
	p := &Path{Kind: Collection, Set: r.schema.Set(name)}
	if p.Set == nil {
		for _, s := range r.schema.Sets {
			if strings.EqualFold(s.Name, name) {
				return nil, notFound("there is no resource %s; did you mean %s?", quote(name), s.Name)
			}
		}
		return nil, notFound("there is no resource %s", quote(name))
	}
	if key == "" || key == "()" {
		return p, nil
	}
	p.Kind = Entity
	var err error
	p.Key, err = r.key(p.Set, key, nil)
	return p, err
}

// segment reads a segment behind the first.
func (r *reading) segment(p *Path, s string, last bool) error {
	target := p.Target()
	navigation, key, _ := strings.Cut(s, "(")
	switch {
	case s == "$query" && last:
		p.Query = true
		return nil
	case s == "$ref" && last && len(p.Steps) > 0 && (p.Kind == Collection || p.Kind == Entity):
		p.Refs = true
		return nil
	case p.Kind == Collection && s == "$count":
		p.Kind = Count
		return nil
	case s == "$ref", s == "$each", strings.HasPrefix(s, "$filter("), p.Kind == Entity && s == "$value":
		return errorf(http.StatusNotImplemented, "", "%s in a path is not supported here", quote(s))
	case p.Kind == Entity && target.Navigation(navigation) != nil:
		return r.step(p, target.Navigation(navigation), key)
	case p.Kind == Entity && target.row.Property(s) != nil:
		p.Kind, p.Property = PropertyResource, target.row.Property(s)
		return nil
	case p.Kind == PropertyResource && s == "$value":
		p.Kind = PropertyValue
		return nil
	case p.Kind == Collection && target.row.Property(s) != nil:
		return notFound("%s is a property of a single row: %s('…')/%s", s, target.Name, s)
	}
	return notFound("there is no resource %s here", quote(s))
}

// step goes on from an entity: to one row, to many, or to one among many by its key,
// which stands behind an opening parenthesis.
func (r *reading) step(p *Path, n *Navigation, key string) error {
	s := Step{Navigation: n}
	p.Kind = Entity
	switch {
	case n.Many && (key == "" || key == ")"):
		p.Kind = Collection
	case n.Many:
		var err error
		if s.Key, err = r.key(n.Target, "("+key, n.On); err != nil {
			return err
		}
	case key != "":
		return notFound("%s leads to one row, and takes no key", n.Name)
	}
	p.Steps = append(p.Steps, s)
	return nil
}

// key reads ('a'), (Name='a') or (Name=@alias), with as many names as the key has.
// Those that are implied may be missing (U 4.3.2), and are nil then.
func (r *reading) key(set *EntitySet, text string, implied []string) ([]*Literal, error) {
	p := r.newParser("", text, &Row{})
	p.expect("(")
	key := make([]*Literal, len(set.Key))
	isImplied := func(k *Property) bool { return slices.Contains(implied, k.Name) }
	wanted, only := 0, 0 // how many values are not implied, and which of the key the only one is
	for i, k := range set.Key {
		if !isImplied(k) {
			wanted, only = wanted+1, i
		}
	}
	for n, ok := 0, true; ok; n, ok = n+1, p.more() {
		i := only
		if p.tok.kind == tokName {
			i = p.keyName(set)
		} else if wanted > 1 {
			p.badf(p.tok.at, "each value of the key needs its name")
		}
		if n >= len(key) || key[i] != nil {
			p.badf(p.tok.at, "there are too many values")
		}
		key[i] = p.keyValue(set.Key[i])
	}
	p.expect(")")
	p.end("the end")
	for i, l := range key {
		if l == nil && !isImplied(set.Key[i]) {
			p.badf(0, "a value is missing")
		}
	}
	if e, ok := r.err.(*Error); ok && e.Option == "" {
		e.Option = "the key of " + set.Name
	}
	return key, r.err
}

// keyName reads Name= and returns which part of the key it names.
func (p *parser) keyName(set *EntitySet) int {
	t := p.tok
	p.next()
	p.expect("=")
	i := slices.IndexFunc(set.Key, func(k *Property) bool { return k.Name == t.text })
	if i < 0 {
		p.fail(http.StatusNotFound, t.at, t.text, "there is no key property "+quote(t.text))
	}
	return max(i, 0)
}

// keyValue reads a literal, or an alias of one, as a value of the property.
func (p *parser) keyValue(of *Property) *Literal {
	at := p.tok.at
	if p.tok.kind != tokLiteral && p.tok.kind != tokAlias {
		p.unexpected("a value such as 'K7Q2MX'")
	}
	l, ok := p.primary().(*Literal)
	switch {
	case !ok || l.Value == nil:
		p.badf(at, "the key must be a value, and not null")
		return nil
	case l.Type.Kind.integer() && of.Type.Kind.integer():
		return l
	}
	if l = p.adapted(l, of.Type.Kind); l == nil || l.finer {
		p.fail(http.StatusBadRequest, at, of.Name, "the key "+of.Name+" is an "+of.Type.Kind.String())
	}
	return l
}
