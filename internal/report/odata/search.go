package odata

import (
	"net/http"
	"regexp"
	"slices"
)

// Search is an expression of $search: SearchTerm, SearchNot or SearchAll. It is
// never null.
type Search interface{ search() }

// SearchTerm is true for rows of which one searchable property contains Text,
// both folded as names are (gangway.Fold). Text is as it was given.
type SearchTerm struct{ Text string }

// SearchNot is the opposite.
type SearchNot struct{ X Search }

// SearchAll joins two or more; Any asks for one of them, otherwise for all.
type SearchAll struct {
	Any   bool
	Terms []Search
}

func (SearchTerm) search() {}
func (SearchNot) search()  {}
func (SearchAll) search()  {}

// searcher reads $search (U 5.1.7), whose words have no other form than blanks
// and parentheses give them.
type searcher struct {
	*parser
	words []searchWord
	next  int
}

// searchWord is a word, a phrase or a parenthesis.
type searchWord struct {
	text   string
	at     int
	phrase bool // in quotes, so that it is no operator and no parenthesis
}

// search reads $search into q.
func (r *reading) search(q *Query, values map[string]string) {
	value, ok := values["$search"]
	if !ok {
		return
	}
	if q.Row.set == nil {
		r.stop(errorf(http.StatusNotImplemented, "$search", "searching what $apply has grouped is not supported here"))
		return
	}
	s := &searcher{parser: &parser{reading: r, option: "$search", src: value}}
	s.split()
	if q.Search = s.chain(true); s.next < len(s.words) {
		s.badf(s.words[s.next].at, "%s does not belong here", quote(s.words[s.next].text))
	}
}

// searchForm is a phrase between double quotes or single ones, a parenthesis, a word, or a quote that is not closed.
var searchForm = regexp.MustCompile(`"[^"]*"|'[^']*'|[()]|[^ \t\r\n"()]+|"`)

// split finds the words.
func (s *searcher) split() {
	for _, at := range searchForm.FindAllStringIndex(s.src, s.limits.Terms+1) {
		word := searchWord{text: s.src[at[0]:at[1]], at: at[0]}
		if quote := word.text[0]; quote == '"' || quote == '\'' {
			if word.phrase = true; len(word.text) == 1 || word.text[len(word.text)-1] != quote {
				s.badf(word.at, "the phrase has no closing quote")
				return
			}
			word.text = word.text[1 : len(word.text)-1]
		}
		s.words = append(s.words, word)
	}
	if len(s.words) == 0 {
		s.badf(0, "it has no value")
	}
	s.term(len(s.src), len(s.words))
}

// is reports whether the next word is the operator or parenthesis.
func (s *searcher) is(word string) bool {
	return s.next < len(s.words) && s.words[s.next].text == word && !s.words[s.next].phrase
}

// joins reports whether the next word is the operator and has something behind it.
func (s *searcher) joins(word string) bool {
	return s.is(word) && s.next+1 < len(s.words) && !(s.words[s.next+1].text == ")" && !s.words[s.next+1].phrase)
}

// chain reads terms with OR between them, or with AND or nothing.
func (s *searcher) chain(any bool) Search {
	var all []Search
	for s.err == nil {
		if any {
			all = append(all, s.chain(false))
		} else {
			all = append(all, s.single())
		}
		switch {
		case any && s.joins("OR"), !any && s.joins("AND"):
			s.next++
			continue
		case any || s.next == len(s.words) || s.is(")") || s.joins("OR"):
			if len(all) == 1 {
				return all[0]
			}
			return SearchAll{any, all}
		}
	}
	return nil
}

// single reads a word, a phrase, NOT with what follows it, or parentheses.
func (s *searcher) single() Search {
	if s.next == len(s.words) {
		s.badf(len(s.src), "it ends where a word should follow")
		return nil
	}
	w := s.words[s.next]
	s.enter(w.at)
	defer func() { s.depth-- }()
	switch {
	case s.joins("NOT"):
		s.next++
		return SearchNot{s.single()}
	case s.is("("):
		s.next++
		x := s.chain(true)
		if !s.is(")") {
			s.badf(w.at, "the parenthesis is not closed")
		}
		s.next++
		return x
	case s.is(")"):
		s.badf(w.at, "a word should stand before )")
	case !w.phrase && slices.Contains([]string{"AND", "OR", "NOT"}, w.text):
		s.badf(w.at, "%s stands between words: to look for it, write \"%[1]s\"", w.text)
	}
	s.next++
	return SearchTerm{w.text}
}
