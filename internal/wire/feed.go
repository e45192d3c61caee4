package wire

import (
	"errors"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ReadFeed reads a feed as its integrator writes it. The settings of its
// transport are all in Transport.Settings, secrets among them, as they were
// given: package transport reads and divides them. A member that is null is as
// if it were left out, and "state", which a feed is shown with, is passed over.
// Its errors are Invalid, name the member and contain no value of the transport.
//
// Decided: docs/choices.md, "Feeds".
func ReadFeed(doc []byte) (gangway.Feed, error) {
	var f gangway.Feed
	members, err := strictMembers(doc, "a feed", `{"name": …, "flow": …, "transport": {"kind": …}}`)
	if err != nil {
		return f, err
	}
	f.Format = gangway.DocumentFormat{Kind: gangway.AutoFormat}
	given := map[string]bool{}
	for _, m := range members {
		if m.value.Kind() == 'n' {
			continue
		}
		given[m.name] = true
		if err := readFeedMember(&f, m.name, m.value); err != nil {
			return f, err
		}
	}
	for _, name := range []string{"name", "flow", "transport"} {
		if !given[name] {
			return f, gangway.Errorf(gangway.Invalid, "%s is missing", name)
		}
	}
	return f, nil
}

// A feedMember is a member of an object, in the order of the document.
type feedMember struct {
	name  string
	value jsontext.Value
}

// strictMembers reads the members of an object strictly: no name twice at any depth, nothing but UTF-8. what it is,
// and such as what, is for its errors.
func strictMembers(doc []byte, what, such string) (list []feedMember, err error) {
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
func objectMembers(object jsontext.Value) (list []feedMember) {
	var members map[string]jsontext.Value
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	for _, name := range objectNames(object) {
		list = append(list, feedMember{name, members[name]})
	}
	return list
}

// objectNames returns the names of an object's members, in order.
func objectNames(object jsontext.Value) (names []string) {
	d := jsontext.NewDecoder(strings.NewReader(string(object)))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return names
		}
		names = append(names, name.String())
		if d.SkipValue() != nil {
			return names
		}
	}
	return names
}

// memberPath writes a JSON pointer as people write members: transport.auth.user.
func memberPath(p jsontext.Pointer) string {
	return strings.Join(slices.Collect(p.Tokens()), ".")
}

func readFeedMember(f *gangway.Feed, name string, value jsontext.Value) (err error) {
	switch name {
	case "name":
		return readAs(name, "text", '"', value, &f.Name)
	case "flow":
		return readAs(name, "text", '"', value, (*string)(&f.Flow))
	case "mapping":
		return readAs(name, "text: a jq program", '"', value, &f.Mapping)
	case "every":
		f.Every, err = readDuration(name, value)
		return err
	case "transport":
		f.Transport, err = readTransport(value)
		return err
	case "format":
		f.Format, err = ReadDocumentFormat(value)
		return err
	case "complete":
		f.Complete = new(bool)
		return readYesNo(name, value, f.Complete)
	case "removal_limit":
		return readAs(name, "a whole number of percent", '0', value, &f.RemovalLimit)
	case "off":
		return readYesNo(name, value, &f.Off)
	case "state":
		return nil
	}
	return gangway.Errorf(gangway.Invalid, "%.40q is no member of a feed; there are name, flow, every, transport, "+
		"format, mapping, complete, removal_limit and off", name)
}

func readAs(name, what string, kind jsontext.Kind, value jsontext.Value, to any) error {
	if value.Kind() != kind || json.Unmarshal(value, to) != nil {
		return gangway.Errorf(gangway.Invalid, "%s must be %s", name, what)
	}
	return nil
}

func readYesNo(name string, value jsontext.Value, to *bool) error {
	return readAs(name, "true or false", map[bool]jsontext.Kind{true: 't', false: 'f'}[value.Kind() == 't'], value, to)
}

// readDuration reads a length of time as Go writes it: "1h", "90m".
func readDuration(name string, value jsontext.Value) (time.Duration, error) {
	var text string
	err := readAs(name, "", '"', value, &text)
	d := time.Duration(0)
	if err == nil {
		d, err = time.ParseDuration(text)
	}
	if err != nil || d <= 0 {
		return 0, gangway.Errorf(gangway.Invalid, `%s must be a length of time such as "1h" or "90m"`, name)
	}
	return d, nil
}

func readTransport(value jsontext.Value) (t gangway.Transport, err error) {
	if value.Kind() != '{' {
		return t, gangway.Errorf(gangway.Invalid, `transport must be an object such as {"kind": "endpoint", "url": …}`)
	}
	settings := newObject()
	for _, m := range objectMembers(value) {
		if m.name != "kind" {
			settings.member(m.name, m.value)
			continue
		}
		if err := readAs("transport.kind", "text", '"', m.value, &t.Kind); err != nil {
			return t, err
		}
	}
	if t.Kind == "" {
		return t, gangway.Errorf(gangway.Invalid, "transport.kind is missing")
	}
	t.Settings = []byte(settings.end())
	return t, nil
}

// Feed writes a feed as ReadFeed reads it, with those settings of its transport
// that may be shown. Settings that are kept but not shown are null there, so that
// whoever sets a feed as it was shown keeps them. state, where there is one, is
// what the feed's reader passes over.
func Feed(f gangway.Feed, state any) jsontext.Value {
	w := newObject()
	w.text("name", f.Name)
	w.text("flow", string(f.Flow))
	if f.Every > 0 {
		w.text("every", Interval(f.Every))
	}
	w.member("transport", writeTransport(f.Transport))
	w.member("format", DocumentFormat(f.Format))
	w.text("mapping", f.Mapping)
	if f.Complete != nil {
		w.value("complete", *f.Complete)
	}
	if f.RemovalLimit > 0 {
		w.value("removal_limit", f.RemovalLimit)
	}
	if f.Off {
		w.value("off", true)
	}
	if state != nil {
		w.value("state", state)
	}
	return w.end()
}

// writeTransport writes what may be shown of a transport.
func writeTransport(t gangway.Transport) jsontext.Value {
	w := newObject()
	w.text("kind", t.Kind)
	for _, m := range objectMembers(jsontext.Value(t.Settings)) {
		w.member(m.name, m.value)
	}
	return w.end()
}

// Interval writes a length of time as ReadFeed reads it, without the parts that are zero: "1h", "1h30m".
func Interval(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
