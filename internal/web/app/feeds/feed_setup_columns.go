package feeds

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// A columnsView is the mapping as a table over the columns of what was received.
type columnsView struct {
	mapping.Table
	Groups []fieldGroup
	Used   int
	Needed string // fields that nothing is, and that every record needs
}

// A fieldGroup is some fields of ours under a heading.
type fieldGroup struct {
	Label  string
	Fields []choice
}

// columnsOf makes the table of a trial; nil: there is none.
func columnsOf(t *mapping.Table) *columnsView {
	if t == nil || len(t.Rows) == 0 {
		return nil
	}
	v := &columnsView{Table: *t, Needed: strings.Join(t.Missing, ", ")}
	for _, f := range t.Fields {
		if n := len(v.Groups); n == 0 || v.Groups[n-1].Label != f.Group {
			v.Groups = append(v.Groups, fieldGroup{Label: f.Group})
		}
		g := &v.Groups[len(v.Groups)-1]
		g.Fields = append(g.Fields, choice{f.Name, f.Words})
	}
	for _, row := range t.Rows {
		if row.Field != "" {
			v.Used++
		}
	}
	return v
}

// inWords puts what the table of columns calls a field of ours in place of its name.
func inWords(t *mapping.Table) (put func(field *string)) {
	words := map[string]string{}
	for _, f := range cmp.Or(t, &mapping.Table{}).Fields {
		words[bareName(f.Name)] = strings.TrimSpace(f.Group + " " + f.Words)
	}
	return func(field *string) { *field = cmp.Or(words[bareName(*field)], *field) }
}

// Was are the fields of all rows, by which it is known whether somebody has changed one.
func (v columnsView) Was() string {
	fields := gangway.Each(v.Rows, func(row mapping.TableRow) string { return row.Field })
	return strings.Join(append(fields, ""), ",") // and of the row for another use of a column
}

// Once are the columns, each once.
func (v columnsView) Once() (list []choice) {
	for _, row := range v.Rows {
		if c := (choice{row.Column, row.Name}); !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// readChoices reads what was chosen in the table; nil: there is no table, or the program was changed since and
// counts instead. over says that a program that the table cannot express is to be replaced.
func readChoices(p feedSetupPage, r *http.Request) (choices []mapping.Choice, over bool) {
	do := r.PostFormValue("do")
	columns, fields := r.PostForm["col"], r.PostForm["as"]
	asked := do == "table" || do == "table-over"
	if len(columns) == 0 || len(columns) != len(fields) || do == "propose" || do == "flow" || do == "file" ||
		!asked && (lines(r.PostFormValue("tabled")) != p.Mapping ||
			strings.Join(fields, ",") == r.PostFormValue("was")) {
		return nil, false
	}
	for i := range columns {
		choices = append(choices, mapping.Choice{Column: columns[i], Field: fields[i]})
	}
	return choices, do == "table-over"
}

// Goes says how many of the feed's records a run like the trial would remove; empty: none.
func (p feedSetupPage) Goes() string {
	brings := gangway.Feed{Flow: p.Flow}
	if p.Trial == nil || p.Trial.gone == 0 || p.Complete == "no" || p.Complete == "" && !brings.BringsAll(p.Live) {
		return ""
	}
	words := "A run like this one removes " + shell.Number(p.Trial.gone) + " of the feed's " +
		shell.Plural(p.Trial.had, "record", "records")
	if fresh := p.Trial.received - (p.Trial.had - p.Trial.gone); fresh > 0 {
		words += " and adds " + shell.Number(fresh) + " new"
	}
	words += "."
	if brings.TooMany(p.Trial.gone, p.Trial.had, p.Trial.received) {
		words += " That is too many at once: it changes nothing until somebody accepts the list."
	}
	return words
}
