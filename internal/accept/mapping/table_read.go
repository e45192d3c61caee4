package mapping

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// A keptText is what a program makes a field of, in its own words.
type keptText struct {
	column string // the only column that it reads, by its identifier; empty: it reads none, or several
	text   string
}

// readTable reads the table out of a program: its rows, the fields that are made of more than a column, and what of
// its text is kept. It reports whether the program is just what the table would write.
func (p *proposing) readTable(text string) bool {
	found, head := p.table.Rows, p.head
	p.kept, p.chosen = map[string]keptText{}, map[string][]string{}
	program, err := parseProgram(text)
	ok := err == nil && len(program.whole.FuncDefs) == 0 && p.readSteps(program.whole) &&
		!strings.Contains(quotedText.ReplaceAllString(text, ""), "#") // which begins a comment
	p.table.Rows = nil
	written := p.write()
	if ok {
		again, err := parseProgram(written)
		ok = err == nil && canonical(again.whole) == canonical(program.whole)
	}
	if !ok {
		p.head, p.kept, p.table.Own = head, nil, nil
		if len(p.chosen) == 0 { // nothing was found in it
			p.table.Rows = found
			for i := range p.table.Rows {
				p.table.Rows[i].Field = ""
			}
		}
	}
	return ok
}

// quotedText is a text of a program.
var quotedText = regexp.MustCompile(`"(\\.|[^"\\])*"`)

// readSteps reads the object that a program makes of each record.
func (p *proposing) readSteps(whole *gojq.Query) bool {
	steps, _ := unlisted(pipe(whole))
	object, head := lastObject(steps)
	if object == nil || len(head) == 0 {
		return false
	}
	inRows := p.inRows
	if !inRows { // how it gets to the records is its own
		p.head = pipeOf(head).String()
	}
	return p.readObject(object, gangway.MembersOf(p.flow), "", inRows, false)
}

// lastObject returns the object that steps end with, and the steps before it.
func lastObject(steps []*gojq.Query) (*gojq.Object, []*gojq.Query) {
	last := steps[len(steps)-1]
	for last.Op == gojq.OpPipe && len(last.Patterns) > 0 { // (…) as $passport | {…}
		last = last.Right
	}
	if last.Term == nil || last.Term.Type != gojq.TermTypeObject || len(last.Term.SuffixList) > 0 {
		return nil, nil
	}
	return last.Term.Object, steps[:len(steps)-1]
}

// readObject reads the members of an object that a program makes. first says that it is made of the first of several
// rows, member that it is a member of a crew change.
func (p *proposing) readObject(o *gojq.Object, members gangway.Members, prefix string, first, member bool) bool {
	for _, kv := range o.KeyVals {
		name := kv.Key
		if kv.KeyString != nil && len(kv.KeyString.Queries) == 0 {
			name = kv.KeyString.Str
		}
		m, full := members.Named(name), prefix+name
		entry := prefix != "" && m == nil && members == nil // under any name
		if kv.Val == nil || name == "" || m == nil && !entry || m != nil && m.Name != name {
			return false
		}
		if m != nil && m.Form == gangway.List && prefix == "" && p.flow == gangway.CrewChangesFlow {
			if !p.readMembers(kv.Val, name, first) {
				return false
			}
			continue
		}
		if t := kv.Val.Term; t != nil && t.Type == gojq.TermTypeObject && m != nil &&
			(m.Form == gangway.Object || m.Form == gangway.Entries) {
			if !p.readObject(t.Object, m.Members, full+".", first, member) {
				return false
			}
			continue
		}
		if !p.keep(full, kv.Val, first, member) {
			return false
		}
	}
	return true
}

// readMembers reads a list of a crew change's members.
func (p *proposing) readMembers(q *gojq.Query, side string, rows bool) bool {
	steps, listed := unlisted(pipe(q))
	object, head := lastObject(steps)
	if object == nil || !listed {
		return false
	}
	for _, step := range head {
		if isFilter(step) && len(step.Term.Func.Args) == 1 && strings.Contains(step.String(), "==") {
			condition := step.Term.Func.Args[0]
			if at := p.columnIn(condition, false, !rows); at != "" {
				p.kept["side:"+side] = keptText{at, condition.String()}
				p.choose(at, "side")
			}
		}
	}
	return p.readObject(object, memberFields, "", false, !rows)
}

// keep notes what a program makes a field of. Not so: it makes it of different things in two lists.
func (p *proposing) keep(field string, q *gojq.Query, first, member bool) bool {
	k := keptText{p.columnIn(q, first, member), q.String()}
	if before, there := p.kept[field]; there {
		return before == k
	}
	p.kept[field] = k
	if k.column != "" {
		p.choose(k.column, field)
	}
	return true
}

// choose notes that a column is a field. A whole name is both names.
func (p *proposing) choose(column, field string) {
	last, first, whole := p.target("last_name"), p.target("first_name"), p.target("full_name")
	fields := p.chosen[column]
	for _, pair := range [][2]string{{last, first}, {first, last}} {
		if i := slices.Index(fields, pair[1]); field == pair[0] && i >= 0 {
			fields[i] = whole
			return
		}
	}
	if in := p.entries(); in != "" && strings.HasPrefix(field, in+".") && p.names[column] == field[len(in)+1:] {
		field = ownEntry
	}
	if !slices.Contains(fields, field) {
		p.chosen[column] = append(fields, field)
	}
}

// columnIn returns the identifier of the only column that a query reads; empty: it reads several, none, or one that
// the sample has not.
func (p *proposing) columnIn(q *gojq.Query, first, member bool) string {
	return p.paths[p.pathIn(q, first, member)]
}

// pathIn is the only path that a query reads of a record; empty: there is none.
func (p *proposing) pathIn(q *gojq.Query, first, member bool) string {
	path, ok := onlyPath(q, map[string]string{picked: picked})
	if first {
		path = strings.TrimPrefix(strings.TrimPrefix(path, "[0]"), ".")
	}
	if member && ok {
		path = "[]" + path
	}
	return path
}

// seen notes a column of the sample by the path under which programs read it.
func (p *proposing) seen(c *column, members bool) {
	query, err := gojq.Parse(pathExpr(c.path))
	if err != nil {
		return
	}
	if path := p.pathIn(query, false, members); p.paths[path] == "" && path != "" {
		p.paths[path], p.names[c.id] = c.id, c.name()
	}
}

// canonical writes a program so that two that say the same in another order of members are the same. It reorders whole.
func canonical(whole *gojq.Query) string {
	eachOfKind(reflect.ValueOf(whole), func(o *gojq.Object) {
		slices.SortFunc(o.KeyVals, func(a, b *gojq.ObjectKeyVal) int { return strings.Compare(a.String(), b.String()) })
	})
	steps, _ := unlisted(pipe(whole))
	return pipeOf(slices.DeleteFunc(steps, func(q *gojq.Query) bool { return q.String() == "." })).String()
}
