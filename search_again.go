package gangway

// Again returns, for each member of s who stands there a second time, the
// position of the first. Two are one person as far as their records tell: they
// have one identifier, one passport, or one name and date of birth.
func (s Search) Again() map[int]int {
	again, first := map[int]int{}, map[listedAs]int{}
	for i, m := range s.Members {
		found, names := i, listedNames(m.Traveller)
		for _, name := range names.is {
			if j, ok := first[name]; ok {
				found = min(found, j)
			}
		}
		if found < i {
			again[i] = found
		}
		for _, name := range names.known {
			if _, ok := first[name]; !ok {
				first[name] = i
			}
		}
	}
	return again
}

// A listedAs is one thing by which a person in a list is known again.
type listedAs struct{ what, value, beside string }

// A listedName is all by which somebody is known again, and all that others are
// looked for by: of a passport, where either does not say whose it is, the number is enough.
type listedName struct{ known, is []listedAs }

func listedNames(t Traveller) (n listedName) {
	both := func(name listedAs) { n.known, n.is = append(n.known, name), append(n.is, name) }
	if t.ID != "" {
		both(listedAs{"id", t.ID, ""})
	}
	if t.DOB != "" {
		both(listedAs{"name", t.FoldedName(), string(t.DOB)})
	}
	if t.DocNumber == "" {
		return n
	}
	number := FoldDocument(t.DocNumber)
	of, unsaid := listedAs{"passport of", number, string(t.DocCountry)}, listedAs{"passport of", number, ""}
	n.known = append(n.known, of, listedAs{"passport", number, ""})
	if t.DocCountry == "" {
		n.is = append(n.is, listedAs{"passport", number, ""})
	} else {
		n.is = append(n.is, of, unsaid)
	}
	return n
}
