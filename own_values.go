package gangway

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// OwnValues are what tells of one person in what others typed: the words of
// the name, and the passport, the birth date, the address and the numbers.
//
// Decided: docs/choices.md, "Erasure".
type OwnValues struct {
	last, first []string // words of names, folded
	plain       []string // the rest, as their letters and figures
}

// ErasedWord stands where somebody's own value was.
const ErasedWord = "erased"

const (
	withinFrom = 4 // letters of a name that is looked for within other words too
	alignedTo  = 6 // letters and figures of what is looked for as whole words only
)

// Learn adds what a record of the person says.
func (v *OwnValues) Learn(t Traveller) {
	ticket := t.TicketName()
	for _, n := range []struct {
		into  *[]string
		names []string
	}{{&v.last, []string{t.LastName, ticket.Last, t.OnTicket.Last}},
		{&v.first, []string{t.FirstName, ticket.First, t.OnTicket.First}}} {
		for _, name := range n.names {
			for _, w := range typedWords(name) {
				if utf8.RuneCountInString(w.folded) > 1 {
					addNew(n.into, w.folded)
				}
			}
			if whole := FoldDocument(name); utf8.RuneCountInString(whole) > alignedTo {
				addNew(&v.plain, whole) // written as one word
			}
		}
	}
	for _, value := range append(dateSpellings(t.DOB), t.DocNumber, t.Email, t.Phone, t.FrequentFlyer.Number) {
		if plain := FoldDocument(value); utf8.RuneCountInString(plain) >= withinFrom {
			addNew(&v.plain, plain)
		}
	}
}

// With is v and what a record of the person says; v stays as it is.
func (v OwnValues) With(t Traveller) OwnValues {
	v.last, v.first, v.plain = slices.Clip(v.last), slices.Clip(v.first), slices.Clip(v.plain)
	v.Learn(t)
	return v
}

func addNew(list *[]string, s string) {
	if !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

// dateSpellings are how people write a date, but for signs between its parts.
func dateSpellings(d Date) []string {
	if !d.Valid() {
		return nil
	}
	var list []string
	at := d.In(time.UTC)
	for _, layout := range []string{
		"20060102", "02012006", "01022006", "212006", "122006", "060102", "020106", "010206",
		"02Jan2006", "2Jan2006", "02Jan06", "2Jan06", "2January2006", "02January2006", "Jan022006", "Jan22006",
		"January22006", "January022006", "2006Jan02", "2006Jan2",
	} {
		addNew(&list, at.Format(layout))
	}
	return list
}

// A typedWord is a word of a text, and where it is.
type typedWord struct {
	from, to int
	folded   string
}

// typedWords are the runs of letters and figures of a text.
func typedWords(text string) (list []typedWord) {
	from := -1
	for i, r := range text + " " {
		switch in := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Mn, r); {
		case in && from < 0:
			from = i
		case !in && from >= 0:
			list = append(list, typedWord{from, i, FoldDocument(text[from:i])})
			from = -1
		}
	}
	return list
}

// Without returns text with "erased" for each word that has something of v in it.
func (v OwnValues) Without(text string) string {
	return v.without(text, v.find(typedWords(text)))
}

// WithoutSure is Without for the name of something else, a ship's or a
// journey's: Maria may be both. It is left as it is unless it has more of v
// than one of the names.
func (v OwnValues) WithoutSure(text string) string {
	words := typedWords(text)
	has := func(names []string) bool {
		return slices.ContainsFunc(words, func(w typedWord) bool { return hasName(w, names) })
	}
	if !slices.Contains(v.findPlain(words), true) && (!has(v.last) || !has(v.first)) {
		return text
	}
	return v.without(text, v.find(words))
}

// withoutEach is Without for each text.
func (v OwnValues) withoutEach(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = v.Without(list[i])
	}
	return list
}

// withoutSureIn is WithoutSure for each value: what was said of somebody else
// keeps what both may have, a surname above all.
func (v OwnValues) withoutSureIn(m map[string]string) map[string]string {
	m = maps.Clone(m)
	for name, text := range m {
		m[name] = v.WithoutSure(text)
	}
	return m
}

func (v OwnValues) without(text string, out []bool) string {
	words, kept, gone := typedWords(text), 0, false
	var b strings.Builder
	for i, w := range words {
		if !out[i] {
			gone = false
			continue
		}
		if !gone { // what is between two of them goes too
			b.WriteString(text[kept:w.from])
			b.WriteString(ErasedWord)
		}
		kept, gone = w.to, true
	}
	return b.String() + text[kept:]
}

// find returns which of words have something of v.
func (v OwnValues) find(words []typedWord) []bool {
	out := v.findPlain(words)
	for i, w := range words {
		out[i] = out[i] || hasName(w, v.last) || hasName(w, v.first)
	}
	return out
}

func hasName(w typedWord, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return w.folded == n || utf8.RuneCountInString(n) >= withinFrom && strings.Contains(w.folded, n)
	})
}

// findPlain finds what may be written over several words: RU 77-019.
func (v OwnValues) findPlain(words []typedWord) []bool {
	out := make([]bool, len(words))
	var all strings.Builder
	starts, ends := map[int]bool{}, map[int]bool{}
	at := make([]int, len(words))
	for i, w := range words {
		at[i] = all.Len()
		starts[at[i]] = true
		all.WriteString(w.folded)
		ends[all.Len()] = true
	}
	text := all.String()
	for _, value := range v.plain {
		whole := utf8.RuneCountInString(value) <= alignedTo // six figures are in many a number
		for from := 0; ; from++ {
			i := strings.Index(text[from:], value)
			if i < 0 {
				break
			}
			from += i
			to := from + len(value)
			if whole && (!starts[from] || !ends[to]) {
				continue
			}
			for k, w := range words {
				out[k] = out[k] || at[k] < to && at[k]+len(w.folded) > from
			}
		}
	}
	return out
}
