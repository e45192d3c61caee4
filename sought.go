package gangway

import (
	"cmp"
	"slices"
	"strings"
)

// A Likeness is what of a traveller's record tells whose it is. Names and
// numbers of documents are folded.
type Likeness struct {
	ID, DocCountry, DocNumber, Name string
	DOB                             Date
}

// Likeness returns what of t tells who that is; the zero Likeness where t is erased.
func (t Traveller) Likeness() Likeness {
	if t.Erased() {
		return Likeness{}
	}
	return Likeness{ID: t.ID, DocCountry: string(t.DocCountry), DocNumber: Fold(t.DocNumber), Name: Fold(t.LastName + " " + t.FirstName), DOB: t.DOB}
}

// Sought is the traveller whose data are to be erased: by the customer's
// identifier, or by passport, or by name and date of birth.
type Sought struct {
	ID         string
	DocCountry Country
	DocNumber  string
	Name       string // "Santos, Maria", "Santos Maria" or "Maria Santos"
	DOB        Date
}

// Marks are what the records of whoever l shows have in common, each for
// itself: all with the same identifier, number of a passport or name have a mark in common.
func (l Likeness) Marks() (list []string) {
	for _, m := range []struct{ kind, value string }{{"id", l.ID}, {"document", l.DocNumber}, {"name", l.Name}} {
		if m.value != "" {
			list = append(list, m.kind+" "+m.value)
		}
	}
	return list
}

// Marks are those of which each record that s names has one.
func (s Sought) Marks() (list []string) {
	switch last, first, ok := strings.Cut(s.Name, ","); {
	case s.ID != "":
		return Likeness{ID: s.ID}.Marks()
	case s.DocNumber != "":
		return Likeness{DocNumber: Fold(s.DocNumber)}.Marks()
	case ok:
		return Likeness{Name: Fold(last + " " + first)}.Marks()
	}
	for _, name := range turns(s.Name) {
		list = append(list, Likeness{Name: name}.Marks()...)
	}
	return list
}

// names reports whether l is who is sought, by what was given.
func (s Sought) names(l Likeness) bool {
	switch {
	case s.ID != "":
		return l.ID == s.ID
	case s.DocNumber != "":
		return l.DocNumber == Fold(s.DocNumber) && l.DocCountry == string(s.DocCountry)
	}
	return l.DOB == s.DOB && s.hasName(l.Name)
}

// hasName reports whether a folded name, surname first, is the one given.
func (s Sought) hasName(name string) bool {
	if last, first, ok := strings.Cut(s.Name, ","); ok {
		return name == Fold(last+" "+first)
	}
	return slices.Contains(turns(s.Name), name)
}

// turns are a name folded, begun at each of its words: any of them may be where the surname begins.
func turns(name string) (list []string) {
	words := strings.Fields(Fold(name))
	for i := range words {
		list = append(list, strings.Join(append(slices.Clone(words[i:]), words[:i]...), " "))
	}
	return list
}

// Find returns which of all likenesses are who is sought, and which are alike
// and yet may be somebody else: they have another identifier, or another
// passport. Records without an identifier follow the passport, and those
// without a passport the name and the date of birth, as long as nobody else has them.
//
// NotFound: there is nobody. Conflict: there are several, who are named.
func (s Sought) Find(all map[Likeness]bool) (mine map[Likeness]bool, alike []Likeness, err error) {
	mine = map[Likeness]bool{}
	for l := range all {
		if l != (Likeness{}) && s.names(l) {
			mine[l] = true
		}
	}
	if len(mine) == 0 {
		return nil, nil, Errorf(NotFound, "there is no such traveller")
	}
	if several := people(mine); len(several) > 1 {
		return nil, nil, Errorf(Conflict, "these are several travellers: %s. Name one by --id, or by --doc-country and --doc-number", strings.Join(several, "; "))
	}
	for grown := true; grown; {
		grown = false
		for l := range all {
			if l != (Likeness{}) && !mine[l] && follows(l, mine, all) {
				mine[l], grown = true, true
			}
		}
	}
	for l := range all {
		if l != (Likeness{}) && !mine[l] && isAlike(l, mine) {
			alike = append(alike, l)
		}
	}
	slices.SortFunc(alike, func(a, b Likeness) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.DocNumber, b.DocNumber)) })
	return mine, alike, nil
}

// people lists who is among likenesses, by identifier, or else by passport of
// which only the end is told.
func people(list map[Likeness]bool) []string {
	ids, documents, known := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for l := range list {
		if l.ID != "" {
			ids["id "+l.ID] = true
			known[l.DocNumber] = true
		}
	}
	for l := range list {
		if l.ID == "" && l.DocNumber != "" && !known[l.DocNumber] {
			documents[l.Who()] = true
		}
	}
	var names []string
	for name := range ids {
		names = append(names, name)
	}
	if len(ids) == 0 {
		for name := range documents {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func of(country string) string {
	if country == "" {
		return ""
	}
	return " of " + country
}

func tail(s string) string {
	r := []rune(s)
	return string(r[max(0, len(r)-3):])
}

// follows reports whether l is the same person as those found so far.
func follows(l Likeness, mine, all map[Likeness]bool) bool {
	known := false // whether those found have an identifier
	for m := range mine {
		if m.ID != "" {
			known = true
			if l.ID == m.ID {
				return true
			}
		}
	}
	if l.ID != "" && known {
		return false
	}
	other, numbered := false, false
	for m := range mine {
		if l.sameDocument(m) {
			return true
		}
		numbered = numbered || m.DocNumber != ""
	}
	if l.DocNumber != "" && numbered {
		return false
	}
	named := false
	for m := range mine {
		named = named || l.sameName(m)
	}
	if !named {
		return false
	}
	for o := range all { // somebody else of that name, who has more to be known by
		other = other || !mine[o] && o != l && (o.ID != "" || o.DocNumber != "" || o.DOB != "" && l.DOB == "") && o.sameName(l)
	}
	return !other
}

// HandedOver reports whether l, of a hand-off that is no account's yet, is the
// person found as mine among all that an account has, or else only alike. It is by the
// rule of Find, but that the identifier may be another customer's name for
// somebody else: it counts unless name, date of birth and passport all say so.
func (l Likeness) HandedOver(mine, all map[Likeness]bool) (is, alike bool) {
	if l == (Likeness{}) {
		return false, false
	}
	if mine[l] {
		return true, false
	}
	named, agrees := false, l.Name == "" && l.DOB == "" && l.DocNumber == ""
	for m := range mine {
		if l.ID == "" || l.ID != m.ID {
			continue
		}
		named = true
		for m := range mine {
			agrees = agrees || l.Name != "" && l.Name == m.Name || l.DOB != "" && l.DOB == m.DOB || l.sameDocument(m)
		}
	}
	if named {
		return agrees, !agrees
	}
	if follows(l, mine, all) {
		return true, false
	}
	return false, isAlike(l, mine)
}

func (l Likeness) sameDocument(m Likeness) bool {
	return l.DocNumber != "" && l.DocNumber == m.DocNumber && (l.DocCountry == m.DocCountry || l.DocCountry == "" || m.DocCountry == "")
}

// sameName reports whether l and m have one name, and no two dates of birth.
func (l Likeness) sameName(m Likeness) bool {
	return l.Name == m.Name && (l.DOB == m.DOB || l.DOB == "" || m.DOB == "")
}

func isAlike(l Likeness, mine map[Likeness]bool) bool {
	for m := range mine {
		if l.sameDocument(m) || l.sameName(m) {
			return true
		}
	}
	return false
}

// Who says in words, without a document's number, whom a likeness shows.
func (l Likeness) Who() string {
	switch {
	case l.ID != "":
		return "id " + l.ID
	case l.DocNumber != "":
		return "a passport" + of(l.DocCountry) + " that ends in " + strings.ToUpper(tail(l.DocNumber))
	}
	return "a record without identifier and passport"
}
