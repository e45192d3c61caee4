package gangway

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// maxProblems is how many fields of one upload are reported at most: enough to
// see a pattern, and few enough to read and to send.
//
// Decided: docs/choices.md, "Uploads".
const maxProblems = 1000

// Problems collects remarks about an upload, field by field: errors, or, in a
// second value, warnings. The zero value is empty and ready to use.
type Problems struct {
	// Fields maps a field path to sentences about it; see ProblemPath.Field for paths.
	Fields map[string][]string
	// Truncated says that there are remarks about further fields.
	Truncated bool

	unsigned []remark // since the last call of Sign
}

// A remark is the position of a sentence in Fields.
type remark struct {
	path     string
	sentence int
}

// Add notes a sentence about the field at path. Once 1,000 fields are noted it
// records only that there are more.
func (p *Problems) Add(path, format string, args ...any) {
	said, known := p.Fields[path]
	if !known && len(p.Fields) >= maxProblems {
		p.Truncated = true
		return
	}
	if p.Fields == nil {
		p.Fields = map[string][]string{}
	}
	p.Fields[path] = append(said, fmt.Sprintf(format, args...))
	p.unsigned = append(p.unsigned, remark{path, len(said)})
}

// Sign appends the customer's own identifier to each sentence noted since the
// last call, as in "The Gender field is required. (C-1001)": a position in an
// array does not help people to find the record. Each of names returns what is
// appended for what stands at a path: its identifier, or its place in the
// document as it arrived; empty if there is none.
func (p *Problems) Sign(names ...func(path string) string) {
	for _, r := range p.unsigned {
		for _, of := range names {
			if name := of(r.path); name != "" && utf8.RuneCountInString(name) <= MostText {
				p.Fields[r.path][r.sentence] += " (" + name + ")"
			}
		}
	}
	p.unsigned = p.unsigned[:0]
}

// Join adds the remarks of q, which are signed already. If there are too many,
// the first paths count.
func (p *Problems) Join(q *Problems) {
	for _, path := range slices.Sorted(maps.Keys(q.Fields)) {
		for _, sentence := range q.Fields[path] {
			p.Add(path, "%s", sentence)
		}
	}
	p.Truncated = p.Truncated || q.Truncated
	p.unsigned = p.unsigned[:0]
}

// Has reports whether something is already noted for the field at path.
func (p *Problems) Has(path string) bool { return len(p.Fields[path]) > 0 }

// Err returns nil when nothing is wrong, and a *ProblemsError otherwise.
func (p *Problems) Err() error {
	if len(p.Fields) == 0 {
		return nil
	}
	return &ProblemsError{Problems: *p}
}

// ProblemsError is an upload refused for the fields it lists. Its kind is Invalid.
type ProblemsError struct{ Problems }

// Error says how many fields are wrong.
func (e *ProblemsError) Error() string {
	return fmt.Sprintf("%d fields are missing or wrong", len(e.Fields))
}

// ProblemPath says where in an upload a value stands. It is a plain value, so that
// records without errors do not pay for building paths that nobody reads.
type ProblemPath struct {
	Record  int    // position in the uploaded array, from 0
	Section string // "Traveler", "Flight", "Onsigners"; empty for the record itself
	Item    int    // position within the section from 1; 0 when the section is not a list
}

// Inside returns the path of a section of what stands at a, or of an item of it, from 1.
func (a ProblemPath) Inside(section string, item int) ProblemPath {
	if a.Section != "" {
		section = a.Section + "." + section
	}
	return ProblemPath{a.Record, section, item}
}

// Field returns the path of the named field in PascalCase wire names, as in
// "[0].Traveler.Gender" or "[1].Onsigners[0].DocExpire".
//
// Spec: Errors; decided: docs/choices.md, "Uploads".
func (a ProblemPath) Field(name string) string {
	b := make([]byte, 0, 48)
	b = append(b, '[')
	b = strconv.AppendInt(b, int64(a.Record), 10)
	b = append(b, ']')
	if a.Section != "" {
		b = append(append(b, '.'), a.Section...)
		if a.Item > 0 {
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(a.Item-1), 10)
			b = append(b, ']')
		}
	}
	if name != "" {
		b = append(append(b, '.'), name...)
	}
	return string(b)
}
