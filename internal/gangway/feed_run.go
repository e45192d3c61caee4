package gangway

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A FeedRun is one run of a feed: what it brought, and what became of that.
type FeedRun struct {
	ID   int64 // it grows from run to run: the generation of what the run changed
	Feed string
	Ask  Ask
	At   time.Time // when it began
	Took time.Duration

	Received, Created, Updated, Unchanged int // records
	Removed                               int // that the feed had before and has no more
	Refused, Warned                       int // records: refused; stored without what was wrong
	RefusedMembers                        int // of crew changes that were taken
	Passed                                int // records that were not asked for; Received does not count them

	GivenBy Actor // who gave its document by hand, only ID and Name; none: it was fetched

	NotModified bool         // the customer's system said that nothing has changed
	Refusals    []FeedRemark // the first of them
	Warnings    []FeedRemark
	Error       string      // why it was given up, a sentence for the customer's admins; empty: it was not
	Shorter     ShorterList // because of which it was given up; zero: there was none, or it was accepted
	Notice      FeedNotice  // kept for a day by the runs that follow
	Documents   int         // kept as they came
	Sum         string      // identifies those that were fetched, to see that the next run's are the same
	DocumentsOf int64       // the run with the same documents that keeps them for this one, too; 0: itself

	FailedDocuments int               // nothing of them was stored, though something of others may be
	Failures        []DocumentFailure // the first of them
}

// A ShorterList is one that is not believed, since it lacks many records of the one before.
type ShorterList struct {
	Before int `json:"before"`       // how many records the feed had
	Now    int `json:"now"`          // of these, that the run brought
	New    int `json:"new,omitzero"` // that it brought besides
}

// Words says which records it lacks and how many others it has.
func (l ShorterList) Words() string {
	words := fmt.Sprintf("it lacks %d of the %d records that it had", l.Before-l.Now, l.Before)
	if l.New > 0 {
		words += fmt.Sprintf(" and brought %d new", l.New)
	}
	return words
}

// A FeedNotice is what admins are told once of a feed that works: that many of its records went, or that an answer
// seems to hold less than there is.
type FeedNotice struct {
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// Recent reports whether pages still say it.
func (n FeedNotice) Recent(now time.Time) bool { return n.Text != "" && now.Sub(n.At) < recentFor }

// A DocumentFailure says why nothing of a document was stored.
type DocumentFailure struct {
	Document string `json:"document"` // its name
	Message  string `json:"message"`
}

// Failed reports whether the run was given up: then it changed nothing.
func (r FeedRun) Failed() bool { return r.Error != "" }

// AllRefused reports whether the run brought records, and none of them was stored.
func (r FeedRun) AllRefused() bool { return r.Received > 0 && r.Refused == r.Received }

// Shrank reports whether the run was given up because of a list that was much shorter than the one before.
func (r FeedRun) Shrank() bool { return r.Shorter.Before > 0 }

// ByHand reports whether somebody gave the run's document, so that nothing was fetched.
func (r FeedRun) ByHand() bool { return r.GivenBy.ID != "" }

// A FeedRemark is a sentence about a field of a record that a feed brought.
type FeedRemark struct {
	Record      int    `json:"record"`                // among those the run brought, from 0
	At          string `json:"at,omitzero"`           // where it stands in the document: "line 19"
	Field       string `json:"field,omitzero"`        // ours: "Gender", "Onsigners[1].Dob"; empty: the record itself
	SourceField string `json:"source_field,omitzero"` // theirs: "Geschlecht"
	Value       string `json:"value,omitzero"`        // as it came, cut where it is long
	Message     string `json:"message"`
	Whole       bool   `json:"whole,omitzero"` // it is about all of the document, of which Record is the first
}

// EncodingField is the Field of a remark that the encoding of a document was guessed, which is its Value.
const EncodingField = "format.encoding"

// Words are the message without the name of the record at its end, and that name: "The Dob field is
// required." and "4711" of "The Dob field is required. (4711)".
func (r FeedRemark) Words() (words, record string) {
	if i := strings.LastIndex(r.Message, ". ("); i > 0 && strings.HasSuffix(r.Message, ")") {
		return r.Message[:i+1], r.Message[i+3 : len(r.Message)-1]
	}
	return r.Message, ""
}

// ofOneRecord is what the remarks of a kind differ in: quoted values, numbers, and what follows the first sentence.
var ofOneRecord = regexp.MustCompile(`(?s)"[^"]*"|“[^”]*”|\([^)]*\)|[0-9]+|[.:] .*`)

// Kind is the same for remarks that say the same of other records.
func (r FeedRemark) Kind() string {
	words, _ := r.Words()
	return ofOneRecord.ReplaceAllString(r.Field+" "+words, "")
}

// Says reports whether a run has a remark of each kind that another has.
func (r FeedRun) Says(all FeedRun) bool {
	kinds := map[string]bool{}
	for _, remark := range slices.Concat(r.Warnings, r.Refusals) {
		kinds[remark.Kind()] = true
	}
	return !slices.ContainsFunc(slices.Concat(all.Warnings, all.Refusals), func(other FeedRemark) bool {
		return !kinds[other.Kind()]
	})
}
