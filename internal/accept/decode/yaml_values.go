package decode

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

var yamlError = regexp.MustCompile(`^yaml: (?:(?:unmarshal errors:\s+)?line (\d+): )?(.*)`)

// parseYAML parses a document. before is how many lines precede its text.
func parseYAML(text []byte, before int64) (yaml.Node, error) {
	var doc yaml.Node
	err := yaml.Unmarshal(text, &doc)
	if err != nil {
		at := Place{Unit: "line", N: before + 1}
		said := yamlError.FindStringSubmatch(err.Error())
		if said == nil {
			return doc, &BrokenError{errMalformed, at}
		}
		if line, err := strconv.ParseInt(said[1], 10, 64); err == nil {
			at.N = before + line
		}
		return doc, &BrokenError{fmt.Errorf("%w: %s", errMalformed, said[2]), at}
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return yaml.Node{Kind: yaml.ScalarNode, Line: 1}, nil
	}
	return *doc.Content[0], nil
}

// hasAnchor reports whether a node, or one within it, has an anchor.
func hasAnchor(n *yaml.Node) bool {
	return n.Anchor != "" || slices.ContainsFunc(n.Content, hasAnchor)
}

// A yamlReader turns nodes into values. Every use of an alias counts against the budget.
type yamlReader struct {
	limits  Limits
	budget  *budget
	before  int64 // lines before the first that nodes count
	objects *objectPlaces
	alias   *yaml.Node // whose node is read; nil: none
}

// yamlItem returns the item that a node is, whose text so many lines precede.
func yamlItem(n *yaml.Node, limits Limits, before int64, at Place) (Item, error) {
	r := &yamlReader{limits: limits, budget: newBudget(limits), before: before}
	value, err := r.value(n, 1)
	return Item{Value: value, At: at, objects: r.objects}, err
}

func (r *yamlReader) broken(n *yaml.Node, why error) error {
	return &BrokenError{why, Place{Unit: "line", N: r.before + int64(n.Line)}}
}

func (r *yamlReader) spend(n *yaml.Node, bytes int) error {
	err := r.budget.spend(bytes)
	if errors.As(err, new(*RecordError)) {
		return r.broken(n, err)
	}
	return err
}

// value turns a node into a value.
func (r *yamlReader) value(n *yaml.Node, depth int) (any, error) {
	if depth > r.limits.Depth {
		return nil, r.broken(n, fmt.Errorf("values are nested more than %d deep", r.limits.Depth))
	}
	switch n.Kind {
	case yaml.AliasNode:
		if r.alias == nil { // what an anchor has may stand in another piece, whose lines are not known any more
			r.alias = n
			defer func() { r.alias = nil }()
		}
		return r.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			value, err := r.value(c, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
			if err := r.spend(n, elementCost); err != nil {
				return nil, err
			}
		}
		return list, nil
	case yaml.MappingNode:
		members := map[string]any{}
		if err := r.spend(n, objectCost); err != nil {
			return nil, err
		}
		if depth > 1 { // an item has its place
			r.objects = placesIn("line", r.objects)
			r.objects.note(members, r.before+int64(cmp.Or(r.alias, n).Line))
		}
		return members, r.members(n, members, depth)
	}
	return r.scalar(n)
}

// members reads the members of a mapping. Its own override those that it merges (<<).
func (r *yamlReader) members(n *yaml.Node, members map[string]any, depth int) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, node := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch _, twice := members[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			return r.broken(key, errors.New("a key is not text"))
		case isMerge(key):
			continue
		case twice:
			return r.broken(key, fmt.Errorf("the name %.40q comes twice", key.Value))
		}
		value, err := r.value(node, depth+1)
		if err != nil {
			return err
		}
		members[key.Value] = value
		if err := r.spend(node, memberCost); err != nil {
			return err
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isMerge(n.Content[i]) {
			if err := r.merge(n.Content[i+1], members, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func isMerge(key *yaml.Node) bool { return key.Kind == yaml.ScalarNode && key.Tag == "!!merge" }

// merge adds the members of a mapping, or of several, that are not there yet.
func (r *yamlReader) merge(n *yaml.Node, members map[string]any, depth int) error {
	if depth > r.limits.Depth {
		return r.broken(n, fmt.Errorf("values are nested more than %d deep", r.limits.Depth))
	}
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			if err := r.merge(c, members, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	value, err := r.value(n, depth)
	if err != nil {
		return err
	}
	from, ok := value.(map[string]any)
	if !ok {
		return r.broken(n, errors.New("what << refers to is not a mapping"))
	}
	for name, value := range from {
		if _, own := members[name]; !own {
			members[name] = value
		}
	}
	return r.spend(n, memberCost*len(from))
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// scalar turns a scalar into a value. Only what is not quoted and spelled as in JSON is a number, a
// boolean or null; everything else is text.
func (r *yamlReader) scalar(n *yaml.Node) (any, error) {
	text := n.Value
	if err := r.spend(n, len(text)+16); err != nil {
		return nil, err
	}
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&quoted != 0 || n.Style&yaml.TaggedStyle != 0 {
		return text, nil
	}
	switch text {
	case "", "~", "null", "Null", "NULL":
		return nil, nil
	case "true", "True", "TRUE":
		return true, nil
	case "false", "False", "FALSE":
		return false, nil
	}
	if len(text) <= longestNumber && strings.Contains("-0123456789", text[:1]) && jsonNumber.MatchString(text) {
		return json.Number(text), nil
	}
	return text, nil
}
