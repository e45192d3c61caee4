package endpoint

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// place matches the places in addresses, bodies and headers that are filled with what
// is asked for, and the same in double braces, which stands for itself in single ones.
// Nothing else in braces is touched: JSON and XML are full of them.
var place = regexp.MustCompile(`\{\{(surname|from|to|date)\}\}|\{(surname|from|to|date)\}`)

// hasPlace reports whether there is anything to fill in a text.
func hasPlace(text string) bool {
	return slices.ContainsFunc(place.FindAllString(text, -1), func(m string) bool {
		return !strings.HasPrefix(m, "{{")
	})
}

// fill puts what is asked for into the places of a text, escaped for where they stand.
func fill(text string, ask gangway.Ask, escape func(string) string) string {
	return place.ReplaceAllStringFunc(text, func(m string) string {
		if strings.HasPrefix(m, "{{") {
			return m[1 : len(m)-1]
		}
		return escape(asked(ask, m[1:len(m)-1]))
	})
}

func asked(ask gangway.Ask, name string) string {
	switch name {
	case "surname":
		return ask.Surname
	case "from":
		return string(ask.From)
	case "to":
		return string(ask.To)
	}
	return string(ask.Date)
}

// fillAddress puts what is asked for into an address: the path and the query have
// rules of their own.
func fillAddress(address string, ask gangway.Ask) string {
	path, query, there := strings.Cut(address, "?")
	path = fill(path, ask, inPath)
	if !there {
		return path
	}
	return path + "?" + fill(query, ask, inQuery)
}

// inPath escapes a segment of a path. One of dots alone would lead elsewhere.
func inPath(value string) string {
	if strings.Trim(value, ".") == "" {
		return ""
	}
	return url.PathEscape(value)
}

// inQuery escapes a value so that servers that take "+" for itself understand it, too.
func inQuery(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }

func inForm(value string) string { return url.QueryEscape(value) }

func inJSON(value string) string {
	quoted, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(quoted[1 : len(quoted)-1])
}

// inXML escapes text and attributes, and leaves out what XML cannot have.
func inXML(value string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").
		Replace(inHeader(value))
}

// inHeader leaves out control characters, which could begin another header.
func inHeader(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, value)
}

// inBody returns how values are escaped in a body of this type.
func inBody(contentType string) func(string) string {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch kind = strings.TrimSpace(kind); {
	case kind == "application/json", strings.HasSuffix(kind, "+json"):
		return inJSON
	case strings.HasSuffix(kind, "/xml"), strings.HasSuffix(kind, "+xml"):
		return inXML
	case kind == "application/x-www-form-urlencoded":
		return inForm
	}
	return inHeader
}

// typeOf returns the type of a body whose settings do not say it.
func typeOf(body string) string {
	switch body = strings.TrimSpace(body); {
	case strings.HasPrefix(body, "{"), strings.HasPrefix(body, "["):
		return "application/json"
	case strings.HasPrefix(body, "<"):
		return "text/xml; charset=utf-8"
	}
	return "application/x-www-form-urlencoded"
}

// withParameters adds the documented query parameters for what is asked to an address.
func withParameters(address string, ask gangway.Ask) string {
	var added []string
	for _, p := range []string{"surname", "from", "to", "date"} {
		if value := asked(ask, p); value != "" {
			added = append(added, p+"="+inQuery(value))
		}
	}
	if len(added) == 0 {
		return address
	}
	join := "?"
	if strings.Contains(address, "?") {
		join = "&"
	}
	if strings.HasSuffix(address, "?") || strings.HasSuffix(address, "&") {
		join = ""
	}
	return address + join + strings.Join(added, "&")
}
