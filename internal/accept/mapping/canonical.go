package mapping

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// deepest is how deep a record may be nested, as deep as documents may be.
const deepest = 64

// An encoder writes values as records of a flow: members by the interface's own
// names, and nothing of what is null, empty or an object of nothing.
type encoder struct {
	flow gangway.Flow
	buf  []byte
	keys [deepest + 2][]member // of the object at each depth
	none [32]member            // the places of an object's members, empty
}

// A member of an object, by the name that it is written under.
type member struct {
	name  string
	from  string // what it is called in the value
	field *field // nil: the interface does not name it
	value any
}

// record writes a record. It is valid until the next.
func (e *encoder) record(value any) (jsontext.Value, error) {
	e.buf = e.buf[:0]
	written, err := e.value(value, shapes[e.flow], 0)
	if err == nil && !written {
		if _, object := value.(map[string]any); object {
			e.buf = append(e.buf, "{}"...)
		} else {
			e.buf = append(e.buf, "null"...)
		}
	}
	return e.buf, err
}

const mostOutput = 32 << 20 // bytes of one record, as accept takes them

var errLong = &decode.RecordError{Msg: "it has more than 32 MB"}

// value writes a value in a field, and reports whether there was anything to write.
func (e *encoder) value(value any, f *field, depth int) (written bool, err error) {
	if depth > deepest {
		return false, &decode.RecordError{Msg: fmt.Sprintf("it is nested more than %d deep", deepest)}
	}
	if len(e.buf) > mostOutput {
		return false, errLong
	}
	switch v := value.(type) {
	case nil:
		return false, nil
	case string:
		if v == "" {
			return false, nil
		}
		return true, e.text(v)
	case bool:
		e.buf = strconv.AppendBool(e.buf, v)
		return true, nil
	case []any:
		return e.list(v, f, depth)
	case map[string]any:
		if text, ok := textOf(v); ok && f != nil && f.text {
			return e.value(text, f, depth)
		}
		if f != nil && f.each != nil {
			if list, ok := wrapped(v); ok {
				return e.list(list, f, depth)
			}
		}
		return e.object(v, f, depth)
	}
	digits, ok := numberText(value)
	switch {
	case !ok:
		return false, nil // NaN and infinity are none that could be written
	case f != nil && f.text:
		return true, e.text(digits)
	}
	e.buf = append(e.buf, digits...)
	return true, nil
}

func (e *encoder) text(s string) (err error) {
	if len(e.buf)+len(s) > mostOutput {
		return errLong
	}
	if isPlain(s) {
		e.buf = append(e.buf, '"')
		e.buf = append(e.buf, s...)
		e.buf = append(e.buf, '"')
		return nil
	}
	if e.buf, err = jsontext.AppendQuote(e.buf, s); err != nil {
		return &decode.RecordError{Msg: "it has letters that are not UTF-8"}
	}
	return nil
}

// isPlain reports whether a text is written in JSON as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7F {
			return false
		}
	}
	return true
}

// numberText writes a number as JSON does.
func numberText(value any) (string, bool) {
	switch v := value.(type) {
	case json.Number:
		return string(v), true
	case int:
		return strconv.Itoa(v), true
	case *big.Int:
		return v.String(), true
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "", false
		}
		b, err := json.Marshal(v)
		return string(b), err == nil
	}
	return "", false
}

func (e *encoder) list(list []any, f *field, depth int) (bool, error) {
	var of *field
	if f != nil {
		of = f.each
	}
	e.buf = append(e.buf, '[')
	some := false
	for _, v := range list {
		mark := len(e.buf)
		if some {
			e.buf = append(e.buf, ',')
		}
		written, err := e.value(v, of, depth+1)
		if err != nil {
			return false, err
		}
		if !written {
			e.buf = e.buf[:mark]
			continue
		}
		some = true
	}
	e.buf = append(e.buf, ']')
	return true, nil
}

// object writes an object. Members that are written under the same name are one:
// that which is spelled as the interface does, or else the first by its spelling.
func (e *encoder) object(members map[string]any, f *field, depth int) (bool, error) {
	keys := e.inOrder(members, f, depth)
	begin := len(e.buf)
	e.buf = append(e.buf, '{')
	some := false
	last := ""
	for i := range keys {
		m := &e.keys[depth][i]
		if m.name == "" && m.value == nil || some && m.name == last {
			continue
		}
		mark := len(e.buf)
		if some {
			e.buf = append(e.buf, ',')
		}
		if err := e.text(m.name); err != nil {
			return false, err
		}
		e.buf = append(e.buf, ':')
		written, err := e.value(m.value, m.field, depth+1)
		if err != nil {
			return false, err
		}
		if !written {
			e.buf = e.buf[:mark]
			continue
		}
		some, last = true, m.name
	}
	clear(keys)
	if !some {
		e.buf = e.buf[:begin]
		return false, nil
	}
	e.buf = append(e.buf, '}')
	return true, nil
}

// inOrder puts the members of an object in the order in which they are written:
// those that the interface names, which have their places, and behind them the others.
func (e *encoder) inOrder(members map[string]any, f *field, depth int) []member {
	known := 0
	if f != nil {
		known = f.named
	}
	keys := append(e.keys[depth][:0], e.none[:known]...)
	for name, value := range members {
		m := member{name: name, from: name, value: value}
		if f != nil {
			m.name, m.field = f.member(name)
		}
		switch {
		case value == nil || value == "":
		case m.field == nil || m.field.place == 0 || f.any != nil:
			keys = append(keys, m)
		case keys[m.field.place-1].value == nil || compareMembers(m, keys[m.field.place-1]) < 0:
			keys[m.field.place-1] = m
		}
	}
	if f != nil && f.lift != nil {
		keys, known = f.lift(slices.DeleteFunc(keys, func(m member) bool { return m.value == nil })), 0
	}
	if len(keys) > known+1 {
		slices.SortFunc(keys[known:], compareMembers)
	}
	e.keys[depth] = keys
	return keys
}

// compareMembers orders members by their names; of those with one name, that which
// has it already goes first.
func compareMembers(a, b member) int {
	if a.name != b.name {
		return strings.Compare(a.name, b.name)
	}
	if (a.from == a.name) != (b.from == b.name) {
		if a.from == a.name {
			return -1
		}
		return 1
	}
	return strings.Compare(a.from, b.from)
}

// wrapped returns the elements of a list as XML has it: an object whose only
// member is the list, or the only element of it.
func wrapped(object map[string]any) ([]any, bool) {
	var inside any
	elements := 0
	for name, value := range object {
		if !strings.HasPrefix(name, "@") {
			inside = value
			elements++
		}
	}
	switch inside := inside.(type) {
	case []any:
		return inside, elements == 1
	case map[string]any:
		return []any{inside}, elements == 1
	}
	return nil, false
}

// textOf returns the text of an element of XML that has attributes; of one that
// says it is nil, none.
//
// Source: XML Schema Part 1, 2.6.2 (xsi:nil).
func textOf(value any) (text string, ok bool) {
	element, _ := value.(map[string]any)
	if element == nil {
		return "", false
	}
	for name, value := range element {
		if !strings.HasPrefix(name, "@") && name != "#text" {
			return "", false
		}
		if strings.HasSuffix(name, ":nil") && (value == "true" || value == "1") {
			return "", true
		}
	}
	text, ok = element["#text"].(string)
	return text, ok
}
