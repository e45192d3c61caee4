package mapping

import (
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// write writes the program.
func (p *proposing) write() string {
	if p.flow == gangway.CrewChangesFlow {
		return p.writeCrew()
	}
	columns, picks := p.pick(columnsOf(p.records, nil))
	lines := p.lines(p.columnsAs(columns, false), gangway.MembersOf(p.flow), "", "")
	return p.head + " | " + picks + "{\n" + strings.Join(lines, ",\n") + "\n}"
}

// lines writes the members of an object. prefix is where they are in our record.
func (p *proposing) lines(got assigned, members gangway.Members, prefix, of string) (lines []string) {
	for _, m := range members {
		c, full := got[prefix+m.Name], prefix+m.Name
		if text := p.keptOf(full, c); text != "" {
			lines = append(lines, "  "+m.Name+": "+text)
			continue
		}
		switch {
		case m.Form == gangway.Entries:
			if inside := p.entryLines(got, full+".", of); len(inside) > 0 {
				lines = append(lines, "  "+m.Name+": {\n"+indent(strings.Join(inside, ",\n"))+"\n  }")
			}
		case m.Form == gangway.Object:
			if inside := p.lines(got, m.Members, prefix+m.Name+".", of); len(inside) > 0 {
				lines = append(lines, "  "+m.Name+": {\n"+indent(strings.Join(inside, ",\n"))+"\n  }")
			}
		case m.Form == gangway.List:
		case c != nil:
			lines = append(lines, "  "+m.Name+": "+p.expr(c, prefix+m.Name, of, got))
		case m.Needed != gangway.Optional && prefix == "":
			p.nameless = p.nameless || m.Form == gangway.PersonName
			p.doubt(m.Name, "", "nothing in the sample looks like it")
		}
	}
	return lines
}

// entryLines writes the members of an object that has any names.
func (p *proposing) entryLines(got assigned, prefix, of string) (lines []string) {
	names := slices.Concat(sortedNames(got), sortedNames(p.kept))
	slices.Sort(names)
	for _, target := range slices.Compact(names) {
		name, is := strings.CutPrefix(target, prefix)
		text := p.keptOf(target, got[target])
		switch {
		case is && text != "":
			lines = append(lines, "  "+quote(name)+": "+text)
		case is && got[target] != nil:
			lines = append(lines, "  "+quote(name)+": "+p.expr(got[target], target, of, got))
		}
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
		if c.share(isDay) < 1 && len(c.values) > 0 {
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
