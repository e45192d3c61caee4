package erasure

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gangway/internal/gangway"
)

// OwnValues are what identifies one person in texts that others typed: the words
// of the name, and the passport, the birth date, the address and the numbers.
//
// Decided: docs/choices.md, "Erasure".
type OwnValues struct {
	last, first []string // words of names, folded
	plain       []string // the other values, reduced to letters and digits
}

// ErasedWord replaces a value that was erased.
const ErasedWord = "erased"

const (
	withinFrom = 4 // names of at least so many letters are also found inside other words
	alignedTo  = 6 // values of at most so many letters and digits are found as whole words only
)

// Learn adds the values in a record of the person.
func (v *OwnValues) Learn(t gangway.Traveller) {
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
			if whole := gangway.FoldDocument(name); utf8.RuneCountInString(whole) > alignedTo {
				addNew(&v.plain, whole) // written as one word
			}
		}
	}
	values := append(dateSpellings(t.DOB), t.FrequentFlyer.Number)
	for i := range gangway.UploadedTraveller.Members {
		if m := &gangway.UploadedTraveller.Members[i]; m.Own {
			values = append(values, m.Text(&t))
		}
	}
	for _, value := range values {
		if plain := gangway.FoldDocument(value); utf8.RuneCountInString(plain) >= withinFrom {
			addNew(&v.plain, plain)
		}
	}
}

// With returns v together with the values in a record of the person; v stays as it is.
func (v OwnValues) With(t gangway.Traveller) OwnValues {
	v.last, v.first, v.plain = slices.Clip(v.last), slices.Clip(v.first), slices.Clip(v.plain)
	v.Learn(t)
	return v
}

func addNew(list *[]string, s string) {
	if !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

// dateSpellings are the ways people write a date, without the signs between its parts.
func dateSpellings(d gangway.Date) []string {
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

// A typedWord is a word of a text, and where it stands.
type typedWord struct {
	from, to int
	folded   string
}

// typedWords are the runs of letters and digits in a text.
func typedWords(text string) (list []typedWord) {
	from := -1
	for i, r := range text + " " {
		switch in := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Mn, r); {
		case in && from < 0:
			from = i
		case !in && from >= 0:
			list = append(list, typedWord{from, i, gangway.FoldDocument(text[from:i])})
			from = -1
		}
	}
	return list
}

// Without returns text with "erased" in place of each word that contains a value of v.
func (v OwnValues) Without(text string) string {
	return v.without(text, v.find(typedWords(text)))
}

// WithoutSure is Without for the name of something else, a ship or a journey,
// since Maria may be both a person and a ship. It changes text only if text
// contains more of v than one of the names.
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

// withoutEach applies Without to each text.
func (v OwnValues) withoutEach(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = v.Without(list[i])
	}
	return list
}

// withoutSureIn applies WithoutSure to each value: notes about other people keep
// what they may share with the person, above all a surname.
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
		if !gone { // the signs between two erased words go too
			b.WriteString(text[kept:w.from])
			b.WriteString(ErasedWord)
		}
		kept, gone = w.to, true
	}
	return b.String() + text[kept:]
}

// find reports for each word whether it contains a value of v.
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

// findPlain finds values that may be spread over several words: RU 77-019.
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
		whole := utf8.RuneCountInString(value) <= alignedTo // six digits occur inside many longer numbers
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
