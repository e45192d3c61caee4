package accept

import (
	"maps"
	"slices"
	"strings"

	"gangway"
	"gangway/internal/accept/decode"
	"gangway/internal/store"
)

// A Report says what happened to a document whose records were taken in each for itself. Received
// counts the stored and the refused records.
type Report struct {
	store.Counts
	Refused  int     // records
	Problems Remarks // why they were refused
	Warnings Remarks // about records that were accepted but will cause trouble

	// Broken says where and why the document could not be read any further; it is
	// empty if it was read to its end. What came before that place is stored.
	Broken string
}

// maxRemarks is how many problems, and how many warnings, a report has at most.
const maxRemarks = 1000

// Remarks are the first problems or warnings about the records of a document.
type Remarks struct {
	List      []Remark
	Truncated bool // there were more
}

// A Remark is a sentence about a field of a record.
type Remark struct {
	Record  int    // position in the document, from 0
	At      string // where the record stands in the document as it arrived: "byte 1204"
	Field   string // "DocNumber", "Onsigners[1].Dob"; empty for the record itself
	Message string
}

func (r *Remarks) add(remark Remark) {
	if len(r.List) == maxRemarks {
		r.Truncated = true
		return
	}
	r.List = append(r.List, remark)
}

// join adds the remarks on a record in the order of its fields.
func (r *Remarks) join(record int, at decode.Place, of *gangway.Problems) {
	whole := gangway.ProblemPath{Record: record}.Field("")
	for _, path := range slices.Sorted(maps.Keys(of.Fields)) {
		field := strings.TrimPrefix(strings.TrimPrefix(path, whole), ".")
		for _, sentence := range of.Fields[path] {
			r.add(Remark{record, at.String(), field, sentence})
		}
	}
	r.Truncated = r.Truncated || of.Truncated
}
