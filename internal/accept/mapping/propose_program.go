package mapping

import (
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// fieldOrder is the order in which a proposal has the fields of a traveller.
var fieldOrder = []string{"id", "last_name", "first_name", "dob", "gender", "nationality", "doc_country", "doc_number",
	"doc_expire", "home_airport", "email", "phone"}

// optional are fields whose absence needs nobody's attention.
var optional = set("id email phone flag travel_request_id arrive depart")

// write writes the program.
func (p *proposing) write() string {
	if p.flow == gangway.CrewChangesFlow {
		return p.writeCrew()
	}
	columns, picks := p.pick(columnsOf(p.records, nil))
	got := p.assign(columns)
	var lines []string
	if p.flow == gangway.TravelRequestsFlow {
		lines = p.requestLines(got)
	} else {
		lines = p.lines(got, fieldOrder, "", "")
	}
	return p.head + " | " + picks + "{\n" + strings.Join(lines, ",\n") + "\n}"
}

// lines writes the members of an object. prefix is where the fields are in our record.
func (p *proposing) lines(got assigned, fields []string, prefix, of string) []string {
	var lines []string
	for _, field := range fields {
		c := got[prefix+field]
		if c == nil {
			if !optional[field] && prefix == "" {
				p.nameless = p.nameless || field == "last_name" || field == "first_name"
				p.doubt(field, "", "nothing in the sample looks like it")
			}
			continue
		}
		lines = append(lines, "  "+field+": "+p.expr(c, prefix+field, of, got))
	}
	return lines
}

// expr writes what a field is made of.
func (p *proposing) expr(c *column, target, of string, got assigned) string {
	from := pathExpr(c.path)
	if of != "" {
		if strings.HasPrefix(from, ".[") {
			from = from[1:]
		}
		from = of + from
	}
	if len(c.path) > 1 && !p.always(c.path[:len(c.path)-1]) {
		from = "(" + from + "? // null)"
	}
	if i := slices.IndexFunc(c.path, func(step string) bool { return strings.HasPrefix(step, "[") }); i > 0 {
		p.doubt(target, strings.Join(c.path, "."), "it is that of the first of a list: choose by its kind where there "+
			"are several, such as a passport and a seaman's book")
	}
	helper := ""
	switch kindOf(target) {
	case dateValue:
		if c.share(func(s string) bool { return gangway.Date(s).Valid() }) < 1 && len(c.values) > 0 {
			order := p.orderOf(c)
			helper = fmt.Sprintf("date(%q)", order)
			if p.ambiguous(c) && p.orders[separatorOf(c)] == "" {
				p.doubt(target, strings.Join(c.path, "."), "the dates may be in another order: "+order+" is assumed")
			}
		}
	case countryValue:
		if c.share(func(s string) bool { return len(s) == 2 && gangway.Country(strings.ToUpper(s)).Assigned() }) < 1 {
			helper = "country"
		}
	case genderValue:
		if words := hombre(c); words != "" {
			return "(" + words + "[" + from + "])"
		}
		if c.share(func(s string) bool { return s == "M" || s == "F" || s == "m" || s == "f" }) < 1 {
			helper = "gender"
		}
	case airportValue:
		if c.share(func(s string) bool { return len(s) == 3 && isAirport(s) }) < 1 {
			helper = "airport"
		}
	}
	last, first := p.target("last_name"), p.target("first_name")
	switch {
	case got[last] == got[first] && target == last:
		helper = "family_name"
	case got[last] == got[first] && target == first:
		helper = "given_names"
	case strings.HasSuffix(target, "phone") && c.share(func(s string) bool { return phoneOf(s) == s }) < 1:
		helper = "phone"
	}
	if helper != "" {
		return from + " | " + helper
	}
	return from
}

// requestLines writes the members of a travel request.
func (p *proposing) requestLines(got assigned) []string {
	part := func(name, prefix string, fields []string) string {
		lines := p.lines(got, fields, prefix, "")
		if len(lines) == 0 {
			return ""
		}
		return "  " + name + ": {\n  " + strings.Join(lines, ",\n  ") + "\n  }"
	}
	var traveler []string
	for _, f := range fieldOrder {
		traveler = append(traveler, strings.TrimPrefix(inTraveler(f), "traveler."))
	}
	details := p.lines(got, []string{"rank", "remarks"}, "details.", "")
	if vehicle := p.lines(got, []string{"name", "flag", "vehicleType"}, "details.vehicle.", ""); len(vehicle) > 0 {
		details = append(details, "  vehicle: {"+strings.TrimSpace(strings.Join(vehicle, ","))+"}")
	}
	lines := slices.DeleteFunc([]string{
		part("externalInfo", "externalInfo.", []string{"requestId", "subRequestId"}),
		part("traveler", "traveler.", traveler),
		part("flight", "flight.", []string{"origin", "destination", "date"}),
		part("hotel", "hotel.", []string{"location", "checkIn", "checkOut"}),
	}, func(line string) bool { return line == "" })
	if len(details) > 0 {
		lines = append(lines, "  details: {\n  "+strings.Join(details, ",\n  ")+"\n  }")
	}
	return lines
}

// always reports whether there is an object, or nothing, at a path in each record:
// an empty element of XML is a text, which has no members.
func (p *proposing) always(path []string) bool {
	for _, r := range p.records {
		value := r
		for _, name := range path {
			if list, ok := value.([]any); ok && name == "[0]" && len(list) > 0 {
				value = list[0]
				continue
			}
			object, ok := value.(map[string]any)
			if !ok && value != nil {
				return false
			}
			value = object[name]
		}
		if _, ok := value.(map[string]any); !ok && value != nil {
			return false
		}
	}
	return true
}
