package mapping

import (
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// memberFields are those of a crew change's members: their own day of the change is left to hand-written programs.
var memberFields = slices.DeleteFunc(
	slices.Clone(gangway.MembersOf(gangway.CrewChangesFlow).Named("onsigners").Members),
	func(m gangway.Member) bool { return m.Name == "change_date" })

// writeCrew writes the program for crew changes: of lists of members within each,
// or of a table with a row for each member.
func (p *proposing) writeCrew() string {
	columns := columnsOf(p.records, p.words.lists)
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
	lines := p.lines(p.columnsAs(own, false), gangway.MembersOf(p.flow), "", "")
	defer func(records []any) { p.records = records }(p.records)
	for _, l := range lists {
		var members []any
		for _, list := range l.lists {
			members = append(members, list...)
		}
		p.records = members
		columns, picks := p.pick(columnsOf(members, nil))
		got := p.columnsAs(columns, true)
		object := picks + "{\n" + indent(strings.Join(p.lines(got, memberFields, "", ""), ",\n")) + "\n  }"
		side, from := p.words.lists[bare(plainName(l.name()))], pathExpr(l.path)
		if l.within {
			from += "[]?"
		}
		from = "[" + from + "] | flatten[] | objects" // as lists, or a lone member
		if side != "members" || got["side"] == nil {
			if side == "members" {
				side = "onsigners"
				p.doubt(side, strings.Join(l.path, "."), "nothing says who joins and who leaves")
			}
			lines = append(lines, fmt.Sprintf("  %s: [%s | %s]", side, from, object))
			continue
		}
		for _, to := range []string{"onsigners", "offsigners"} {
			line := fmt.Sprintf("  %s: [%s | select(%s) | %s]", to, from, p.isOn(got["side"], to), object)
			lines = append(lines, line)
		}
	}
	return p.head + " | {\n" + strings.Join(lines, ",\n") + "\n}"
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

// isOn writes the condition under which a member is on a side, with the sample's own words.
func (p *proposing) isOn(c *column, side string) string {
	if text := p.keptOf("side:"+side, c); text != "" {
		return text
	}
	words := map[string]bool{}
	for _, v := range c.values {
		if sides[bare(v)] == side {
			words[v] = true
		}
	}
	terms := gangway.Each(sortedNames(words), func(w string) string { return pathExpr(c.path) + " == " + quote(w) })
	if len(terms) == 0 {
		return "false"
	}
	return strings.Join(terms, " or ")
}

// writeRows writes the program for a table of crew changes.
func (p *proposing) writeRows(columns []*column) string {
	p.inRows = true
	got := p.columnsAs(columns, false)
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
	lines := p.lines(got, gangway.MembersOf(p.flow), "", ".[0]")
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
