package mapping

import (
	"regexp"
	"strings"
	"unicode"

	"gangway/internal/gangway"
)

// nameOf reduces a name to letters and spaces: apostrophes go, a hyphen and
// whatever else there is becomes a space.
func nameOf(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case r == '\'' || r == '’' || r == '`' || r == '´' || r == '.' && !space:
			continue
		case !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r):
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return strings.TrimSpace(text)
	}
	return b.String()
}

// Titles stand before or behind names. Particles belong to the family name that follows them, and juniors to the one
// before.
var (
	titles    = set("mr mrs ms miss mx mstr dr prof engr capt captain cpt sir madam mme mlle herr frau sr srta sra")
	particles = set(`van von vom zu zur zum der den de het 't ter ten te la las le les lo los du da das do dos del dela
		delos della delle di el al ul bin binti bint ibn ben abu mc mac af av`)
	juniors = set("jr jnr ii iii iv")
)

// slashRank finds a rank in front of a name: C/O, 3/E.
var slashRank = regexp.MustCompile(`^[0-9A-Za-z]{1,2}/[A-Za-z]\s+`)

func wordForm(word string) string { return strings.Trim(gangway.Fold(word), ".") }

// splitName parts a whole name: at a comma or a ticket's slash, else words in
// capitals are the family name, else the last word is, which is a guess.
func splitName(text string) (family, given string, guessed bool) {
	text = strings.TrimSpace(text)
	if rank := slashRank.FindString(text); rank != "" && !titles[wordForm(text[len(rank):])] {
		text = text[len(rank):]
	}
	for _, between := range ",/" {
		if before, after, ok := strings.Cut(text, string(between)); ok {
			return joined(untitled(strings.Fields(before))), joined(untitled(strings.Fields(after))), false
		}
	}
	words := untitled(strings.Fields(text))
	if len(words) < 2 {
		return joined(words), "", false
	}
	from, to := -1, -1
	for i, w := range words {
		if isCapitals(w) {
			if from < 0 {
				from = i
			}
			to = i + 1
		}
	}
	if guessed = from < 0 || from == 0 && to == len(words); guessed {
		from, to = len(words)-1, len(words)
		if from > 1 && juniors[wordForm(words[from])] {
			from--
		}
	}
	for first := from; first > 0 && particles[wordForm(words[first-1])]; {
		first--
		small := words[first] == strings.ToLower(words[first])    // Van is a Vietnamese given name, too
		if (guessed || small) && (first > 0 || to < len(words)) { // a given name is left
			from = first
		}
	}
	rest := append(append([]string(nil), words[:from]...), words[to:]...)
	return joined(words[from:to]), joined(rest), guessed
}

func guessFamily(text string) (family, unsure string) {
	family, _, guessed := splitName(text)
	if guessed {
		unsure = lastWordGuess
	}
	return family, unsure
}

func joined(words []string) string { return strings.Join(words, " ") }

func untitled(words []string) []string {
	for len(words) > 1 && titles[wordForm(words[0])] {
		words = words[1:]
	}
	for len(words) > 1 && titles[wordForm(words[len(words)-1])] {
		words = words[:len(words)-1]
	}
	return words
}

// isCapitals reports whether a word is written in capitals, as McDONALD is, and is no initial.
func isCapitals(word string) bool {
	letters := 0
	for _, front := range []string{"Mac", "Mc"} {
		word = strings.TrimPrefix(word, front)
	}
	for _, r := range word {
		switch {
		case r == '.', unicode.IsLower(r):
			return false
		case unicode.IsUpper(r):
			letters++
		}
	}
	return letters > 1
}
