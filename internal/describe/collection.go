package describe

import (
	"strings"

	"gangway/internal/schema"
)

// Collection returns the surface's calls as a collection of Postman, version 2.1, which other API clients read as well.
// Its variables are base_url, and api_key, which whoever uses it fills in. Its requests can be sent in their order.
func (s *Surface) Collection() []byte {
	var folders []any
	for _, g := range s.groups {
		var requests []any
		for _, c := range g.calls {
			if !c.Ours && c.server() == "" && sendable(c) {
				requests = append(requests, s.request(c))
			}
		}
		if requests != nil {
			folders = append(folders, of("name", g.Name, "description", g.About, "item", requests))
		}
	}
	key := func(name, value string) object { return of("key", name, "value", value, "type", "string") }
	return schema.Write(of(
		"info", of("name", "Gangway", "description", "Crew travel. Everything about it: "+s.Base+"/reference",
			"schema", "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"),
		"auth", of("type", "apikey", "apikey", []any{key("key", "X-Api-Key"), key("value", "{{api_key}}"),
			key("in", "header")}),
		"variable", []any{key("base_url", s.Base), key("api_key", "")},
		"item", folders,
	))
}

// sendable reports whether there is a sample of a call's body, if it has one.
func sendable(c *call) bool {
	return c.RequestBody.Content == nil || len(c.RequestBody.Content[0].Is.Examples) > 0
}

func (s *Surface) request(c *call) object {
	var query, header []any
	raw := "{{base_url}}" + c.Path
	for _, p := range c.in("query") {
		one := of("key", p.Name, "value", p.Example, "description", p.About)
		if p.Example == "" {
			one = one.With("disabled", true)
		} else {
			raw += map[bool]string{true: "?", false: "&"}[!strings.Contains(raw, "?")] + p.Name + "=" + p.Example
		}
		query = append(query, one)
	}
	request := of("method", c.Method, "description", c.About)
	if c.Open() {
		request = request.With("auth", of("type", "noauth"))
	}
	if c.RequestBody.Content != nil {
		m := c.RequestBody.Content[0]
		header = append(header, of("key", "Content-Type", "value", m.Name))
		language := "xml"
		if m.Is.Schema != nil {
			language = "json"
		}
		request = request.With("body", of("mode", "raw", "raw", m.Is.Examples[0].Is.text(), "options",
			of("raw", of("language", language))))
	}
	address := of("raw", raw, "host", []string{"{{base_url}}"}, "path", strings.Split(strings.Trim(c.Path, "/"), "/"))
	if query != nil {
		address = address.With("query", query)
	}
	if header != nil {
		request = request.With("header", header)
	}
	return of("name", c.Title, "request", request.With("url", address))
}
