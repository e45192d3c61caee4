package erasure

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// An Identity is the part of a record that tells which traveller it belongs to. Names and document
// numbers are folded.
type Identity struct {
	ID, DocCountry, DocNumber, Name string
	DOB                             gangway.Date
}

// IdentityOf returns the identity in t; the zero Identity where t is erased.
func IdentityOf(t gangway.Traveller) Identity {
	if t.Erased() {
		return Identity{}
	}
	return Identity{ID: t.ID, DocCountry: string(t.DocCountry), DocNumber: gangway.FoldDocument(t.DocNumber),
		Name: t.FoldedName(), DOB: t.DOB}
}

// DataSubject is the traveller whose data are to be erased: by the customer's
// identifier, or by passport, or by name and date of birth.
type DataSubject struct {
	ID         string
	DocCountry gangway.Country
	DocNumber  string
	Name       string // "Santos, Maria", "Santos Maria" or "Maria Santos"
	DOB        gangway.Date
}

// MatchKeys are the keys by which records of the same person are found: records with the same
// identifier, passport number or name share a key.
func (l Identity) MatchKeys() (list []string) {
	for _, m := range []struct{ kind, value string }{{"id", l.ID}, {"document", l.DocNumber}, {"name", l.Name}} {
		if m.value != "" {
			list = append(list, m.kind+" "+m.value)
		}
	}
	return list
}

// MatchKeys are keys such that every record of the data subject has at least one of them.
func (s DataSubject) MatchKeys() (list []string) {
	switch {
	case s.ID != "":
		return Identity{ID: s.ID}.MatchKeys()
	case s.DocNumber != "":
		return Identity{DocNumber: gangway.FoldDocument(s.DocNumber)}.MatchKeys()
	}
	for _, name := range s.foldedNames() {
		list = append(list, Identity{Name: name}.MatchKeys()...)
	}
	return list
}

// Matches reports whether l is the data subject, judged by the details given.
func (s DataSubject) Matches(l Identity) bool {
	switch {
	case s.ID != "":
		return l.ID == s.ID
	case s.DocNumber != "":
		return l.DocNumber == gangway.FoldDocument(s.DocNumber) && l.DocCountry == string(s.DocCountry)
	}
	return l.DOB == s.DOB && slices.Contains(s.foldedNames(), l.Name)
}

// foldedNames are the values that Traveller.FoldedName may return for the name given: without a
// comma, the surname may begin at any word.
func (s DataSubject) foldedNames() (list []string) {
	if last, first, ok := strings.Cut(s.Name, ","); ok {
		return []string{gangway.Fold(last + " " + first)}
	}
	words := strings.Fields(gangway.Fold(s.Name))
	for i := range words {
		list = append(list, strings.Join(append(slices.Clone(words[i:]), words[:i]...), " "))
	}
	return list
}

// Find returns which of all identities belong to the data subject, and which only resemble it: they
// may be somebody else, because they have another identifier or another passport. Records without
// an identifier go by the passport, and those without a passport by the name and the date of birth,
// unless somebody else has them too.
//
// It fails with NotFound if nobody fits, and with Conflict if several people fit, whom the error
// names.
func (s DataSubject) Find(all map[Identity]bool) (mine map[Identity]bool, alike []Identity, err error) {
	all = maps.Clone(all)
	delete(all, Identity{}) // an erased traveller is nobody
	mine = map[Identity]bool{}
	for l := range all {
		if s.Matches(l) {
			mine[l] = true
		}
	}
	if len(mine) == 0 {
		return nil, nil, s.nobody()
	}
	several := func() error {
		names := describeIdentities(mine)
		if len(names) < 2 {
			return nil
		}
		return gangway.Errorf(gangway.Conflict, "these are several travellers: %s. Name one by --id, or by "+
			"--doc-country and --doc-number", strings.Join(names, "; "))
	}
	if err := several(); err != nil {
		return nil, nil, err
	}
	for more := true; more; { // each round adds whoever matches those found so far, so that order does not matter
		found := maps.Clone(mine)
		for l := range all {
			if mine[l] || isSamePerson(l, mine, all) {
				found[l] = true
			}
		}
		more, mine = len(found) > len(mine), found
	}
	if err := several(); err != nil {
		return nil, nil, err
	}
	for l := range all {
		if !mine[l] && l.isAlike(mine) {
			alike = append(alike, l)
		}
	}
	slices.SortFunc(alike, func(a, b Identity) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.DocNumber, b.DocNumber))
	})
	return mine, alike, nil
}

// nobody is the error for a data subject who was not found; it says what else to try.
func (s DataSubject) nobody() error {
	if s.DocNumber == "" {
		return gangway.Errorf(gangway.NotFound, "there is no such traveller")
	}
	return gangway.Errorf(gangway.NotFound, "there is no such traveller: no record has this number as a passport of "+
		"%s, however it was typed. A record may lack the passport or its country: try --id, or --name with "+
		"--dob", s.DocCountry)
}

// describeIdentities names the people among identities, by identifier or else by passport, of which
// it shows only the end.
func describeIdentities(list map[Identity]bool) (names []string) {
	var ids, passports []Identity
	// A passport number without a country may match any of the people: such records come last.
	for _, l := range slices.SortedFunc(maps.Keys(list), func(a, b Identity) int {
		return cmp.Compare(b.DocCountry, a.DocCountry)
	}) {
		switch {
		case l.ID != "" && !slices.ContainsFunc(ids, l.sameID):
			ids = append(ids, l)
		case l.ID == "" && l.DocNumber != "" && !slices.ContainsFunc(passports, l.sameDocument):
			passports = append(passports, l)
		}
	}
	if len(ids) == 0 {
		ids = passports
	}
	for _, l := range ids {
		names = append(names, l.Describe())
	}
	slices.Sort(names)
	return names
}

// isSamePerson reports whether l is the same person as those found so far.
func isSamePerson(l Identity, mine, all map[Identity]bool) bool {
	switch {
	case anyOf(mine, l.sameID):
		return true
	case l.ID != "" && anyOf(mine, func(m Identity) bool { return m.ID != "" }):
		return false
	case anyOf(mine, l.sameDocument):
		return true
	case l.DocNumber != "" && anyOf(mine, func(m Identity) bool { return m.DocNumber != "" }), !anyOf(mine, l.sameName):
		return false
	}
	return !anyOf(all, func(o Identity) bool { // somebody else of that name, who has more to be known by
		return !mine[o] && o != l && (o.ID != "" || o.DocNumber != "" || o.DOB != "" && l.DOB == "") && o.sameName(l)
	})
}

// MatchHandoff reports whether l, from a hand-off that no account has claimed, is the person who
// was found as mine among all identities of an account, or is only alike. The rule is that of Find
// with one exception: the identifier may be another customer's for somebody else, so it does not
// count when name, date of birth and passport all differ.
func (l Identity) MatchHandoff(mine, all map[Identity]bool) (is, alike bool) {
	switch {
	case l == Identity{}:
		return false, false
	case mine[l]:
		return true, false
	case anyOf(mine, l.sameID):
		agrees := l.Name == "" && l.DOB == "" && l.DocNumber == "" || anyOf(mine, func(m Identity) bool {
			return l.Name != "" && l.Name == m.Name || l.DOB != "" && l.DOB == m.DOB || l.sameDocument(m)
		})
		return agrees, !agrees
	case isSamePerson(l, mine, all):
		return true, false
	}
	return false, l.isAlike(mine)
}

func (l Identity) isAlike(mine map[Identity]bool) bool {
	return anyOf(mine, l.sameDocument) || anyOf(mine, l.sameName)
}

func anyOf(list map[Identity]bool, is func(Identity) bool) bool {
	for l := range list {
		if is(l) {
			return true
		}
	}
	return false
}

func (l Identity) sameID(m Identity) bool { return l.ID != "" && l.ID == m.ID }

func (l Identity) sameDocument(m Identity) bool {
	return l.DocNumber != "" && l.DocNumber == m.DocNumber && (l.DocCountry == m.DocCountry || l.DocCountry == "" ||
		m.DocCountry == "")
}

// sameName reports whether l and m have one name, and no two dates of birth.
func (l Identity) sameName(m Identity) bool {
	return l.Name == m.Name && (l.DOB == m.DOB || l.DOB == "" || m.DOB == "")
}

// Describe says in words whose identity l is, without the document's number.
func (l Identity) Describe() string {
	switch {
	case l.ID != "":
		return "id " + l.ID
	case l.DocNumber != "":
		country, letters := "", []rune(strings.ToUpper(l.DocNumber))
		if l.DocCountry != "" {
			country = " of " + l.DocCountry
		}
		return "a passport" + country + " that ends in " + string(letters[max(0, len(letters)-3):])
	}
	return "a record without identifier and passport"
}
