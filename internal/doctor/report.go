package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// A Report is what an examination has found. As JSON its shape is stable: members are
// only ever added.
//
// Decided: docs/choices.md, "The integration doctor".
type Report struct {
	Version  int       `json:"version"`
	System   string    `json:"system"`
	At       time.Time `json:"at"`
	Took     int64     `json:"took_ms"`
	Verdict  Verdict   `json:"verdict"` // the worst of the checks
	Fine     int       `json:"fine"`
	Warnings int       `json:"warnings"`
	Wrong    int       `json:"wrong"`
	NotTried int       `json:"not_tried"`
	Checks   []Check   `json:"checks"`
	Calls    []Call    `json:"calls"`
}

// A Verdict is how a check ended.
type Verdict string

const (
	Fine     Verdict = "fine"
	Warning  Verdict = "warning" // it works, and is worth a look
	Wrong    Verdict = "wrong"   // it has to be mended
	NotTried Verdict = "not_tried"
)

// A Check is one thing that was looked at.
type Check struct {
	ID       string    `json:"id"`   // "b1.answer"; never renamed
	Part     string    `json:"part"` // of the interface: b1 to b5; tls
	Title    string    `json:"title"`
	Verdict  Verdict   `json:"verdict"`
	Findings []Finding `json:"findings"`
	Calls    []int     `json:"calls"`            // numbers of Report.Calls
	Because  string    `json:"because,omitzero"` // the check that tells why this one was not tried

	detail string // of Because, for the sentence
}

// A Finding is a sentence about what was seen and what to do, and where that is.
type Finding struct {
	Message     string `json:"message"`
	At          string `json:"at,omitzero"`           // in the answer: "line 19", "byte 120"
	Field       string `json:"field,omitzero"`        // ours
	SourceField string `json:"source_field,omitzero"` // theirs
	Value       string `json:"value,omitzero"`
}

// mostFindings bounds what is said about one check.
const mostFindings = 20

// say adds a sentence and makes the verdict as bad as it says.
func (c *Check) say(v Verdict, format string, args ...any) {
	c.find(v, Finding{Message: fmt.Sprintf(format, args...)})
}

func (c *Check) find(v Verdict, f Finding) {
	if v == Wrong || v == Warning && c.Verdict == Fine {
		c.Verdict = v
	}
	switch {
	case len(c.Findings) < mostFindings:
		c.Findings = append(c.Findings, f)
	case len(c.Findings) == mostFindings:
		c.Findings = append(c.Findings, Finding{Message: "There is more of this."})
	}
}

// skip says why a check was not made.
func (c *Check) skip(format string, args ...any) {
	c.Verdict, c.Findings = NotTried, []Finding{{Message: fmt.Sprintf(format, args...)}}
}

// remark adds what Gangway notes about a record, and what follows from it.
func (c *Check) remark(v Verdict, r gangway.FeedRemark, then string) {
	where := fmt.Sprint("record ", r.Record)
	if r.At != "" {
		where += ", " + r.At
	}
	words, name := r.Words()
	if name != "" {
		where += ", " + name
	}
	c.find(v, Finding{Message: words + then, At: where, Field: r.Field, SourceField: r.SourceField, Value: r.Value})
}

// see notes that a check rests on a call.
func (c *Check) see(calls ...*Call) {
	for _, call := range calls {
		c.Calls = append(c.Calls, call.Number)
	}
}

// A Call is one question to the system, its answer, and what was understood of it. An
// answer of several pages has a request for each.
type Call struct {
	Number   int              `json:"number"` // from 1
	Part     string           `json:"part"`
	Question string           `json:"question"` // in words
	Requests []Request        `json:"requests"`
	Took     int64            `json:"took_ms"` // until it was read to its end
	Error    string           `json:"error,omitzero"`
	Format   string           `json:"format,omitzero"`   // as it was found
	Received int              `json:"received"`          // records that were asked for
	Passed   int              `json:"passed_over"`       // records that were not
	Refused  int              `json:"refused"`           // of those received
	Records  []jsontext.Value `json:"records,omitempty"` // the first that were understood, in the interface's spelling

	took     time.Duration
	status   int // of the last request
	timedOut bool
	// unwelcome calls are to be refused.
	unwelcome bool
	facts     *facts
	says      decode.Envelope
	hide      func(string) string
	refusals  []gangway.FeedRemark
	warnings  []gangway.FeedRemark
}

// answered reports whether the call had an answer that could be read.
func (c *Call) answered() bool { return c.Error == "" }

// A Request is one exchange by HTTP, without what is secret.
type Request struct {
	Method    string              `json:"method"`
	Address   string              `json:"address"`
	Sent      map[string][]string `json:"sent"`
	Status    int                 `json:"status,omitzero"`
	Header    map[string][]string `json:"header,omitempty"`
	Connected int64               `json:"connected_ms"` // 0: the connection was open already, or there was none
	FirstByte int64               `json:"first_byte_ms"`
	Took      int64               `json:"took_ms"`
	Bytes     int64               `json:"bytes"` // of the body, as far as it was read
	Raw       string              `json:"raw,omitzero"`
	RawCut    bool                `json:"raw_cut,omitzero"` // there was more
	// RawEncoding is what raw was decoded from; empty: UTF-8; "binary": it is no text, and not shown.
	RawEncoding string `json:"raw_encoding,omitzero"`

	declared string // Content-Type as it came, which is not for showing
}

// count adds up the verdicts.
func (r *Report) count() {
	n := map[Verdict]int{}
	for i := range r.Checks {
		c := &r.Checks[i]
		n[c.Verdict]++
		if c.Findings == nil {
			c.Findings = []Finding{}
		}
		if c.Calls == nil {
			c.Calls = []int{}
		}
	}
	r.Fine, r.Warnings, r.Wrong, r.NotTried = n[Fine], n[Warning], n[Wrong], n[NotTried]
	r.Verdict = NotTried
	for _, v := range []Verdict{Fine, Warning, Wrong} {
		if n[v] > 0 {
			r.Verdict = v
		}
	}
}

// A Group is one check, or several of a part, one after the other, that were not tried for
// the same reason: people read that once.
type Group []Check

// Groups are the checks as people read them.
func (r *Report) Groups() (list []Group) {
	for _, c := range r.Checks {
		n := len(list) - 1
		if n >= 0 && c.Because != "" && c.Part == list[n][0].Part && c.Because == list[n][0].Because &&
			slices.Equal(c.Findings, list[n][0].Findings) {
			list[n] = append(list[n], c)
			continue
		}
		list = append(list, Group{c})
	}
	return list
}

// Sentences are what people read of the checks.
func (g Group) Sentences() []string {
	list := g[0].Sentences()
	ids := gangway.Each(g[1:], func(c Check) string { return c.ID })
	if ids != nil {
		list = append(list, "For the same reason not tried: "+strings.Join(ids, ", ")+".")
	}
	return list
}

// Call returns a call by its number.
func (r *Report) Call(number int) *Call { return &r.Calls[number-1] }
