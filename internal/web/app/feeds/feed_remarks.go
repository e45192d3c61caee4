package feeds

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gangway/internal/accept"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// A remarkList are remarks on the records of a run, of one kind. The same remark on many records is
// one row: else the few that differ would not be found among them.
type remarkList struct {
	Title  string
	Groups []remarkGroup
	Note   string // what is not listed, and why
}

// A remarkGroup is one remark on records.
type remarkGroup struct {
	Field, SourceField string // ours, and what the document calls it
	Message            string
	Records            int
	Of                 []remarkedRecord
	More               int    // records that are not shown
	Same               string // the value, where all records have the same
	Whole              bool   // it is about columns or all of a document, not records
	Columns            bool
}

// A remarkedRecord is a record that a remark is on.
type remarkedRecord struct {
	At    string // where it stands in the document
	Name  string // its identifier; empty: it has none
	Value string // what stands in the field
}

// Counted says how many records, columns or documents it is about.
func (g remarkGroup) Counted() string {
	switch {
	case g.Columns:
		return shell.Plural(g.Records, "column", "columns")
	case g.Whole:
		return shell.Plural(g.Records, "document", "documents")
	}
	return shell.Plural(g.Records, "record", "records")
}

// Short is the value as far as there is room for it.
func (r remarkedRecord) Short() string { return shortened(r.Value) }

// SameShort is the value of all records as far as there is room for it.
func (g remarkGroup) SameShort() string { return shortened(g.Same) }

// remarkedShown is how many records a page names of one remark at first.
const remarkedShown = 20

// groupsOf brings together remarks that say the same of the same field. All: every record is named.
func groupsOf(list []gangway.FeedRemark, all bool) (groups []remarkGroup) {
	at := map[string]int{}
	for _, r := range list {
		message, name := r.Words()
		record := remarkedRecord{At: r.At, Name: name, Value: r.Value}
		if record.At == "" {
			record.At = fmt.Sprint("record ", r.Record)
		}
		field, source := withoutNumbers(r.Field), withoutNumbers(r.SourceField)
		of := message
		switch {
		case r.Whole && r.SourceField != "": // the same of several columns
			of = strings.ReplaceAll(message, fmt.Sprintf("%.100q", r.SourceField), "…")
			record, field, source = remarkedRecord{At: r.SourceField}, "", ""
		case r.Whole:
			record.At = cmp.Or(r.At, wholeDocument)
		}
		key := fmt.Sprint(r.Whole, field, "\x00", source, "\x00", of)
		i, there := at[key]
		if !there {
			i = len(groups)
			at[key] = i
			groups = append(groups, remarkGroup{Field: field, SourceField: source, Message: message, Same: r.Value,
				Whole: r.Whole, Columns: r.Whole && r.SourceField != ""})
		}
		g := &groups[i]
		if there {
			g.Message = of
		}
		if g.Same != r.Value {
			g.Same = ""
		}
		if g.Records++; all || len(g.Of) < remarkedShown {
			g.Of = append(g.Of, record)
		} else {
			g.More++
		}
	}
	for i := range groups {
		if groups[i].Records == 1 {
			groups[i].Same = ""
		}
	}
	return groups
}

// places finds those of members in the path of a field.
var places = regexp.MustCompile(`\[[0-9]+\]`)

func withoutNumbers(field string) string { return places.ReplaceAllString(field, "") }

// A runRemarks are the remarks on what a run brought.
type runRemarks struct {
	Whole   remarkList // about a document
	Refused remarkList
	Warned  remarkList
	Cut     bool // some that is kept is not listed
}

// remarksOf lists the remarks on what a run brought. All: every record is named.
func remarksOf(run gangway.FeedRun, all bool) (p runRemarks) {
	counted := func(n int, one, many string) []string {
		if n == 0 {
			return nil
		}
		return []string{shell.Plural(n, one, many)}
	}
	whole, warnings := aboutDocument(run.Warnings)
	p.Whole = whole
	p.Refused = listOf(run.Refusals, append(counted(run.Refused, "record", "records"),
		counted(run.RefusedMembers, "crew member", "crew members")...), "refused", all)
	p.Warned = listOf(warnings, counted(run.Warned, "record", "records"), "stored without what was wrong", all)
	for _, g := range slices.Concat(p.Refused.Groups, p.Warned.Groups) {
		p.Cut = p.Cut || g.More > 0
	}
	return p
}

// listOf lists the remarks that are kept on so many records.
func listOf(list []gangway.FeedRemark, counted []string, what string, all bool) remarkList {
	r := remarkList{Title: strings.Join(counted, " and ") + " " + what, Groups: groupsOf(list, all)}
	switch {
	case len(counted)+len(list) == 0:
		r.Title = ""
	case len(counted) == 0:
		r.Title = shell.Capital(what)
	case len(list) == 0:
		r.Note = "Which they were is not kept any more: remarks on records are kept for 7 days, and deleted before " +
			"where a person was erased."
	case len(list) >= accept.MaxRemarks:
		r.Note = "The first " + shell.Number(len(list)) + " remarks are kept; there were more."
	}
	return r
}

// aboutDocument lists the remarks on all of a document, and returns those on single records.
func aboutDocument(list []gangway.FeedRemark) (whole remarkList, records []gangway.FeedRemark) {
	var all []gangway.FeedRemark
	for _, r := range list {
		if r.Whole {
			all = append(all, r)
		} else {
			records = append(records, r)
		}
	}
	if len(all) == 0 {
		return whole, records
	}
	whole = remarkList{Title: "About its columns", Groups: groupsOf(all, true)}
	for _, g := range whole.Groups {
		if !g.Columns {
			whole.Title = "About how it was read"
		}
	}
	return whole, records
}
