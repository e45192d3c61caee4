package gangway

import (
	"fmt"
	"strconv"
)

// maxProblems is how many fields of one upload are reported at most: enough to
// see a pattern, little enough to read and to send.
//
// Decided: docs/choices.md, "Uploads".
const maxProblems = 1000

// Problems collects what is wrong with an upload, field by field.
// The zero value is empty and ready to use.
type Problems struct {
	// Fields maps a field path to sentences about it; see At.Field for paths.
	Fields map[string][]string
}

// Add notes that the field at path is wrong. Beyond 1,000 fields it notes nothing more.
func (p *Problems) Add(path, format string, args ...any) {
	if _, known := p.Fields[path]; !known && len(p.Fields) >= maxProblems {
		return
	}
	if p.Fields == nil {
		p.Fields = map[string][]string{}
	}
	p.Fields[path] = append(p.Fields[path], fmt.Sprintf(format, args...))
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

// At says where in an upload a value stands. It is a plain value, so that
// records without fault pay nothing for the path they never need.
type At struct {
	Record  int    // position in the uploaded array, from 0
	Section string // "Traveler", "Flight", "Onsigners"; empty for the record itself
	Item    int    // position within the section from 1; 0 when the section is no list
}

// Field returns the path of the named field in PascalCase wire names, as in
// "[0].Traveler.Gender" or "[1].Onsigners[0].DocExpire".
//
// Spec: Errors; decided: docs/choices.md, "Uploads".
func (a At) Field(name string) string {
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
