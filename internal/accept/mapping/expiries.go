package mapping

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	// ofPassports finds what names of passports and of their expiry have in them, as bare reduces names.
	ofPassports = regexp.MustCompile(`pas|doc|ausweis|^ppt?`)
	// otherDocuments finds the names of documents that are no passport, in the languages of personNames.
	otherDocuments = regexp.MustCompile(`seam[ae]ns?(b|pass|doc|no|nr|id)|seafarers?b|sailors?b|book(no|nr|num|$)|` +
		`dischargeb|^cdc|visa|licen|permit|certif|^coc|stcw|medical|fever|idcard|nationalid|driv|schengen|seefahrt|` +
		`seemannsb|libreta|libretto|caderneta|livret|fascicule|monsterboek|sjofart|sjomann|fartsbok|ksiazecz`)
	// besidePassport finds names that describe a passport: its issue date, place, authority, country and type.
	besidePassport = regexp.MustCompile(`^((reise)?pass(port)?|ppt?|doc(ument)?|date|dt|place|city|state|of|datum|fecha|` +
		`lugar|pais|data|local|lieu|pays|luogo|paese|de|di|d|da|plaats|van)*(issu|authori|type(ofpass|ofdoc|$)|countr|` +
		`validfrom|gultigab|ausgestellt|ausstell|behorde|emisi|emissa|emissi|expedi|deliv|rilasci|afgift|uitgif|utsted|` +
		`udsted|utfard|wyda)`)
	// numbered finds the number that decoding adds to the name of a repeated column.
	numbered = regexp.MustCompile(`_[0-9]+$`)
)

// expiries returns the places of names such as Expiry, which do not say whose expiry they are. A bare expiry belongs to
// the document column before it; an unknown column may be such a document. If two may be the passport's, expiries takes
// neither, and unclear says so. Only the columns of a table have an order.
func (r *reader) expiries(names []string, top bool) (places map[string]place, unclear string) {
	ordered := top && r.table
	if ordered {
		names = r.item.Names()
	}
	places = map[string]place{}
	var own, any []string // behind the passport's number, and behind no document or what may be one
	before, others, said := "", false, false
	for _, name := range names {
		word := bare(plainName(name))
		if once := numbered.ReplaceAllString(name, ""); slices.Contains(names, once) {
			word = bare(plainName(once))
		}
		switch target := r.words.targets[word]; {
		case target == r.target("doc_expire") && ofPassports.MatchString(word):
			said = true
		case target == r.target("doc_expire"):
			if places[name] = (place{}); before == "passport" {
				own = append(own, name)
			} else if before != "another" {
				any, others = append(any, name), others || before == "unknown"
			}
		case target == r.target("doc_number") && ordered:
			before = "passport"
		case target == "" && otherDocuments.MatchString(word):
			if others = true; ordered {
				before = "another"
			}
		case target == "" && before != "another" && !plainNames[word] || strings.HasPrefix(word, "seafarerid"):
			if ordered && !besidePassport.MatchString(word) {
				before = "unknown"
			}
		}
	}
	if len(own) == 0 && !others {
		own, any = any, nil
	}
	switch all := append(own, any...); {
	case said: // which goes first
		maps.DeleteFunc(places, func(name string, _ place) bool { return slices.Contains(all, name) })
	case len(own) == 1:
		places[own[0]] = place{path: strings.Split(r.target("doc_expire"), "."), kind: dateValue}
	case len(all) > 0:
		unclear = "Until when the passport is valid was not read: nothing says whether it is " +
			strings.Join(all, " or ")
	}
	return places, unclear
}
