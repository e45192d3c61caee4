package natural

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// fromYAML returns the value of a member in YAML: a number where a text belongs is the text that was written, as nobody
// puts a phone into quotation marks.
func fromYAML(value any, m *gangway.Member) any {
	switch value := value.(type) {
	case json.Number:
		if m.IsText() || m != nil && m.Form == gangway.DayAtPort {
			return string(value)
		}
	case []any:
		if isList(m) {
			for i, v := range value {
				value[i] = fromYAML(v, itemOf(m))
			}
		}
	case map[string]any:
		for name, v := range value {
			value[name] = fromYAML(v, memberOf(m, name))
		}
	}
	return value
}

var entry = &gangway.Member{Form: gangway.FreeText}

// memberOf returns the member of an object with a name; nil for what our records do not name.
func memberOf(m *gangway.Member, name string) *gangway.Member {
	switch {
	case m == nil:
		return nil
	case m.Form == gangway.Entries:
		return entry
	}
	return m.Members.Named(name)
}

func isList(m *gangway.Member) bool { return m != nil && m.Form == gangway.List }

// itemOf returns what a list is a list of.
func itemOf(m *gangway.Member) *gangway.Member {
	return &gangway.Member{Form: gangway.Object, Members: m.Members}
}

// fromXML returns the content of a member's element; nil for one that says nothing.
func fromXML(value any, m *gangway.Member) (any, error) {
	switch value := value.(type) {
	case string:
		if value == "" {
			return nil, nil
		}
	case []any:
		if isList(m) {
			return listOf(value, itemOf(m))
		}
		list := []any{}
		for _, v := range value {
			v, err := fromXML(v, m)
			if err != nil {
				return nil, err
			}
			if v != nil {
				list = append(list, v)
			}
		}
		return list, nil
	case map[string]any:
		switch {
		case isList(m):
			return listOf(unwrapped(value, itemOf(m)), itemOf(m))
		case m != nil && m.Form == gangway.Entries:
			return entriesOf(value)
		}
		return objectOf(value, m)
	}
	return value, nil
}

// unwrapped returns the items of a list: an element that has one for each in it, or that is the only one.
func unwrapped(value map[string]any, item *gangway.Member) []any {
	members := elementsOf(value)
	if len(members) == 1 {
		for name, content := range members {
			if item.Members.Named(localName(name)) == nil {
				if list, several := content.([]any); several {
					return list
				}
				return []any{content}
			}
		}
	}
	return []any{value}
}

// elementsOf returns the elements in an element, without its attributes.
func elementsOf(value map[string]any) map[string]any {
	members := map[string]any{}
	for name, content := range value {
		if name[0] != '@' {
			members[name] = content
		}
	}
	return members
}

func listOf(values []any, item *gangway.Member) (any, error) {
	list := []any{}
	for _, v := range values {
		v, err := fromXML(v, item)
		if err != nil {
			return nil, err
		}
		if v == nil { // an item that says nothing is one all the same, as in JSON
			v = map[string]any{}
		}
		list = append(list, v)
	}
	return list, nil
}

// objectOf returns an element with others in it. Attributes are members like others; those that concern
// XML itself are none.
func objectOf(value map[string]any, m *gangway.Member) (any, error) {
	members := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(value)) { // attributes first: '@' is before letters
		local := localName(strings.TrimPrefix(name, "@"))
		if isOfXML(name) || name[0] == '@' && m.IsText() {
			continue
		}
		content, err := fromXML(value[name], memberOf(m, local))
		if err != nil {
			return nil, err
		}
		if _, twice := members[local]; twice && name[0] != '#' {
			return nil, &decode.RecordError{Msg: fmt.Sprintf("%.40q comes twice in it, under two prefixes or as an "+
				"attribute and an element", local)}
		}
		if content != nil {
			members[local] = content
		}
	}
	if said, only := members["#text"]; only && len(members) == 1 {
		return said, nil
	}
	if len(members) == 0 {
		return nil, nil
	}
	return members, nil
}

// isOfXML reports whether an attribute says something about the document, and nothing of the record.
func isOfXML(name string) bool {
	return name == "@xmlns" || strings.HasPrefix(name, "@xmlns:") || strings.HasPrefix(name, "@xml:") ||
		strings.HasPrefix(name, "@") && slices.Contains([]string{":nil", ":type", ":schemaLocation",
			":noNamespaceSchemaLocation", ":encodingStyle"}, name[max(strings.LastIndexByte(name, ':'), 0):])
}

// entriesOf returns texts by their names: each an element of that name, or, since not every name can be
// that of an element, <entry><name>…</name><value>…</value></entry>.
func entriesOf(value map[string]any) (any, error) {
	all := map[string]any{}
	add := func(name string, content any) error {
		said, err := fromXML(content, entry)
		if err != nil || said == nil {
			return err
		}
		if _, twice := all[name]; twice {
			return &decode.RecordError{Msg: fmt.Sprintf("the entry %.40q comes twice", name)}
		}
		all[name] = said
		return nil
	}
	for name, content := range value {
		if isOfXML(name) {
			continue
		}
		list, several := content.([]any)
		if !several {
			list = []any{content}
		}
		if !isEntry(localName(name), list) {
			if err := add(strings.TrimPrefix(localName(name), "@"), content); err != nil {
				return nil, err
			}
			continue
		}
		for _, entry := range list {
			key, said, err := entryOf(entry)
			if err == nil {
				err = add(key, said)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, nil
}

func isEntry(name string, list []any) bool {
	if name != "entry" {
		return false
	}
	for _, entry := range list {
		if _, ok := entry.(map[string]any); !ok {
			return false
		}
	}
	return true
}

// entryOf returns the name and the text of an entry; either can be an attribute.
func entryOf(value any) (name string, said any, err error) {
	entry, err := objectOf(value.(map[string]any), nil)
	if err != nil {
		return "", nil, err
	}
	members, _ := entry.(map[string]any)
	name, _ = members["name"].(string)
	if name == "" {
		return "", nil, &decode.RecordError{Msg: "an entry in it has no name"}
	}
	if said = members["value"]; said == nil {
		said = members["#text"]
	}
	return name, said, nil
}

// appendJSON appends a value, with the members of objects in the order of their names, so that the same
// record is stored as the same.
func appendJSON(to []byte, value any) ([]byte, error) {
	var err error
	switch value := value.(type) {
	case nil:
		return append(to, "null"...), nil
	case bool:
		return strconv.AppendBool(to, value), nil
	case string:
		return quoted(to, value)
	case json.Number:
		return append(to, value...), nil
	case json.RawMessage:
		return append(to, value...), nil
	case []any:
		to = append(to, '[')
		for i, v := range value {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = appendJSON(to, v); err != nil {
				return to, err
			}
		}
		return append(to, ']'), nil
	case map[string]any:
		to = append(to, '{')
		for i, name := range slices.Sorted(maps.Keys(value)) {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = quoted(to, name); err != nil {
				return to, err
			}
			if to, err = appendJSON(append(to, ':'), value[name]); err != nil {
				return to, err
			}
		}
		return append(to, '}'), nil
	}
	return to, fmt.Errorf("a value of type %T", value)
}

func quoted(to []byte, text string) ([]byte, error) {
	to, err := jsontext.AppendQuote(to, text)
	if err != nil {
		return to, &decode.RecordError{Msg: "it is not valid UTF-8"}
	}
	return to, nil
}
