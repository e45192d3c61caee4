package mapping

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gangway/internal/gangway"
)

// assigned are the columns of a list of records, by the fields that they are.
type assigned map[string]*column

// assign finds out which column is which field. in is where the columns are: of a
// crew change, its members.
func (p *proposing) assign(columns []*column) assigned {
	p.findOrders(columns)
	hasFirst := false
	var names []string // at the top, in their order if it is known
	for _, c := range columns {
		if len(c.path) == 1 {
			names = append(names, c.name())
		}
		t := p.words.targets[bare(plainName(c.name()))]
		hasFirst = hasFirst || t == p.target("first_name") && len(c.values) > 0 && p.fits(c, t)
	}
	expiries, unclear := p.expiries(names, true)
	if unclear != "" {
		p.doubt(p.target("doc_expire"), "", unclear)
	}
	got, rank, used := assigned{}, map[string]int{}, map[*column]bool{}
	for _, c := range columns {
		if len(c.values) == 0 && len(c.lists) > 0 {
			continue
		}
		path := withoutFirst(c.path)
		in := strings.Join(path[:len(path)-1], ".")
		if friend := falseFriends[bare(plainName(c.name()))]; friend != "" {
			used[c] = true
			p.doubt("", strings.Join(c.path, "."), "it may not be the "+friend+": its name says another thing")
			continue
		}
		place := p.placeOf(path[len(path)-1], in, "", hasFirst)
		target, n := strings.Join(place.path, "."), p.rankOf(path[len(path)-1])
		if own, judged := expiries[c.name()]; judged && len(path) == 1 {
			target, used[c] = strings.Join(own.path, "."), true
		} else if target == "" {
			target, n = p.byWords(path[len(path)-1], in, hasFirst), 100
		}
		if target == "" || place.list != "" || !p.fits(c, target) {
			continue
		}
		if len(c.values) == 0 {
			n += 1000
		}
		was := got[target]
		lesser := was
		if before, taken := rank[target]; taken && before <= n {
			lesser, c = c, was
		}
		if was != nil && lesser.elsewhere(c) {
			p.doubt(target, strings.Join(lesser.path, "."), fmt.Sprintf("records that have no %s have this: take "+
				"(%s // %s)", c.name(), pathExpr(c.path), pathExpr(lesser.path)))
		}
		if c == was {
			continue
		}
		delete(used, was)
		got[target], rank[target] = c, n
		used[c] = true
	}
	for _, c := range columns {
		if used[c] || len(c.values) == 0 {
			continue
		}
		p.assignByLook(got, c)
	}
	p.assignWhole(got)
	return got
}

// mostNameWords is how many words a column's name may have for us to look at each part of it: a longer one is
// no name.
const mostNameWords = 16

// byWords returns the field that some words of a column's name mean: LastNameEng
// has "last name" in it.
func (p *proposing) byWords(name, in string, hasFirst bool) string {
	words := nameWords(name)
	if len(words) > mostNameWords {
		return ""
	}
	for n := len(words) - 1; n > 0; n-- {
		for i := 0; i+n <= len(words); i++ {
			part := strings.Join(words[i:i+n], " ")
			if len(part) < 3 {
				continue
			}
			if place := p.placeOf(part, in, "", hasFirst); place.path != nil && place.list == "" {
				return strings.Join(place.path, ".")
			}
		}
	}
	return ""
}

// nameWords cuts a name where a word of it ends: at signs, and before capitals.
func nameWords(name string) []string {
	var b strings.Builder
	small := false
	for _, r := range plainName(name) {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case small && unicode.IsUpper(r):
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return strings.Fields(b.String())
}

// hombre writes the words for men and women where H is a man: "hombre" or "homme".
// M is a woman then, "mujer". Empty: they are the usual ones.
func hombre(c *column) string {
	if c.share(func(s string) bool { return s == "H" || s == "M" || s == "F" }) < 1 ||
		c.share(func(s string) bool { return s == "H" }) == 0 {
		return ""
	}
	if c.share(func(s string) bool { return s == "F" }) > 0 {
		return `{"H": "M", "F": "F"}`
	}
	return `{"H": "M", "M": "F"}`
}

// assignByLook gives a column whose name says nothing the field that its values look like.
func (p *proposing) assignByLook(got assigned, c *column) {
	look := p.byLook(c)
	if look == "" && p.flow == gangway.CrewChangesFlow && c.share(isSide) >= 0.9 && c.distinct() <= 4 {
		look = "side"
	}
	if look == "nationality" && got[p.target("nationality")] != nil {
		look = "doc_country"
	}
	if look == "" || look != "dob" && strings.Contains(bare(c.name()), "birth") { // where somebody was born
		return
	}
	target := look
	if look != "side" {
		target = p.target(look)
	}
	if got[target] != nil {
		return
	}
	got[target] = c
	p.doubt(target, strings.Join(c.path, "."), "it is chosen by its values: its name says nothing")
}

// assignWhole takes a whole name for both names where they are not apart.
func (p *proposing) assignWhole(got assigned) {
	last, first, whole := p.target("last_name"), p.target("first_name"), p.target("full_name")
	c := got[whole]
	if c == nil && got[first] == nil && got[last] != nil &&
		got[last].share(func(s string) bool { return strings.ContainsAny(s, ",/") || strings.Contains(s, " ") }) > 0.7 {
		c = got[last]
	}
	delete(got, whole)
	if c == nil || got[last] != nil && got[first] != nil {
		return
	}
	got[last], got[first] = c, c
	if c.share(saysWhich) < 1 {
		p.doubt(last, strings.Join(c.path, "."),
			"not every whole name says which part is the family name: the last word is taken")
	}
}

// withoutFirst is a path without what leads to the only element of a list.
func withoutFirst(path []string) []string {
	return append(path[:1:1], slices.DeleteFunc(slices.Clone(path[1:]), func(s string) bool { return s == "[0]" })...)
}
