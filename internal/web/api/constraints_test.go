package api_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/schema"
	"gangway/internal/wire"
)

// Each constraint in the schemas of records is one that the surface keeps: a record that only just keeps it is
// accepted, and one that only just breaks it is refused at that member. (That both are also so by the description, a
// library that is not ours finds: see held.)
func TestConstraints(t *testing.T) {
	s := newSurface(t)
	all := wire.Schemas()
	for endpoint, of := range map[string]struct {
		name string
		base func() record
	}{"/passenger": {"Traveller", traveller}, "/travelers-requests": {"TravelRequest", travelRequest},
		"/travel-requests": {"CrewChange", crewChange}} {
		c := &constraints{t: t, s: s, all: all, endpoint: endpoint, base: of.base()}
		c.object("", "", *all.Of(of.name))
		if c.tried < 40 {
			t.Errorf("%s: only %d constraints were tried", of.name, c.tried)
		}
	}
}

type constraints struct {
	t        *testing.T
	s        *surface
	all      schema.Properties
	endpoint string
	base     record
	tried    int
}

func (c *constraints) keeps(at string, v any) {
	c.t.Helper()
	c.tried++
	c.s.wantAccepted(c.t, c.endpoint, with(c.base, at, v))
}

func (c *constraints) breaks(at, path string, v any) {
	c.t.Helper()
	c.tried++
	c.s.wantRefused(c.t, c.endpoint, with(c.base, at, v), path)
}

// object tries the members of an object that stands at at, which problems call path.
func (c *constraints) object(at, path string, of schema.Schema) {
	for _, p := range of.Properties {
		at, path := strings.TrimPrefix(at+"."+p.Name, "."), strings.TrimPrefix(path+"."+pascal(p.Name), ".")
		switch {
		case slices.Contains(of.Required, p.Name):
			c.tried += 2
			c.s.wantRefused(c.t, c.endpoint, without(c.base, at), path)
			c.s.wantRefused(c.t, c.endpoint, with(c.base, at, nil), path)
		case !p.Deprecated:
			c.tried++
			c.s.wantAccepted(c.t, c.endpoint, without(c.base, at))
			c.keeps(at, nil)
		}
		if p.Deprecated {
			continue // what is said of another name of a member is said of the member
		}
		c.value(at, path, p.NotNull())
	}
}

func pascal(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// value tries the constraints on one value.
func (c *constraints) value(at, path string, of schema.Schema) {
	if of.Ref != "" {
		of = *c.all.Of(of.Name())
	}
	switch orObject := of.Type == "" && len(of.AnyOf) > 0; { // a date, or an object with it
	case orObject:
		of = *c.all.Of(of.AnyOf[0].Name())
	case of.Type != "object":
		c.breaks(at, path, record{})
	default:
		c.breaks(at, path, "x")
	}
	if of.Type != "array" {
		c.breaks(at, path, []any{})
	}
	switch of.Type {
	case "string":
		c.text(at, path, of)
	case "array":
		c.list(at, path, of)
	case "object":
		c.entries(at, path, of)
		c.object(at, path, of)
	}
}

func (c *constraints) text(at, path string, of schema.Schema) {
	c.breaks(at, path, 7)
	if n := len(of.Enum); n > 0 {
		c.keeps(at, of.Enum[0])
		c.keeps(at, of.Enum[n-1])
		c.breaks(at, path, "XX")
	}
	if n := of.MaxLength; n > 0 {
		c.keeps(at, strings.Repeat("x", n))
		c.breaks(at, path, strings.Repeat("x", n+1))
	}
	switch {
	case of.Format == "date" && of.Pattern != "":
		c.keeps(at, "1900-01-01")
		c.breaks(at, path, "1899-12-31")
		fallthrough
	case of.Format == "date":
		c.breaks(at, path, "2025-02-29")
	case strings.Contains(of.Pattern, "A-Z]{3}"):
		c.keeps(at, "QQQ")
		c.breaks(at, path, "QQ")
		c.breaks(at, path, "QQQQ")
	case strings.Contains(of.Pattern, "\x00"):
		c.breaks(at, path, "a\x00b")
		c.breaks(at, path, "a\u202eb")
		if strings.Contains(of.Pattern, "\u00ad") {
			c.breaks(at, path, " \u00ad\u2060")
		}
	}
}

func (c *constraints) list(at, path string, of schema.Schema) {
	if of.MaxItems < 1000 {
		one := c.at(at).([]any)[0]
		c.keeps(at, slices.Repeat([]any{one}, of.MaxItems))
	}
	c.breaks(at, path, slices.Repeat([]any{record{}}, of.MaxItems+1))
	item := *of.Items
	if item.Ref != "" {
		item = *c.all.Of(item.Name())
	}
	c.object(at+".0", path+"[0]", item)
}

func (c *constraints) entries(at, path string, of schema.Schema) {
	if of.MaxProperties > 0 {
		many := func(n int) record {
			r := record{}
			for i := range n {
				r[strconv.Itoa(i)] = ""
			}
			return r
		}
		c.keeps(at, many(of.MaxProperties))
		c.breaks(at, path, many(of.MaxProperties+1))
	}
	if of.PropertyNames != nil {
		n := of.PropertyNames.MaxLength
		c.keeps(at, record{strings.Repeat("x", n): ""})
		c.breaks(at, path, record{strings.Repeat("x", n+1): ""})
	}
	if each := of.AdditionalProperties; each != nil {
		n := c.all.Of(each.NotNull().Name()).MaxLength
		c.keeps(at, record{"x": strings.Repeat("x", n)})
		c.keeps(at, record{"x": nil})
		c.breaks(at, path+".x", record{"x": strings.Repeat("x", n+1)})
		c.breaks(at, path+".x", record{"x": 7})
	}
	for _, one := range of.PatternProperties {
		if one.Name == "^docExpire$" {
			continue // which TestFields tries
		}
		const leg = "MNL-AMS_departure_time"
		c.keeps(at, record{leg: "23:59"})
		c.keeps(at, record{leg: ""})
		c.breaks(at, path+"."+leg, record{leg: "24:00"})
	}
}

// at returns what stands in the record.
func (c *constraints) at(path string) any {
	var v any = c.base
	for name := range strings.SplitSeq(path, ".") {
		switch of := v.(type) {
		case record:
			v = of[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil {
				panic(fmt.Sprintf("%s has no member %s", path, name))
			}
			v = of[i]
		}
	}
	return v
}
