package mapping

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gangway"
)

// fieldOrder is the order in which a proposal has the fields of a traveller.
var fieldOrder = []string{"id", "last_name", "first_name", "dob", "gender", "nationality", "doc_country", "doc_number",
	"doc_expire", "home_airport", "email", "phone"}

// fewer fields need nobody's attention when they are missing.
var optional = set("id email phone flag travel_request_id arrive depart")

// assigned are the columns of a list of records, by the fields that they are.
type assigned map[string]*column

// assign finds out which column is which field. in is where the columns are: of a
// crew change, its members.
func (p *proposing) assign(columns []*column) assigned {
	p.findOrders(columns)
	hasFirst := false
	for _, c := range columns {
		t := p.words.targets[bare(plainName(c.name()))]
		hasFirst = hasFirst || t == p.target("first_name") && len(c.values) > 0 && p.fits(c, t)
	}
	got, rank, used := assigned{}, map[string]int{}, map[*column]bool{}
	for _, c := range columns {
		if len(c.values) == 0 && len(c.lists) > 0 {
			continue
		}
		path := append(c.path[:1:1], slices.DeleteFunc(slices.Clone(c.path[1:]), func(s string) bool { return s == "[0]" })...)
		in := strings.Join(path[:len(path)-1], ".")
		place := p.placeOf(path[len(path)-1], in, "", hasFirst)
		target, n := strings.Join(place.path, "."), p.rankOf(path[len(path)-1])
		if target == "" {
			target, n = p.byWords(path[len(path)-1], in, hasFirst), 100
		}
		if target == "" || place.list != "" || !p.fits(c, target) {
			continue
		}
		if len(c.values) == 0 {
			n += 1000
		}
		if before, taken := rank[target]; taken && before <= n {
			continue
		}
		if was := got[target]; was != nil {
			delete(used, was)
		}
		got[target], rank[target] = c, n
		used[c] = true
	}
	for _, c := range columns {
		if used[c] || len(c.values) == 0 {
			continue
		}
		p.assignByLook(got, c)
	}
	p.assignWhole(got)
	return got
}

// byWords returns the field that some words of a column's name mean: LastNameEng
// has "last name" in it.
func (p *proposing) byWords(name, in string, hasFirst bool) string {
	words := nameWords(name)
	for n := len(words) - 1; n > 0; n-- {
		for i := 0; i+n <= len(words); i++ {
			part := strings.Join(words[i:i+n], " ")
			if len(part) < 3 {
				continue
			}
			if place := p.placeOf(part, in, "", hasFirst); place.path != nil && place.list == "" {
				return strings.Join(place.path, ".")
			}
		}
	}
	return ""
}

// nameWords cuts a name where a word of it ends: at signs, and before capitals.
func nameWords(name string) []string {
	var b strings.Builder
	small := false
	for _, r := range plainName(name) {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case small && unicode.IsUpper(r):
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return strings.Fields(b.String())
}

// hombre writes the words for men and women where H is a man: "hombre" or "homme".
// M is a woman then, "mujer". Empty: they are the usual ones.
func hombre(c *column) string {
	if c.share(func(s string) bool { return s == "H" || s == "M" || s == "F" }) < 1 ||
		c.share(func(s string) bool { return s == "H" }) == 0 {
		return ""
	}
	if c.share(func(s string) bool { return s == "F" }) > 0 {
		return `{"H": "M", "F": "F"}`
	}
	return `{"H": "M", "M": "F"}`
}

// assignByLook gives a column whose name says nothing the field that its values look like.
func (p *proposing) assignByLook(got assigned, c *column) {
	look := p.byLook(c)
	if look == "" && p.flow == gangway.CrewChangesFlow && c.share(isSide) >= 0.9 && c.distinct() <= 4 {
		look = "side"
	}
	if look == "nationality" && got[p.target("nationality")] != nil {
		look = "doc_country"
	}
	if look == "" {
		return
	}
	target := look
	if look != "side" {
		target = p.target(look)
	}
	if got[target] != nil {
		return
	}
	got[target] = c
	p.doubt(target, strings.Join(c.path, "."), "it is chosen by its values: its name says nothing")
}

// assignWhole takes a whole name for both names where they are not apart.
func (p *proposing) assignWhole(got assigned) {
	last, first, whole := p.target("last_name"), p.target("first_name"), p.target("full_name")
	c := got[whole]
	if c == nil && got[first] == nil && got[last] != nil &&
		got[last].share(func(s string) bool { return strings.ContainsAny(s, ",/") || strings.Contains(s, " ") }) > 0.7 {
		c = got[last]
	}
	delete(got, whole)
	if c == nil || got[last] != nil && got[first] != nil {
		return
	}
	got[last], got[first] = c, c
	if c.share(saysWhich) < 1 {
		p.doubt(last, strings.Join(c.path, "."), "not every whole name says which part is the family name: the last word is taken")
	}
}

// write writes the program.
func (p *proposing) write() string {
	if p.flow == gangway.CrewChangesFlow {
		return p.writeCrew()
	}
	columns := columnsOf(p.records)
	got := p.assign(columns)
	var lines []string
	if p.flow == gangway.TravelRequestsFlow {
		lines = p.requestLines(got)
	} else {
		lines = p.lines(got, fieldOrder, "", "")
	}
	return p.head + " | {\n" + strings.Join(lines, ",\n") + "\n}"
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
	var lines []string
	for _, l := range []string{
		part("externalInfo", "externalInfo.", []string{"requestId", "subRequestId"}),
		part("traveler", "traveler.", traveler),
		part("flight", "flight.", []string{"origin", "destination", "date"}),
		part("hotel", "hotel.", []string{"location", "checkIn", "checkOut"}),
	} {
		if l != "" {
			lines = append(lines, l)
		}
	}
	if len(details) > 0 {
		lines = append(lines, "  details: {\n  "+strings.Join(details, ",\n  ")+"\n  }")
	}
	return lines
}

// memberFields are those of a crew change's members.
var memberFields = append(slices.Clone(fieldOrder), "arrive", "depart")

// writeCrew writes the program for crew changes: of lists of members within each,
// or of a table with a row for each member.
func (p *proposing) writeCrew() string {
	columns := columnsOf(p.records)
	var lists []*column
	for _, c := range columns {
		if len(c.lists) > 0 && p.words.lists[bare(plainName(c.name()))] != "" {
			lists = append(lists, c)
		}
	}
	if len(lists) == 0 {
		return p.writeRows(columns)
	}
	own := slices.DeleteFunc(columns, func(c *column) bool {
		return slices.ContainsFunc(lists, func(l *column) bool {
			return c == l || len(c.path) > len(l.path) && slices.Equal(c.path[:len(l.path)], l.path)
		})
	})
	lines := p.lines(p.assign(own), changeFields, "", "")
	for _, l := range lists {
		var members []any
		for _, list := range l.lists {
			members = append(members, list...)
		}
		got := p.assign(columnsOf(members))
		object := "{\n" + indent(strings.Join(p.lines(got, memberFields, "", ""), ",\n")) + "\n  }"
		side, from := p.words.lists[bare(plainName(l.name()))], pathExpr(l.path)
		if side != "members" || got["side"] == nil {
			if side == "members" {
				side = "onsigners"
				p.doubt(side, strings.Join(l.path, "."), "nothing says who joins and who leaves")
			}
			lines = append(lines, fmt.Sprintf("  %s: [(%s // [])[] | %s]", side, from, object))
			continue
		}
		for _, to := range []string{"onsigners", "offsigners"} {
			lines = append(lines, fmt.Sprintf("  %s: [%s[] | select(%s) | %s]", to, from, p.isOn(got["side"], to), object))
		}
	}
	return p.head + " | {\n" + strings.Join(lines, ",\n") + "\n}"
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

// isOn writes the condition under which a member is on a side, with the sample's own words.
func (p *proposing) isOn(c *column, side string) string {
	words := map[string]bool{}
	for _, v := range c.values {
		if sides[bare(v)] == side {
			words[v] = true
		}
	}
	var terms []string
	for _, w := range sortedNames(words) {
		terms = append(terms, pathExpr(c.path)+" == "+quote(w))
	}
	if len(terms) == 0 {
		return "false"
	}
	return strings.Join(terms, " or ")
}

// writeRows writes the program for a table of crew changes.
func (p *proposing) writeRows(columns []*column) string {
	got := p.assign(columns)
	list := "" // all rows
	if p.head != ".[]" {
		list = "[" + p.head + "] | "
	}
	var keys []string
	for _, name := range []string{"travel_request_id", "vessel", "change_date"} {
		if c := got[name]; c != nil && (name == "travel_request_id" || got["travel_request_id"] == nil) {
			keys = append(keys, pathExpr(c.path))
		}
	}
	lines := p.lines(got, changeFields, "", ".[0]")
	object := "{\n" + indent(strings.Join(p.lines(got, memberFields, "", ""), ",\n")) + "\n  }"
	for _, to := range []string{"onsigners", "offsigners"} {
		condition := ""
		switch {
		case got["side"] != nil:
			condition = p.isOn(got["side"], to)
		case to == "onsigners" && got["arrive"] != nil:
			condition = "(" + pathExpr(got["arrive"].path) + ` // "") != ""`
		case to == "offsigners" && got["depart"] != nil:
			condition = "(" + pathExpr(got["depart"].path) + ` // "") != ""`
		default:
			condition = fmt.Sprint(to == "onsigners")
			p.doubt(to, "", "nothing says who joins and who leaves")
		}
		lines = append(lines, fmt.Sprintf("  %s: [.[] | select(%s) | %s]", to, condition, object))
	}
	return fmt.Sprintf("%sgroup_by([%s])[] | {\n%s\n}", list, strings.Join(keys, ", "), strings.Join(lines, ",\n"))
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
