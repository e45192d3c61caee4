package gangway

import (
	"slices"
	"time"
)

// A DroppedMember was in a crew change, and a later upload leaves them out. The
// customer's plan no longer includes them, but there may still be a booking.
type DroppedMember struct {
	CrewMember
	Side Side      `json:"side"` // whether they were to join or to leave
	At   time.Time `json:"at"`   // of the upload that left them out
}

// maxDropped is how many dropped members a crew change keeps, the latest first:
// more than any vessel has berths.
const maxDropped = 1000

// Replace returns c as it stands after an upload at the instant at that takes
// the place of old: whoever is in old but not in c is dropped from then on, and
// those dropped earlier stay dropped unless c has them again.
func (c CrewChange) Replace(old CrewChange, at time.Time) CrewChange {
	c.Dropped = nil
	for _, side := range []struct {
		side     Side
		old, now []CrewMember
	}{{OnSigner, old.OnSigners, c.OnSigners}, {OffSigner, old.OffSigners, c.OffSigners}} {
		here := newRoster(side.now)
		gone := roster{}
		for _, m := range side.old {
			if !here.has(m.Traveller) && !gone.has(m.Traveller) {
				gone.add(m.Traveller, len(c.Dropped))
				c.Dropped = append(c.Dropped, DroppedMember{CrewMember: m, Side: side.side, At: at})
			}
		}
		for _, d := range old.Dropped {
			if d.Side == side.side && !here.has(d.Traveller) && !gone.has(d.Traveller) {
				gone.add(d.Traveller, len(c.Dropped))
				c.Dropped = append(c.Dropped, d)
			}
		}
	}
	c.latestDropped()
	return c
}

// latestDropped sorts the dropped, the latest first, and cuts the list to its limit.
func (c *CrewChange) latestDropped() {
	slices.SortStableFunc(c.Dropped, func(a, b DroppedMember) int { return b.At.Compare(a.At) })
	c.Dropped = c.Dropped[:min(len(c.Dropped), maxDropped)]
}

// A roster finds people in a list, and their positions, by the customer's
// identifier, or else by passport, or else by name and date of birth: each only
// if both the person looked for and the one found have it.
type roster map[rosterKey]int

// A rosterKey is one way to recognise a person. without names the better ways
// that this person lacks; it is set only where lacking them does not matter.
type rosterKey struct{ by, value, without string }

func newRoster(members []CrewMember) roster {
	r := make(roster, 3*len(members))
	for i, m := range members {
		r.add(m.Traveller, i)
	}
	return r
}

func (r roster) add(t Traveller, i int) {
	id, doc, name := t.ways()
	r[rosterKey{"name", name, ""}] = i
	if doc != "" {
		r[rosterKey{"doc", doc, ""}] = i
	} else {
		r[rosterKey{"name", name, "doc"}] = i
	}
	if id != "" {
		r[rosterKey{"id", id, ""}] = i
		return
	}
	r[rosterKey{"name", name, "id"}] = i
	if doc != "" {
		r[rosterKey{"doc", doc, "id"}] = i
	} else {
		r[rosterKey{"name", name, "id, doc"}] = i
	}
}

func (r roster) has(t Traveller) bool {
	_, ok := r.find(t)
	return ok
}

// find returns the position of t.
func (r roster) find(t Traveller) (at int, found bool) {
	id, doc, name := t.ways()
	keys := []rosterKey{{"name", name, ""}}
	switch {
	case id != "" && doc != "":
		keys = []rosterKey{{"id", id, ""}, {"doc", doc, "id"}, {"name", name, "id, doc"}}
	case id != "":
		keys = []rosterKey{{"id", id, ""}, {"name", name, "id"}}
	case doc != "":
		keys = []rosterKey{{"doc", doc, ""}, {"name", name, "doc"}}
	}
	for _, key := range keys {
		if i, ok := r[key]; ok {
			return i, true
		}
	}
	return 0, false
}

// ways returns how t can be recognised, the surest way first; id and doc are
// empty if t has none.
func (t Traveller) ways() (id, doc, name string) {
	if t.DocNumber != "" {
		doc = string(t.DocCountry) + ":" + FoldDocument(t.DocNumber)
	}
	return t.ID, doc, Fold(t.LastName) + "\x00" + Fold(t.FirstName) + "\x00" + string(t.DOB)
}

// Among returns a function that tells whether somebody may be one of list. It
// recognises people as rosters do: by identifier, passport, or name and date of birth.
func Among(list []Traveller) func(Traveller) bool {
	known := roster{}
	for i, t := range list {
		known.add(t, i)
	}
	return func(t Traveller) bool {
		id, doc, name := t.ways()
		for _, key := range []rosterKey{{"id", id, ""}, {"doc", doc, ""}, {"name", name, ""}} {
			if _, ok := known[key]; ok {
				return true
			}
		}
		return false
	}
}
