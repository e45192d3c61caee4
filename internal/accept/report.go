package accept

import (
	"maps"
	"slices"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/store"

	"github.com/go-json-experiment/json/jsontext"
)

// A Report says what happened to the records of a run. Received counts the
// stored and the refused ones.
type Report struct {
	store.Counts
	Refused  int     // records
	Warned   int     // records that were taken without what was wrong in them
	Members  int     // of crew changes that were taken: they were refused
	Passed   int     // records that were not among what was asked for; Received does not count them
	Problems Remarks // why records, and members of crew changes, were refused
	Warnings Remarks // what was left out of records
}

// Came is how many records there were.
func (r Report) Came() int { return r.Received + r.Passed }

// MaxRemarks is how many problems, and how many warnings, a report has at most, besides maxWhole about documents.
const MaxRemarks, maxWhole = 1000, 100

// Remarks are the first of what there is to say about the records of a run.
type Remarks struct {
	List      []gangway.FeedRemark
	Truncated bool // there were more
}

func (r *Remarks) add(remark gangway.FeedRemark) {
	if n := len(r.List); n >= MaxRemarks && (!remark.Whole || n >= MaxRemarks+maxWhole) {
		r.Truncated = true
		return
	}
	r.List = append(r.List, remark)
}

// join adds the remarks on a record, doc, in the order of its fields. place is where a field stands, and theirs
// what the customer calls it.
func (r *Remarks) join(record int, place func(field string) decode.Place, of *gangway.Problems,
	theirs func(field string) string, doc jsontext.Value) {
	if len(r.List) >= MaxRemarks {
		r.Truncated = true
		return
	}
	whole := gangway.ProblemPath{Record: record}.Field("")
	var tree any
	if _, all := of.Fields[whole]; !all || len(of.Fields) > 1 { // otherwise no field is quoted; it may be large
		tree, _ = decode.Value(doc) // where it cannot be read there are no values to quote
	}
	for _, path := range slices.Sorted(maps.Keys(of.Fields)) {
		field := strings.TrimPrefix(strings.TrimPrefix(path, whole), ".")
		value := ""
		if found, there := cut(tree, field); there {
			value = shown(found)
		}
		for _, sentence := range of.Fields[path] {
			r.add(gangway.FeedRemark{Record: record, At: place(field).String(), Field: field,
				SourceField: theirs(field), Value: value, Message: sentence})
		}
	}
	r.Truncated = r.Truncated || of.Truncated
}
