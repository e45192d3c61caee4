package wire

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A setting is a member of what an integrator sets up, a feed or an outlet.
type setting struct {
	name string
	what string                     // it must be, for errors
	to   any                        // where it goes, if it is not to be read in a way of its own
	read func(jsontext.Value) error // that way
}

// readSettings reads an object of settings; given are those that are there. A member that is null is as if it were left
// out, and "state", which an object is shown with, is passed over. what the object is, and such as what, is for errors.
func readSettings(doc []byte, what, such string, list []setting) (given map[string]bool, err error) {
	members, err := strictMembers(doc, what, such)
	if err != nil {
		return nil, err
	}
	given = map[string]bool{}
	for _, m := range members {
		i := slices.IndexFunc(list, func(s setting) bool { return s.name == m.name })
		switch {
		case m.value.Kind() == 'n' || m.name == "state":
			continue
		case i < 0:
			return given, noMember(m.name, what, list)
		case list[i].read != nil:
			err = list[i].read(m.value)
		default:
			err = readAs(m.name, list[i].what, m.value, list[i].to)
		}
		if given[m.name] = true; err != nil {
			return given, err
		}
	}
	return given, nil
}

func noMember(name, what string, list []setting) error {
	names := gangway.Each(list, func(s setting) string { return s.name })
	last := len(names) - 1
	return gangway.Errorf(gangway.Invalid, "%.40q is no member of %s; there are %s and %s", name, what,
		strings.Join(names[:last], ", "), names[last])
}

// A jsonMember is a member of an object, in the order of the document.
type jsonMember struct {
	name  string
	value jsontext.Value
}

// strictMembers reads the members of an object strictly: no name twice at any depth, nothing but UTF-8. what it is,
// and such as what, is for its errors.
func strictMembers(doc []byte, what, such string) (list []jsonMember, err error) {
	var whole jsontext.Value
	err = json.Unmarshal(doc, &whole)
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		return nil, gangway.Errorf(gangway.Invalid, "%s comes twice", memberPath(syntax.JSONPointer))
	case err != nil && errors.As(err, &syntax):
		return nil, gangway.Errorf(gangway.Invalid, "%s must be a JSON object in UTF-8; this is none, at byte %d",
			what, syntax.ByteOffset)
	case err != nil || whole.Kind() != '{':
		return nil, gangway.Errorf(gangway.Invalid, "%s must be a JSON object such as %s", what, such)
	}
	return objectMembers(whole), nil
}

// objectMembers returns the members of an object that is known to be well formed.
func objectMembers(object jsontext.Value) (list []jsonMember) {
	if object.Kind() != '{' {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(object))
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() == '"' {
		var m jsonMember
		if err = json.UnmarshalDecode(d, &m.name); err == nil {
			err = json.UnmarshalDecode(d, &m.value)
		}
		list = append(list, m)
	}
	return list
}

// memberPath writes a JSON pointer as people write members: transport.auth.user.
func memberPath(p jsontext.Pointer) string {
	return strings.Join(slices.Collect(p.Tokens()), ".")
}

func readAs(name, what string, value jsontext.Value, to any) error {
	if json.Unmarshal(value, to) != nil {
		return gangway.Errorf(gangway.Invalid, "%s must be %s", name, what)
	}
	return nil
}

// readDuration reads a length of time as Go writes it: "1h", "90m".
func readDuration(name string, to *time.Duration) func(jsontext.Value) error {
	return func(value jsontext.Value) error {
		var text string
		err := json.Unmarshal(value, &text)
		if err == nil {
			*to, err = time.ParseDuration(text)
		}
		if err != nil || *to <= 0 {
			return gangway.Errorf(gangway.Invalid, `%s must be a length of time such as "1h" or "90m"`, name)
		}
		return nil
	}
}

// readTransport reads a transport: its settings are an object of their own.
func readTransport(t *gangway.Transport) func(jsontext.Value) error {
	return func(value jsontext.Value) error {
		if value.Kind() != '{' {
			return gangway.Errorf(gangway.Invalid, `transport must be an object such as {"kind": "endpoint", "url": …}`)
		}
		settings := newObject()
		for _, m := range objectMembers(value) {
			if m.name != "kind" {
				settings.member(m.name, m.value)
			} else if err := readAs("transport.kind", "text", m.value, &t.Kind); err != nil {
				return err
			}
		}
		if t.Kind == "" {
			return gangway.Errorf(gangway.Invalid, "transport.kind is missing")
		}
		t.Settings = []byte(settings.end())
		return nil
	}
}
