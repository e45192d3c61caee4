package mapping

import (
	"slices"
	"strings"
	"unicode"

	"gangway/internal/gangway"
)

// A field is a member of our records, as the interface has it.
type field struct {
	name    string
	text    bool              // numbers are written as texts
	each    *field            // of a list: what it is a list of
	members map[string]*field // of an object: by their names, only letters and figures, in lower case
	any     *field            // of an object that has any members: what they are
	lift    func([]member) []member
	place   int // among its object's members, from 1, in the order of their names
	named   int // members of an object
}

// member returns what a member is written as, and what it is.
func (f *field) member(name string) (string, *field) {
	if m, ok := f.members[name]; ok {
		return m.name, m
	}
	if f.any != nil {
		return name, f.any
	}
	if m, ok := f.members[bare(name)]; ok {
		return m.name, m
	}
	return name, nil
}

// bare reduces a name to its letters and figures, in lower case: last_name,
// lastName and "Last name" become lastname.
func bare(name string) string {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			var b strings.Builder
			for _, r := range gangway.Fold(name) {
				if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' ||
					r >= 0x80 && r != 'º' && r != 'ª' && unicode.IsLetter(r) {
					b.WriteRune(r)
				}
			}
			return b.String()
		}
	}
	return name
}

// shapes are our records.
//
// Spec: Resources and their fields.
var shapes = map[gangway.Flow]*field{
	gangway.TravellersFlow:      shapeOf(gangway.TravellersFlow),
	gangway.TravellerLookupFlow: shapeOf(gangway.TravellerLookupFlow),
	gangway.TravelRequestsFlow:  travelRequest(),
	gangway.CrewChangesFlow:     shapeOf(gangway.CrewChangesFlow),
}

func shapeOf(flow gangway.Flow) *field {
	return fieldOf(gangway.Member{Form: gangway.Object, Members: gangway.MembersOf(flow)})
}

// fieldOf returns a member with the other spellings of its name, and of those in it.
func fieldOf(m gangway.Member) *field {
	f := &field{name: m.Name, text: m.IsText() || m.Form == gangway.DayAtPort}
	switch m.Form {
	case gangway.List:
		m.Form, m.Name = gangway.Object, ""
		f.each = fieldOf(m)
		return f
	case gangway.Entries:
		f.any = &field{text: true}
		return f
	}
	if m.Members == nil {
		return f
	}
	f.members, f.named = map[string]*field{}, len(m.Members)
	inOrder := slices.SortedFunc(slices.Values(m.Members), func(a, b gangway.Member) int {
		return strings.Compare(a.Name, b.Name)
	})
	for i, of := range inOrder {
		inner := fieldOf(of)
		inner.place = i + 1
		for _, other := range append(of.Also, spellings[bare(of.Name)]...) {
			f.members[bare(other)] = inner
		}
		f.members[bare(of.Name)], f.members[of.Name] = inner, inner
	}
	return f
}

// spellings are other names of members, by their names in letters and figures.
var spellings = map[string][]string{
	"docexpire":     {"docexpiredate", "docexpiry"},
	"docexpiredate": {"docexpiry"},
	"traveler":      {"traveller"},
}

func travelRequest() *field {
	f := shapeOf(gangway.TravelRequestsFlow)
	external := f.members["externalInfo"]
	f.lift = func(members []member) []member { return liftExternal(members, external) }
	return f
}

// liftExternal puts the identifiers that customers' systems have at the top of a
// travel request where uploads have them.
//
// Spec: externalInfo.
func liftExternal(members []member, external *field) []member {
	var lifted map[string]any
	kept := members[:0]
	at := -1
	for _, m := range members {
		switch name := bare(m.name); {
		case name == "requestid", name == "subrequestid", name == "additionalinfo":
			if lifted == nil {
				lifted = map[string]any{}
			}
			lifted[m.name] = m.value
			continue
		case m.name == "externalInfo":
			at = len(kept)
		}
		kept = append(kept, m)
	}
	switch {
	case lifted == nil:
		return members
	case at < 0:
		return append(kept, member{name: "externalInfo", field: external, value: lifted})
	}
	inside, _ := kept[at].value.(map[string]any)
	for name, value := range inside {
		if value != nil && value != "" {
			for top := range lifted { // what stands inside goes first
				if bare(top) == bare(name) {
					delete(lifted, top)
				}
			}
			lifted[name] = value
		}
	}
	kept[at].value = lifted
	return kept
}
