package mapping

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A Table is a mapping as people set it up without writing a program: which of their columns is which of our fields.
type Table struct {
	Program string // that the table stands for; empty: the built-in mapping
	Rows    []TableRow
	Fields  []TableField // what a column can be, in the order of our records
	Missing []string     // fields that every record needs and that no column is
	Own     []OwnField   // fields that the program makes of more than a column: they stay as they are
	ByHand  bool         // the program says more than a table can: Rows are only what was found in it
	More    int          // columns without a field that are left out
}

// A TableRow is a column of a sample. A column that is two fields has two rows.
type TableRow struct {
	Column  string // which identifies it in a Choice
	Name    string // for people; it may be cut
	Example string
	Field   string // ours; empty: nothing takes the column
}

// A TableField is a field of ours that a column can be.
type TableField struct {
	Name  string // "last_name", "traveler.lastName"
	Words string
	Group string // what of the record it belongs to; empty: the record itself

	needed bool // by every record
}

// An OwnField is what a program makes a field of.
type OwnField struct{ Field, Words, Text string }

// A Choice is what somebody chose for a column.
type Choice struct{ Column, Field string }

// mostRows is how many columns a table shows, mostLetters how much of a name or value.
const (
	mostRows    = 80
	mostLetters = 60
)

// ownEntry is the field of a column that is kept under its own name, in the entries that come back with bookings.
const ownEntry = "*"

// Tabulate shows the program of a flow as a table over the columns of a sample. With choices it writes the program
// that they stand for: what they leave as it was keeps the words that the program has for it. A program that the table
// cannot express stays as it is, unless choices are to be put over it.
func Tabulate(ctx context.Context, runner Runner, flow gangway.Flow, program string, choices []Choice, over bool,
	sample Items) (Table, error) {
	return tabulate(ctx, runner, flow, program, choices, over, sample, time.Now())
}

func tabulate(ctx context.Context, runner Runner, flow gangway.Flow, program string, choices []Choice, over bool,
	sample Items, now time.Time) (Table, error) {
	p, value, err := startProposing(flow, sample, now)
	if err != nil || len(p.records) == 0 {
		return Table{Program: program}, err
	}
	t := Table{Program: program, Fields: p.fields()}
	p.table, p.paths, p.names = &t, map[string]string{}, map[string]string{}
	written := p.write()
	if !blank(program) {
		t.ByHand = !p.readTable(program)
	} else if same, err := p.same(ctx, runner, written, withoutScalars(value)); err == nil && !same {
		t.Program = written
	}
	if choices != nil && (over || !t.ByHand) && !p.chose(choices) {
		t.Program, err = p.writeChosen(choices)
		t.ByHand = false
	}
	p.finish()
	return t, err
}

// chose reports whether choices are what the table has already.
func (p *proposing) chose(choices []Choice) bool {
	if p.table.ByHand {
		return false
	}
	now, then := map[string]int{}, map[string]int{}
	for _, row := range p.table.Rows {
		now[row.Column+" "+row.Field]++
	}
	for _, c := range choices {
		then[c.Column+" "+c.Field]++
	}
	delete(then, " ") // no other use of a column
	return maps.Equal(now, then)
}

// writeChosen writes the program of choices, and makes the table that of them.
func (p *proposing) writeChosen(choices []Choice) (string, error) {
	taken, chosen := map[string]string{}, map[string][]string{}
	for _, c := range choices {
		other, twice := taken[c.Field]
		switch {
		case c.Field == "":
			continue
		case !slices.ContainsFunc(p.table.Fields, func(f TableField) bool { return f.Name == c.Field }):
			return p.table.Program, gangway.Errorf(gangway.Invalid, "there is no field %.40q", c.Field)
		case twice && c.Field != ownEntry && other != c.Column:
			p.showChoices(choices)
			return p.table.Program, gangway.Errorf(gangway.Invalid, "two columns are the %s: choose one of them",
				p.fieldWords(c.Field))
		}
		taken[c.Field] = c.Column
		chosen[c.Column] = append(chosen[c.Column], c.Field)
	}
	for field, k := range p.kept { // a column's words are kept where it is still the same fields
		if k.column != "" && !slices.Equal(slices.Sorted(slices.Values(chosen[k.column])),
			slices.Sorted(slices.Values(p.chosen[k.column]))) {
			delete(p.kept, field)
		}
	}
	p.chosen = chosen
	p.table.Rows, p.table.Missing, p.table.Own = nil, nil, nil
	return p.write(), nil
}

// showChoices has the table show choices that make no program.
func (p *proposing) showChoices(choices []Choice) {
	rows := map[string]TableRow{}
	for _, row := range p.table.Rows {
		rows[row.Column] = row
	}
	p.table.Rows = nil
	for _, c := range choices {
		if row, known := rows[c.Column]; known {
			row.Field = c.Field
			p.table.Rows = append(p.table.Rows, row)
		}
	}
}

func (p *proposing) fieldWords(name string) string {
	for _, f := range p.table.Fields {
		if f.Name == name {
			return f.Words
		}
	}
	return name
}

// columnsAs assigns columns to fields: by their names and values or, where somebody has chosen, as chosen. members
// says that they are those of the lists in crew changes.
func (p *proposing) columnsAs(columns []*column, members bool) assigned {
	for _, c := range columns { // its name may be long, or have a secret in it
		sum := sha256.Sum256([]byte(fmt.Sprint(members, pathExpr(c.path))))
		c.id = hex.EncodeToString(sum[:8])
	}
	got := assigned{}
	if p.chosen == nil {
		got = p.assign(columns)
	} else {
		p.findOrders(columns)
		whole := p.target("full_name")
		for _, c := range columns {
			for _, field := range p.chosen[c.id] {
				if field == ownEntry {
					field = p.entries() + "." + c.name()
				}
				got[field] = c
			}
		}
		if c := got[whole]; c != nil {
			got[p.target("last_name")], got[p.target("first_name")] = c, c
			delete(got, whole)
		}
	}
	if p.table != nil {
		p.addRows(columns, got, members)
	}
	return got
}

// entries is the field whose entries come back with bookings.
func (p *proposing) entries() string {
	switch p.flow {
	case gangway.TravelRequestsFlow:
		return "traveler.customFields"
	case gangway.CrewChangesFlow:
		return "custom_fields"
	}
	return ""
}

// keptOf is what the program that the table stands for makes a field of; empty: it is to be made of the column anew.
func (p *proposing) keptOf(field string, c *column) string {
	k, there := p.kept[field]
	switch {
	case !there || c == nil && k.column != "" || c != nil && k.column != c.id:
		return ""
	case c == nil && !slices.ContainsFunc(p.table.Own, func(o OwnField) bool { return o.Field == field }):
		p.table.Own = append(p.table.Own, OwnField{field, p.fieldWords(field), gangway.Shortened(k.text, mostLetters)})
	}
	return k.text
}

// addRows puts columns into the table. Those of a second list of members are in it already.
func (p *proposing) addRows(columns []*column, got assigned, members bool) {
	last, first := p.target("last_name"), p.target("first_name")
	for _, c := range columns {
		p.seen(c, members)
		if len(c.values) == 0 && len(c.lists) > 0 ||
			slices.ContainsFunc(p.table.Rows, func(r TableRow) bool { return r.Column == c.id }) {
			continue
		}
		row := TableRow{Column: c.id, Name: gangway.Shortened(columnName(c), mostLetters), Example: exampleOf(c)}
		var fields []string
		for _, target := range sortedNames(got) {
			switch {
			case got[target] != c, target == first && got[last] == c:
			case target == last && got[first] == c:
				fields = append(fields, p.target("full_name"))
			case p.entries() != "" && target == p.entries()+"."+c.name():
				fields = append(fields, ownEntry)
			case slices.ContainsFunc(p.table.Fields, func(f TableField) bool { return f.Name == target }):
				fields = append(fields, target)
			}
		}
		if len(fields) == 0 {
			fields = []string{""}
		}
		for _, row.Field = range fields {
			p.table.Rows = append(p.table.Rows, row)
		}
	}
}

func columnName(c *column) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(c.path), func(s string) bool { return s == "[0]" }), " › ")
}

func exampleOf(c *column) string {
	if len(c.values) == 0 {
		return ""
	}
	return gangway.Shortened(c.values[0], mostLetters)
}

// finish says what is missing, and leaves out columns that nothing takes where there are too many.
func (p *proposing) finish() {
	t, has := p.table, map[string]bool{}
	for _, row := range t.Rows {
		has[row.Field] = true
	}
	for _, own := range t.Own {
		has[own.Field] = true
	}
	whole := has[p.target("full_name")]
	for _, f := range t.Fields {
		if name := f.Name == p.target("last_name") || f.Name == p.target("first_name"); f.needed && !has[f.Name] &&
			!(name && whole) {
			t.Missing = append(t.Missing, f.Words)
		}
	}
	for i := len(t.Rows) - 1; i >= 0 && len(t.Rows) > mostRows; i-- {
		if t.Rows[i].Field == "" {
			t.Rows, t.More = slices.Delete(t.Rows, i, i+1), t.More+1
		}
	}
}

// fields are those of the flow's records that a column can be.
func (p *proposing) fields() (list []TableField) {
	groups := map[string]string{"externalInfo": "Request", "traveler": "Traveller", "flight": "Flight",
		"hotel": "Hotel", "details": "Work", "vehicle": "Vessel"}
	var add func(members gangway.Members, prefix, group string)
	add = func(members gangway.Members, prefix, group string) {
		for _, m := range members {
			full := prefix + m.Name
			switch m.Form {
			case gangway.Object:
				add(m.Members, full+".", cmp.Or(groups[m.Name], group))
				continue
			case gangway.List, gangway.Entries:
				continue
			}
			if full == p.target("last_name") {
				list = append(list, TableField{p.target("full_name"), "whole name (last and first)", group, false})
			}
			list = append(list, TableField{full, cmp.Or(m.Words, strings.ToLower(strings.Join(nameWords(m.Name), " "))),
				group, m.By(gangway.Everywhere)})
		}
	}
	if p.flow == gangway.CrewChangesFlow {
		add(gangway.MembersOf(p.flow), "", "Crew change")
		list = append(list, TableField{"side", "joins or leaves", "Crew member", false},
			TableField{"metadata.rank", "rank", "Crew member", false})
		add(memberFields, "", "Crew member")
	} else {
		add(gangway.MembersOf(p.flow), "", "")
	}
	if p.entries() != "" {
		list = append(list, TableField{ownEntry, "a field of your own, under its name", "Comes back with bookings",
			false})
	}
	return list
}
