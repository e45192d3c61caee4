package mapping

import (
	"fmt"

	"gangway/internal/gangway"
)

// A Rewritten value was understood and written as the interface has it: "female" became "F".
type Rewritten struct {
	Field    string // as problems name it: "Gender", "Onsigners[1].Dob"
	From, To string
}

// NoteRewritten has the records note which of their values were rewritten, from now on. What a
// program makes of values is as its author wants it, and is not noted.
func (r *Records) NoteRewritten() {
	if g, ok := r.from.(*guessing); ok {
		g.reads.noting = true
		if g.reads.members != nil {
			g.reads.members.noting = true
		}
	}
}

// Rewritten returns the values of the last record that were rewritten.
func (r *Records) Rewritten() []Rewritten { return r.current.rewritten }

// note notes that a value was rewritten.
func (r *reader) note(path []string, from, to any) {
	was, is := fmt.Sprint(from), fmt.Sprint(to)
	if text, ok := textOf(from); ok {
		was = text
	}
	if to == nil || was == is || is == unclearM {
		return
	}
	r.rewritten = append(r.rewritten, Rewritten{problemPath(path), was, is})
}

// rewrittenOf are the rewritten values of a crew change's member, the n-th on a side.
func rewrittenOf(side string, n int, list []Rewritten) (all []Rewritten) {
	for _, v := range list {
		v.Field = fmt.Sprintf("%s[%d].%s", gangway.FieldName(side), n, v.Field)
		all = append(all, v)
	}
	return all
}
