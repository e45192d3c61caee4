package gangway

import (
	"slices"
	"time"
)

// A DroppedMember is somebody who was in a crew change and whom a later upload
// of it leaves out. The customer's plan does not want them any more; a booking
// that was made for them may still be there.
type DroppedMember struct {
	CrewMember
	Side Side      `json:"side"` // whether they were to join or to leave
	At   time.Time `json:"at"`   // of the upload that left them out
}

// maxDropped is how many dropped members a crew change keeps, the latest of
// them: more than any vessel has berths.
const maxDropped = 1000

// Replace returns c as it stands after it was sent anew, at at, in place of
// old: whoever old has and c has not is dropped since then, and whoever was
// dropped before stays so unless c has them again.
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

// Join returns one crew change of c and other, which were kept as two: c with
// those of other's members whom it lacks, on the side where they were. Nobody
// who is planned is lost by it; the customer's next upload says who stays.
func (c CrewChange) Join(other CrewChange) CrewChange {
	joined := c
	joined.OnSigners, joined.OffSigners = union(c.OnSigners, other.OnSigners), union(c.OffSigners, other.OffSigners)
	joined.Dropped = nil
	on, off, was := newRoster(joined.OnSigners), newRoster(joined.OffSigners), map[Side]roster{OnSigner: {},
		OffSigner: {}}
	for _, d := range slices.Concat(c.Dropped, other.Dropped) {
		here := on
		if d.Side == OffSigner {
			here = off
		}
		if gone := was[d.Side]; gone != nil && !here.has(d.Traveller) && !gone.has(d.Traveller) {
			gone.add(d.Traveller, len(joined.Dropped))
			joined.Dropped = append(joined.Dropped, d)
		}
	}
	joined.latestDropped()
	if joined.Moved == nil {
		joined.Moved = other.Moved
	}
	return joined
}

// union returns list and those of more who are not in it.
func union(list, more []CrewMember) []CrewMember {
	all, here := slices.Clone(list), newRoster(list)
	for _, m := range more {
		if !here.has(m.Traveller) {
			all = append(all, m)
		}
	}
	return all
}

// latestDropped puts the latest first, and keeps no more than are kept.
func (c *CrewChange) latestDropped() {
	slices.SortStableFunc(c.Dropped, func(a, b DroppedMember) int { return b.At.Compare(a.At) })
	c.Dropped = c.Dropped[:min(len(c.Dropped), maxDropped)]
}

// A roster tells who is among some people, and at which position, by the
// customer's identifier, or else by passport, or else by name and date of
// birth: each where both the person looked for and the one found have it.
type roster map[rosterKey]int

// A rosterKey is one way to know a person. without says which better ways that
// person does not have; it is set only for those to whom that is no obstacle.
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
func (r roster) find(t Traveller) (int, bool) {
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

// ways returns how t can be known, the surest first; id and doc are empty
// where t has none.
func (t Traveller) ways() (id, doc, name string) {
	if t.DocNumber != "" {
		doc = string(t.DocCountry) + ":" + FoldDocument(t.DocNumber)
	}
	return t.ID, doc, Fold(t.LastName) + "\x00" + Fold(t.FirstName) + "\x00" + string(t.DOB)
}

// Among returns what tells whether somebody may be one of list, as rosters know
// people: by identifier, passport, or name and date of birth.
func Among(list []Traveller) func(Traveller) bool {
	known := make(map[rosterKey]bool, 3*len(list))
	for _, t := range list {
		id, doc, name := t.ways()
		known[rosterKey{"id", id, ""}], known[rosterKey{"doc", doc, ""}], known[rosterKey{"name", name, ""}] = true,
			true, true
	}
	return func(t Traveller) bool {
		id, doc, name := t.ways()
		return id != "" && known[rosterKey{"id", id, ""}] || doc != "" && known[rosterKey{"doc", doc, ""}] ||
			known[rosterKey{"name", name, ""}]
	}
}
