package accept

import (
	"maps"
	"slices"
	"strings"

	"gangway"
	"gangway/internal/accept/decode"
	"gangway/internal/store"
)

// A Report says what became of a document whose records were taken in each for
// itself: Received are those that were stored and those that were refused.
type Report struct {
	store.Counts
	Refused  int     // records
	Problems Remarks // why they were
	Warnings Remarks // what was taken though it will hurt

	// Broken says where and why the document could not be read any further;
	// empty when it was read to its end. What came before that is stored.
	Broken string
}

// mostRemarks is how many remarks a report has of a kind at most.
const mostRemarks = 1000

// Remarks are the first of what there is to say about the records of a document.
type Remarks struct {
	List      []Remark
	Truncated bool // there is more
}

// A Remark is a sentence about a field of a record.
type Remark struct {
	Record  int    // position in the document, from 0
	At      string // where the record stands in the document as it came: "byte 1204"
	Field   string // "DocNumber", "Onsigners[1].Dob"; empty for the record itself
	Message string
}

func (r *Remarks) add(remark Remark) {
	if len(r.List) == mostRemarks {
		r.Truncated = true
		return
	}
	r.List = append(r.List, remark)
}

// join adds what is said about a record, which stands at at, in the order of its fields.
func (r *Remarks) join(record int, at decode.Place, said *gangway.Problems) {
	whole := gangway.ProblemPath{Record: record}.Field("")
	for _, path := range slices.Sorted(maps.Keys(said.Fields)) {
		field := strings.TrimPrefix(strings.TrimPrefix(path, whole), ".")
		for _, sentence := range said.Fields[path] {
			r.add(Remark{record, at.String(), field, sentence})
		}
	}
	r.Truncated = r.Truncated || said.Truncated
}
