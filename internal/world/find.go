package world

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"gangway/internal/gangway"
)

// fold brings a name into the form in which places are compared: as all names are
// folded, without apostrophes, as words of letters and digits separated by single
// spaces.
func fold(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range gangway.Fold(s) {
		switch {
		case r == '\'' || r == '’':
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

// A searchablePlace is a place as the search sees it. All its text is folded.
type searchablePlace struct {
	kind   PlaceKind
	at     int // index in airports, cities or ports
	code   string
	was    []string // former codes
	cities []string // names whose beginning people type
	words  string   // all its words, each with a space before it
	ports  []string // names of the ports it serves
	size   int      // larger places come first
	people int      // of an airport or a city: thousands a year
}

// How well a place matches what was typed, from best to worst.
const (
	byCode  = iota // the whole code
	byStart        // the start of the city's or port's name, or of the code
	byPort         // the start of the name of a port that it serves
	byWords        // each word typed starts a word of its name, city or country
	byPortWords
	noFit
)

// A query is what was typed, folded.
type query struct {
	text   string
	joined string   // without spaces
	words  []string // each with a space before it
	typed  string   // as it was
}

func newQuery(typed string) query {
	q := query{text: fold(typed), typed: typed}
	q.joined = strings.ReplaceAll(q.text, " ", "")
	for _, w := range strings.Fields(q.text) {
		q.words = append(q.words, " "+w)
	}
	return q
}

// fit returns how well n matches what was typed.
func (n *searchablePlace) fit(q query) int {
	exact := n.code != "" && n.code == q.joined
	if exact && (n.kind != AirportPlace || meansCode(q.typed, Airports()[n.at])) || slices.Contains(n.was, q.joined) {
		return byCode
	}
	own := q.startWordsOf(n.words)
	switch {
	case own && startsOne(n.cities, q.text), strings.HasPrefix(n.code, q.text) &&
		(n.kind != PortPlace || len(q.text) > 2):
		return byStart // two letters match the UN/LOCODEs of a whole country
	case startsOne(n.ports, q.text):
		return byPort
	case own:
		return byWords
	}
	for _, p := range n.ports {
		if q.startWordsOf(n.words + " " + p) {
			return byPortWords
		}
	}
	return noFit
}

// startWordsOf reports whether each word typed starts some word of text.
func (q query) startWordsOf(text string) bool {
	return !slices.ContainsFunc(q.words, func(w string) bool { return !strings.Contains(text, w) })
}

func startsOne(names []string, text string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, text) })
}

// places lists everything that can be found, larger places first. A port is as
// large as its first airport and comes directly after it.
var places = sync.OnceValue(func() []searchablePlace {
	served, metros, codes := map[string][]string{}, map[string]string{}, map[string]string{} // by airport
	for _, p := range ports() {
		for _, code := range p.Airports {
			served[code] = append(served[code], fold(p.Name))
		}
	}
	for _, c := range cities() {
		for _, a := range c.Airports {
			metros[a.IATA], codes[a.IATA] = fold(c.Name), fold(c.Code)
		}
	}
	size := func(a Airport) int {
		if a.Scheduled {
			return 1_000_000 + a.Passengers // any airport with flights before those without
		}
		return a.Passengers
	}
	var list []searchablePlace
	for i, c := range cities() {
		if c.Code == "" {
			continue // its airports have its name
		}
		n := searchablePlace{kind: CityPlace, at: i, code: fold(c.Code), cities: []string{fold(c.Name)}}
		n.words = " " + n.code + " " + n.cities[0] + " " + fold(gangway.Country(c.Country).Name())
		for _, a := range c.Airports {
			n.size += size(a)
			n.people += a.Passengers
		}
		list = append(list, n)
	}
	for i, a := range Airports() {
		if _, moved := CurrentCode(a.IATA); moved {
			continue // it is found under the airport that replaced it
		}
		n := searchablePlace{kind: AirportPlace, at: i, code: fold(a.IATA), cities: []string{fold(a.City)},
			ports: served[a.IATA], size: size(a), people: a.Passengers}
		for _, code := range formerly()[a.IATA] {
			n.was = append(n.was, fold(code))
		}
		if metro := metros[a.IATA]; metro != "" {
			n.cities = append(n.cities, metro, codes[a.IATA])
		}
		n.words = " " + n.code + " " + strings.Join(n.cities, " ") + " " + fold(a.Name) + " " +
			fold(gangway.Country(a.Country).Name())
		list = append(list, n)
	}
	for i, p := range ports() {
		n := searchablePlace{kind: PortPlace, at: i, code: fold(p.Code), cities: []string{fold(p.Name)},
			size: size(airportsOf(p.Airports[0])[0])}
		n.words = " " + n.cities[0] + " " + fold(gangway.Country(p.Country).Name())
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b searchablePlace) int { return cmp.Compare(b.size, a.size) })
	return list
})

// findPlaces returns the places that match the typed text, best first, each with how well it matches.
func findPlaces(at End, typed string, limit int) (list []*searchablePlace, fits []int) {
	q := newQuery(typed)
	if q.text == "" || limit <= 0 {
		return nil, nil
	}
	var found [noFit * kindRanks][]*searchablePlace
	all := places()
	for i := range all {
		n := &all[i]
		f := n.fit(q)
		if f == noFit {
			continue
		}
		if f = f*kindRanks + at.rank(n.kind); len(found[f]) < limit {
			found[f] = append(found[f], n)
		}
	}
	for f, some := range found {
		for _, n := range some[:min(len(some), limit-len(list))] {
			list, fits = append(list, n), append(fits, f)
		}
	}
	return list, fits
}

func (n *searchablePlace) place() Place {
	switch n.kind {
	case AirportPlace:
		return Airports()[n.at].place()
	case CityPlace:
		return cities()[n.at].place()
	}
	return ports()[n.at].place()
}
