package mapping

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// Kinds of guesses, as sentences. A count and examples follow.
const (
	lastWordGuess = "The last word was taken as the family name where a name does not say which part it is"
	placesGuess   = "An airport's name was left as it is because several countries have such a place; a mapping can " +
		"say which: airport(name; country)"
	elsewhereGuess = "An airport's name was left as it is because the country beside it has no such airport"
	dottedGuess    = "A dotted abbreviation was left as it is because it names no single country"
)

// guesses counts a document's guesses by kind. Each kind becomes one remark.
type guesses map[string]guessed

type guessed struct {
	n        int
	examples []string
}

// guessExamples is how many values are told of each.
const guessExamples = 3

func (g guesses) add(why, example string) {
	if g == nil { // nobody asks
		return
	}
	of := g[why]
	if of.n++; len(of.examples) < guessExamples && example != "" && !slices.Contains(of.examples, example) {
		of.examples = append(of.examples, example)
	}
	g[why] = of
}

// addAll adds what was guessed in a part of the document.
func (g guesses) addAll(of guesses) {
	for why, part := range of {
		n := g[why].n + part.n
		for _, example := range part.examples {
			g.add(why, example)
		}
		g[why] = guessed{n, g[why].examples}
	}
}

// remarks returns one remark about the whole document for each kind.
func (g guesses) remarks() (all []gangway.FeedRemark) {
	for _, why := range slices.Sorted(maps.Keys(g)) {
		message := why + "."
		if of := g[why]; len(of.examples) > 0 {
			message += fmt.Sprintf(" %d in all: %s.", of.n, strings.Join(of.examples, ", "))
		}
		all = append(all, gangway.FeedRemark{Message: message})
	}
	return all
}
