package gangway

import (
	"fmt"
	"time"
)

// warnTwice notes members who stand in c a second time. It is asked of every
// crew that is uploaded, so values count letter by letter here; the pages
// compare what they mean.
func (c *CrewChange) warnTwice(w *Problems, record int) {
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
				at := ProblemPath{Record: record, Section: here.section, Item: here.i + 1}
				w.Add(at.Field("LastName"),
					"The LastName field: the same person stands at %s already, and is booked once.",
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

// farDays is how many days from the day of a crew change a member's own day is
// believed; whoever joins for a course or leaves after leave ashore is within it.
const farDays = 14

// warnFar notes a member's own day that is far from that of the crew change: most
// often a month or a year was mistyped. What is in the past is warned of already.
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
