package gangway

import (
	"fmt"
	"time"
)

// warnTwice warns of members who appear in c a second time. It runs for every
// crew that is uploaded, so it compares values letter by letter; the pages
// compare what the values mean.
func (c *CrewChange) warnTwice(w *Problems, at ProblemPath) {
	type mark [3]string
	type place struct {
		section string
		i       int
	}
	seen := make(map[mark]place, 3*c.Size())
	look := func(m *CrewMember, here place) {
		marks, n := [3]mark{}, 0
		if m.ID != "" {
			marks[n], n = mark{"id", m.ID}, n+1
		}
		if m.DocNumber != "" {
			marks[n], n = mark{"document", string(m.DocCountry), m.DocNumber}, n+1
		}
		if m.DOB != "" {
			marks[n], n = mark{m.LastName, m.FirstName, string(m.DOB)}, n+1
		}
		said := false
		for _, k := range marks[:n] {
			first, again := seen[k]
			if !again {
				seen[k] = here
			} else if !said {
				at := at.Inside(here.section, here.i+1)
				w.Add(at.Field("LastName"),
					"The LastName field: the same person is listed at %s already, and is booked once.",
					fmt.Sprintf("%s[%d]", first.section, first.i))
				said = true
			}
		}
	}
	for i := range c.OnSigners {
		look(&c.OnSigners[i], place{"Onsigners", i})
	}
	for i := range c.OffSigners {
		look(&c.OffSigners[i], place{"Offsigners", i})
	}
}

// farDays is how many days from the crew change a member's own date is still
// believable: joining for a course, or leaving after some shore leave, is within it.
const farDays = 14

// warnFar warns of a member's own date that is far from the crew change: most
// often a month or a year was mistyped. Dates in the past have their own warning.
func warnFar(w *Problems, at ProblemPath, field string, d, change Date, o WarningContext) {
	if d == "" || change == "" || d == change || !d.Valid() || !change.Valid() || o.Today.Over(d) ||
		o.Today.Over(change) {
		return
	}
	days := int(d.In(time.UTC).Sub(change.In(time.UTC)).Hours() / 24)
	if days < -farDays || days > farDays {
		w.Add(at.Field(field), "The %s field is %d days from the ChangeDate, %s.", field, max(days, -days), change)
	}
}
