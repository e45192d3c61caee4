package feeds

import (
	"fmt"
	"slices"

	"gangway/internal/accept"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// A problemRow is something to say about many records, once.
type problemRow struct {
	Field, From, Message string
	Count                int
	At, Value            string // of the first of them
	Refused              bool
	About                bool // it is about how the document was read
	Least                bool // there may be more: not all remarks are kept
}

// Where says which records it is about.
func (p problemRow) Where() string {
	switch {
	case p.Count == 1:
		return p.At
	case p.Least:
		return p.At + ", and at least " + shell.Plural(p.Count-1, "record", "records") + " more"
	}
	return p.At + ", and " + shell.Plural(p.Count-1, "record", "records") + " more"
}

// wholeDocument is where a remark stands that is about all of a document.
const wholeDocument = "the whole document"

// mostProblems is how many of these are shown.
const mostProblems = 12

// problemsOf are the remarks of a trial, each about one field once.
func problemsOf(refused, warned []gangway.FeedRemark) (rows []problemRow, more int) {
	at := map[string]int{}
	for i, list := range [][]gangway.FeedRemark{refused, warned} {
		for _, r := range list {
			message, _ := r.Words()
			key := fmt.Sprint(i, bareName(r.Field), r.SourceField, message)
			if _, there := at[key]; !there {
				at[key] = len(rows)
				where := r.At
				switch {
				case where == "" && r.Whole:
					where = wholeDocument
				case where == "":
					where = fmt.Sprint("record ", r.Record)
				}
				rows = append(rows, problemRow{Field: spelled(r.Field), From: r.SourceField,
					Message: message, At: where, Value: shortened(r.Value), Refused: i == 0,
					About: r.Whole, Least: len(list) >= accept.MaxRemarks})
			}
			rows[at[key]].Count++
		}
	}
	slices.SortStableFunc(rows, func(a, b problemRow) int { return b.Count - a.Count })
	if len(rows) > mostProblems {
		more, rows = len(rows)-mostProblems, rows[:mostProblems]
	}
	return rows, more
}

// countWords says how the records of a trial would fare.
func countWords(r accept.Report) string {
	if r.Received == 0 {
		return "No records came out of it."
	}
	words, stored := shell.Plural(r.Received, "record", "records")+": ", r.Received-r.Refused
	switch {
	case r.Refused == 0 && r.Warned == 0:
		return words + "all would be stored."
	case r.Refused == 0:
		words += "all would be stored"
	case stored == 0:
		return words + "none would be stored, all are refused."
	default:
		words += shell.Number(stored) + " would be stored, " + shell.Number(r.Refused) + " refused"
	}
	if r.Warned > 0 {
		words += ". In " + shell.Number(r.Warned) + " of those stored something is left out"
	}
	return words + "."
}
