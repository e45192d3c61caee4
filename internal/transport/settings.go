package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"gangway/internal/gangway"

	jsonv2 "github.com/go-json-experiment/json"
)

// longestSettings bounds the settings of one feed: queries and bodies are a few
// kilobytes, certificates some more.
const longestSettings = 512 << 10

// members are the members of a JSON object, as they are written.
type members map[string]json.RawMessage

// Check returns Invalid for settings that a feed of kind k cannot have, and names the
// setting: one that is unknown, missing or of another type. A null is as if it were
// left out. Its errors contain no value.
func (k Kind) Check(settings json.RawMessage) error { return k.check(settings, true) }

// CheckChange is Check for settings that are to be made whole by those kept: nothing
// is missing yet.
func (k Kind) CheckChange(settings json.RawMessage) error { return k.check(settings, false) }

func (k Kind) check(settings json.RawMessage, whole bool) error {
	if len(settings) > longestSettings {
		return gangway.Errorf(gangway.Invalid, "the settings of a transport must have at most %d bytes",
			longestSettings)
	}
	m, err := readObject(settings)
	if err != nil {
		return gangway.Errorf(gangway.Invalid, "the settings of a transport must be one JSON object in UTF-8, without "+
			"any name twice")
	}
	return checkMembers("", k.Settings, m, whole)
}

// Read checks settings of kind k and reads them into a struct.
func (k Kind) Read(settings json.RawMessage, into any) error {
	if err := k.Check(settings); err != nil {
		return err
	}
	if err := json.Unmarshal(settings, into); err != nil {
		return gangway.Errorf(gangway.Invalid, "the settings of a transport cannot be read")
	}
	return nil
}

// ReadAuth reads credentials that are whole; none where there are none.
func ReadAuth(auth json.RawMessage) (gangway.Credentials, error) {
	if isNull(auth) {
		return gangway.Credentials{}, nil
	}
	change, err := gangway.ReadCredentials(auth)
	if err != nil {
		return gangway.Credentials{}, err
	}
	return change.Over(gangway.Credentials{})
}

// checkMembers compares an object with the table of its members; path is where it is, with a dot.
func checkMembers(path string, table []Setting, m members, whole bool) error {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		i := slices.IndexFunc(table, func(s Setting) bool { return s.Name == name })
		if i < 0 {
			return gangway.Errorf(gangway.Invalid, "%s%s is none of the settings there are: %s", path,
				gangway.Shortened(name, 40), namesOf(table))
		}
		if isNull(m[name]) {
			continue
		}
		if err := table[i].check(path, m[name], whole); err != nil {
			return err
		}
	}
	for _, s := range table {
		if whole && s.Required && isNull(m[s.Name]) {
			return gangway.Errorf(gangway.Invalid, "%s%s is missing", path, s.Name)
		}
	}
	return nil
}

// check compares one value with its setting.
func (s Setting) check(path string, value json.RawMessage, whole bool) error {
	wrong := gangway.Errorf(gangway.Invalid, "%s%s must be %s", path, s.Name, s.Type.phrase(s.Members))
	switch s.Type {
	case Lines:
		return orWrong(json.Unmarshal(value, new(string)), wrong)
	case Number:
		return orWrong(json.Unmarshal(value, new(uint32)), wrong)
	case YesNo:
		return orWrong(json.Unmarshal(value, new(bool)), wrong)
	case Text, Texts, List:
		var text string
		var list []*string
		if s.Type != List && json.Unmarshal(value, &text) == nil {
			list = []*string{&text}
		} else if s.Type == Text || json.Unmarshal(value, &list) != nil || slices.Contains(list, nil) {
			return wrong
		}
		hasControl := func(text *string) bool { return strings.ContainsFunc(*text, unicode.IsControl) }
		if slices.ContainsFunc(list, hasControl) {
			return gangway.Errorf(gangway.Invalid, "%s%s must be one line, without control characters", path, s.Name)
		}
		return nil
	case Auth:
		if !whole {
			_, err := gangway.ReadCredentials(value)
			return err
		}
		_, err := ReadAuth(value)
		return err
	}
	m, err := readObject(value)
	if err != nil {
		return wrong
	}
	if s.Members != nil {
		return checkMembers(path+s.Name+".", s.Members, m, whole)
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if json.Unmarshal(m[name], new(*string)) != nil || whole && isNull(m[name]) {
			return gangway.Errorf(gangway.Invalid, "%s%s.%s must be a text", path, s.Name, gangway.Shortened(name, 40))
		}
	}
	return nil
}

func orWrong(err, wrong error) error {
	if err != nil {
		return wrong
	}
	return nil
}

// phrase says what a value must be.
func (t Type) phrase(members []Setting) string {
	switch t {
	case Text, Lines:
		return "a text"
	case Number:
		return "a whole number, and not below 0"
	case YesNo:
		return "true or false"
	case List:
		return "a list of texts"
	case Texts:
		return "a text or a list of texts"
	}
	if members == nil {
		return "an object of texts"
	}
	return "an object with " + namesOf(members)
}

func namesOf(table []Setting) string {
	return strings.Join(gangway.Each(table, func(s Setting) string { return s.Name }), ", ")
}

// readObject reads an object strictly: no name twice, nothing but UTF-8.
func readObject(doc json.RawMessage) (members, error) {
	var whole any
	if err := jsonv2.Unmarshal(doc, &whole); err != nil {
		return nil, err
	}
	if _, ok := whole.(map[string]any); !ok {
		return nil, fmt.Errorf("it is no object")
	}
	var m members
	return m, json.Unmarshal(doc, &m)
}

func isNull(value json.RawMessage) bool {
	value = bytes.TrimSpace(value)
	return len(value) == 0 || string(value) == "null"
}
