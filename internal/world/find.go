package world

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// unlettered replaces the letters that Unicode does not take apart into a
// plain letter and a mark.
var unlettered = strings.NewReplacer("ß", "ss", "ø", "o", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ħ", "h")

// fold brings a name into the form in which names are compared: lower case,
// without diacritics, and words parted by single spaces.
func fold(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFD.String(unlettered.Replace(strings.ToLower(s))) {
		switch {
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	return b.String()
}

// A named is something that is found by the start of its words.
type named struct {
	code  string // folded
	place string // folded, with a space before each word
	words string // all its words, likewise
	at    int    // position in its list
	size  int    // the larger comes first
}

// score says how well n fits the words looked for; 0 when it does not.
func (n named) score(text string, words []string) int {
	if n.code == text {
		return 4
	}
	for _, w := range words {
		if !strings.Contains(n.words, " "+w) {
			return 0
		}
	}
	switch {
	case strings.HasPrefix(n.place, " "+text):
		return 3
	case strings.HasPrefix(n.code, text):
		return 2
	}
	return 1
}

// best returns the positions of those that fit text, best first.
func best(all []named, text string, limit int) []int {
	text = fold(text)
	if text == "" || limit <= 0 {
		return nil
	}
	words := strings.Fields(text)
	type hit struct {
		named
		score int
	}
	var hits []hit
	for _, n := range all {
		if s := n.score(text, words); s > 0 {
			hits = append(hits, hit{n, s})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.size, a.size), cmp.Compare(a.at, b.at))
	})
	found := make([]int, min(limit, len(hits)))
	for i := range found {
		found[i] = hits[i].at
	}
	return found
}

var airportNames = sync.OnceValue(func() []named {
	ports := map[string]string{} // airport → names of the ports it serves
	for _, p := range Ports() {
		for _, code := range p.Airports {
			ports[code] += " " + fold(p.Name)
		}
	}
	names := make([]named, len(Airports()))
	for i, a := range Airports() {
		code, city := fold(a.IATA), fold(a.City)
		size := a.Passengers
		if a.Scheduled {
			size += 1_000_000 // any airport with flights before those without
		}
		names[i] = named{
			code: code, place: " " + city, at: i, size: size,
			words: " " + code + " " + city + " " + fold(a.Name) + " " + fold(CountryName(a.Country)) + ports[a.IATA],
		}
	}
	return names
})

// FindAirports returns the airports that fit what was typed, best first: a
// code, or the start of the words of a city, of the airport's name, of its
// country, or of a sea port that it serves. Case and diacritics do not matter.
func FindAirports(text string, limit int) []Airport {
	var found []Airport
	for _, i := range best(airportNames(), text, limit) {
		found = append(found, Airports()[i])
	}
	return found
}

var portNames = sync.OnceValue(func() []named {
	names := make([]named, len(Ports()))
	for i, p := range Ports() {
		place := " " + fold(p.Name)
		names[i] = named{code: fold(p.Code), place: place, words: " " + fold(p.Code) + place + " " + fold(CountryName(p.Country)), at: i}
	}
	return names
})

// FindPorts returns the sea ports that fit what was typed, best first: a
// UN/LOCODE, or the start of the words of the name or the country.
func FindPorts(text string, limit int) []Port {
	var found []Port
	for _, i := range best(portNames(), text, limit) {
		found = append(found, Ports()[i])
	}
	return found
}
