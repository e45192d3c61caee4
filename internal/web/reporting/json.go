package reporting

import (
	"cmp"
	"strconv"
	"strings"

	"gangway/internal/report/odata"

	"github.com/go-json-experiment/json/jsontext"
)

// begin opens the object of an answer with its context, which comes first (J 4.5, 4.6.1).
func (c *call) begin() {
	c.page.Write([]byte("{"))
	if c.format.level != none {
		c.member("@odata.context", quoted(c.context()))
	}
}

// member writes a member of the answer's object, whose value is JSON.
func (c *call) member(name string, value []byte) {
	c.name(name)
	c.page.Write(value)
}

// name begins a member of the answer's object.
func (c *call) name(name string) {
	if b := c.page.Bytes(); len(b) > 0 && b[len(b)-1] != '{' {
		c.page.Write([]byte(","))
	}
	c.page.Write([]byte(`"` + name + `":`))
}

// members writes some members of the answer's object.
func (c *call) members(all []byte) {
	if b := c.page.Bytes(); len(all) > 0 && len(b) > 0 && b[len(b)-1] != '{' {
		c.page.Write([]byte(","))
	}
	c.page.Write(all)
}

// number writes a 64-bit integer in the form that was asked for.
func (c *call) number(n int64) []byte {
	text := strconv.AppendInt(nil, n, 10)
	if c.format.quoted {
		return quoted(string(text))
	}
	return text
}

func quoted(s string) []byte {
	text, _ := jsontext.AppendQuote(nil, s) // fails only for what is no UTF-8, which it replaces
	return text
}

// context returns the context URL of the answer (P 10).
func (c *call) context() string {
	at := c.root + "$metadata"
	switch c.Path.Kind {
	case odata.ServiceDocument:
		return at
	case odata.PropertyResource:
		return at + "#" + c.Path.Target().Name + keyText(c.Path.Target(), c.key) + "/" + c.Path.Property.Name
	}
	switch {
	case c.Path.Refs && c.Path.Kind == odata.Collection:
		return at + "#Collection($ref)"
	case c.Path.Refs:
		return at + "#$ref"
	}
	at += "#" + c.Path.Target().Name + projection(c.Query)
	switch {
	case c.Path.Kind == odata.Entity:
		at += "/$entity"
	case c.changed:
		at += "/$delta"
	}
	return at
}

// projection returns which properties the rows have, and in parentheses behind what they lead to which of
// those, unless they are those of the set (P 10.8, 10.10).
func projection(q *odata.Query) string {
	names := []string{}
	switch {
	case q.Select != nil:
		for _, p := range q.Select {
			names = append(names, p.Name)
		}
		for _, n := range q.Links {
			names = append(names, n.Name)
		}
	case whole(q):
	case extended(q):
		names = append(names, "*")
		for _, p := range q.Row.Properties[len(q.Set.Properties):] {
			names = append(names, p.Name)
		}
	default:
		for _, p := range q.Row.Properties {
			names = append(names, p.Name)
		}
	}
	for _, e := range q.Expand {
		if e.Form == odata.ExpandRows {
			names = append(names, e.Navigation.Name+cmp.Or(projection(e.Query), "()"))
		}
	}
	if q.Select == nil && len(names) == 0 {
		return ""
	}
	return "(" + strings.Join(names, ",") + ")"
}

// extended reports whether rows have all properties of their set, and perhaps others behind them.
func extended(q *odata.Query) bool {
	if len(q.Row.Properties) < len(q.Set.Properties) {
		return false
	}
	for i, p := range q.Set.Properties {
		if q.Row.Properties[i] != p {
			return false
		}
	}
	return true
}

// whole reports whether rows have the properties of their set, and no others.
func whole(q *odata.Query) bool {
	return extended(q) && len(q.Row.Properties) == len(q.Set.Properties)
}
