package natural

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
)

// Columns say for the columns of a table which member of a record each has. A column is called as the
// member is, with its path: "externalInfo.requestId". How words in it are divided, and capitals, make no
// difference: "external_info_request_id", "Last name". What our records do not name is kept under its
// column's name.
type columns struct {
	record  *gangway.Member   // what a row is
	aliases map[string]string // by the folded name: the path's, folded
	paths   map[string]path   // by the name of the column
	of      string            // the sheet whose columns were looked at
	names   []string          // these
}

// A path leads to a member of a record: names, and positions in lists.
type path []string

// mostNames is how many names of columns are remembered: of a workbook with many sheets not all.
const mostNames = 10_000

// newColumns returns the columns of a flow's table. What is called like nothing else need not say where it belongs.
func newColumns(flow gangway.Flow) *columns {
	c := &columns{record: recordOf(flow), paths: map[string]path{}, aliases: map[string]string{}}
	if flow == gangway.CrewChangesFlow { // a row is a member
		member := gangway.Member{Name: "member", Form: gangway.Object,
			Members: c.record.Members.Named("onsigners").Members}
		c.record = &gangway.Member{Form: gangway.Object, Members: gangway.Members{{Name: "side"}, member}}
		for _, m := range recordOf(flow).Members {
			if m.IsText() {
				c.record.Members = append(c.record.Members, m)
			}
		}
	}
	for _, section := range c.record.Members {
		for _, m := range section.Members {
			for _, name := range append([]string{m.Name}, m.Also...) {
				if m.Form != gangway.Object && c.record.Members.Named(name) == nil {
					c.aliases[folded(name)] = folded(section.Name + name)
				}
			}
		}
	}
	if flow == gangway.TravelRequestsFlow {
		c.aliases["vehicle"], c.aliases["vehicletype"] = "detailsvehiclename", "detailsvehiclevehicletype"
		c.aliases["flag"] = "detailsvehicleflag"
	}
	return c
}

// recordOf returns a flow's record as an object.
func recordOf(flow gangway.Flow) *gangway.Member {
	return &gangway.Member{Form: gangway.Object, Members: gangway.MembersOf(flow)}
}

// folded returns the letters and figures of a name, in lower case.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// read calls set for each cell of a row that is not empty.
func (c *columns) read(item decode.Item, set func(path, string) error) error {
	if err := c.lookAt(item); err != nil {
		return err
	}
	cells, _ := item.Value.(map[string]any)
	names := c.names
	if len(cells) > len(names) { // a workbook may have values beside its columns
		names = item.Names()
	}
	for _, name := range names {
		cell, _ := cells[name].(string)
		if cell == "" {
			continue
		}
		to, known := c.paths[name]
		if !known {
			to = c.find(name)
		}
		if err := set(to, cell); err != nil {
			return err
		}
	}
	return nil
}

// lookAt finds out what the columns of a sheet are.
func (c *columns) lookAt(item decode.Item) error {
	if c.names != nil && item.At.In == c.of {
		return nil
	}
	c.of, c.names = item.At.In, item.Names()
	if len(c.paths) > mostNames {
		clear(c.paths)
	}
	first := map[string]string{}
	for _, name := range c.names {
		to := c.find(name)
		if m := c.at(to); to != nil && m != nil && !m.IsText() && m.Form != gangway.DayAtPort {
			return &decode.BrokenError{At: item.Cell(name), Why: fmt.Errorf("the column %.60q is a section, and its "+
				"columns are called like %q", name, exampleOf(name, m))}
		}
		as := strings.Join(to, ".")
		if before, twice := first[as]; twice {
			return &decode.BrokenError{At: item.Cell(name), Why: fmt.Errorf("the columns %.60q and %.60q are the same "+
				"member: send one of them", before, name)}
		}
		first[as], c.paths[name] = name, to
	}
	return nil
}

func exampleOf(name string, m *gangway.Member) string {
	switch m.Form {
	case gangway.Entries:
		return name + ".rank"
	case gangway.List:
		name += ".0"
	}
	return name + "." + m.Members[0].Name
}

// find returns what the column of that name has.
func (c *columns) find(name string) path {
	if name == "_sheet" { // which decode adds
		return nil
	}
	if to := c.entry(name); to != nil {
		return to
	}
	short := folded(name)
	if long, ok := c.aliases[short]; ok {
		short = long
	}
	if to := within(c.record, short, nil); to != nil {
		return to
	}
	whole := folded(name)
	for alias, long := range c.aliases { // "arrive.port"
		if rest, ok := strings.CutPrefix(whole, alias); ok {
			if to := within(c.record, long+rest, nil); to != nil {
				return to
			}
		}
	}
	if c.record.Members.Named("member") != nil {
		return path{"member", name}
	}
	return path{name}
}

// longestSection is more than the folded path of any section has: what goes on without naming one names none.
const longestSection = 100

// entry returns the path of a column for an entry such as "metadata.rank": what is behind the name of the
// object of entries is the entry's name, to the letter.
func (c *columns) entry(name string) path {
	if isLeg(name) && c.aliases["additionalinfo"] != "" {
		return path{"externalInfo", "additionalInfo", name}
	}
	begins := make([]byte, 0, longestSection) // folded, as far as it was read
	for i, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if begins = utf8.AppendRune(begins, unicode.ToLower(r)); len(begins) > longestSection {
				return nil
			}
			continue
		}
		if i == 0 || i+1 == len(name) {
			continue
		}
		short := string(begins)
		if long, ok := c.aliases[short]; ok {
			short = long
		}
		to := within(c.record, short, nil)
		if m := c.at(to); to != nil && m != nil && m.Form == gangway.Entries {
			return append(slices.Clone(to), name[i+1:])
		}
	}
	return nil
}

// isLeg reports whether a name is that of an additional entry about a leg: "MNL-AMS_flight_id".
func isLeg(name string) bool {
	leg, what, _ := strings.Cut(name, "_")
	return len(leg) == 7 && leg[3] == '-' && (what == "departure_time" || what == "flight_id")
}

// within returns the path of the member of m whose folded path is name; nil: there is none.
func within(m *gangway.Member, name string, before path) path {
	if name == "" {
		return before
	}
	if m.Form == gangway.List && (len(before) == 0 || !isPosition(before[len(before)-1])) {
		figures := len(name) - len(strings.TrimLeft(name, "0123456789"))
		if figures == 0 || figures > 2 {
			return nil
		}
		return within(m, name[figures:], append(slices.Clone(before), name[:figures]))
	}
	for i := range m.Members {
		of := &m.Members[i]
		for _, member := range append([]string{of.Name}, of.Also...) {
			if rest, ok := strings.CutPrefix(name, folded(member)); ok {
				if to := within(of, rest, append(slices.Clone(before), member)); to != nil {
					return to
				}
			}
		}
	}
	return nil
}

// isPosition reports whether a step of a path is a position in a list.
func isPosition(step string) bool { return step != "" && strings.Trim(step, "0123456789") == "" }

// at returns the member that a path leads to.
func (c *columns) at(to path) *gangway.Member {
	m := c.record
	for _, name := range to {
		if !isList(m) || !isPosition(name) {
			m = memberOf(m, name)
		}
	}
	return m
}

// place returns where the value of a field of a row stands.
func (c *columns) place(row decode.Item, field string) decode.Place {
	want := folded(field)
	for _, name := range row.Names() {
		if folded(strings.Join(c.paths[name], "")) == want || folded(name) == want {
			return row.Cell(name)
		}
	}
	return row.At
}

// A rowRecord is a record that is made of the cells of a row.
type rowRecord struct{ members map[string]any }

func newRowRecord() *rowRecord { return &rowRecord{map[string]any{}} }

// set sets the member that to leads to. A list is an object by positions, until it is complete.
func (r *rowRecord) set(to path, cell string) error {
	if len(to) == 0 {
		return nil
	}
	members := r.members
	for _, name := range to[:len(to)-1] {
		inner, ok := members[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			if said, ok := members[name].(string); ok { // "arrive" beside "arrive.port"
				inner["date"] = said
			}
			members[name] = inner
		}
		members = inner
	}
	last := to[len(to)-1]
	if inner, ok := members[last].(map[string]any); ok {
		members, last = inner, "date"
		if members[last] != nil {
			return &decode.RecordError{Msg: "a date is in it twice"}
		}
	}
	members[last] = cell
	return nil
}

// value returns the record.
func (r *rowRecord) value() any {
	if flight, ok := r.members["flight"].(map[string]any); ok {
		if stops, ok := flight["intermediateAirports"].(map[string]any); ok {
			flight["intermediateAirports"] = inOrder(stops)
		}
	}
	return r.members
}

// inOrder returns values in the order of their positions. Positions that nothing stands at are no items.
func inOrder(byPosition map[string]any) []any {
	positions := make([]int, 0, len(byPosition))
	for name := range byPosition {
		n, _ := strconv.Atoi(name)
		positions = append(positions, n)
	}
	slices.Sort(positions)
	list := []any{}
	for _, n := range positions {
		list = append(list, byPosition[strconv.Itoa(n)])
	}
	return list
}
