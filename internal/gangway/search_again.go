package gangway

// Again returns, for each member of s who is listed a second time, the position
// of the first. Two members are one person if they share an identifier, a
// passport, or name and date of birth.
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

// A listedAs is one thing by which a person in a list is recognised.
type listedAs struct{ what, value, beside string }

// A listedName is everything by which somebody is recognised, and everything that others are
// compared with: if either passport lacks its country, the number is enough.
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
