package access

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway"

	"golang.org/x/text/unicode/norm"
)

const (
	// minPassword is the shortest password that a person may choose, as NIST SP
	// 800-63B has it; longer ones beat rules about what they must contain.
	minPassword = 8

	// maxPassword leaves room for a sentence or two, and keeps what is hashed short.
	maxPassword = 128

	// ownWord is how long a word about a person is at least to count as one.
	ownWord = 4
)

// common are the passwords that people choose most and guessers try first, one
// a line, in lower case.
//
// Source: npm @zxcvbn-ts/language-common, by tools/refdata/passwords.
//
//go:generate ../../../scripts/need refdata
//go:generate go run ../../../tools/refdata/passwords
//go:embed common_passwords.txt
var common string

// CheckNewPassword says whether a person may choose plain as a password.
// about are the person's address and name, and the company's name.
//
// Decided: docs/choices.md, "People's passwords".
func CheckNewPassword(plain string, about ...string) error {
	folded := strings.ToLower(strings.TrimSpace(norm.NFKC.String(plain))) // as guessers do
	switch n := utf8.RuneCountInString(plain); {
	case !utf8.ValidString(plain) || strings.ContainsFunc(plain, unicode.IsControl):
		return gangway.Errorf(gangway.Invalid, "a password has letters, digits, signs and blanks only")
	case n < minPassword:
		return gangway.Errorf(gangway.Invalid, "a password has at least %d characters", minPassword)
	case utf8.RuneCountInString(folded) < minPassword:
		return gangway.Errorf(gangway.Invalid, "a password has at least %d characters, blanks at its ends not counted",
			minPassword)
	case n > maxPassword:
		return gangway.Errorf(gangway.Invalid, "a password has at most %d characters", maxPassword)
	case isCommon(folded):
		return gangway.Errorf(gangway.Invalid, "this password is one of those that many people use, and is guessed "+
			"first: choose another")
	case isRun(folded):
		return gangway.Errorf(gangway.Invalid, "a password is not one character repeated, nor characters in their "+
			"order: choose another")
	case utf8.RuneCountInString(withoutOwn(folded, append(about, "gangway"))) < minPassword:
		return gangway.Errorf(gangway.Invalid,
			"a password has at least %d characters beside the person's own name and address, the company's name and "+
				"the word gangway", minPassword)
	}
	return nil
}

// isRun reports whether each character of a password is the one before, or each
// the next one, or each the previous, as in "11111111", "abcdefgh" and "9876543210987".
func isRun(folded string) bool {
	letters := []rune(folded)
	for _, step := range []rune{0, 1, -1} {
		run := true
		for i, c := range letters[1:] {
			last := letters[i]
			next := last + step
			if last >= '0' && last <= '9' {
				next = '0' + (last-'0'+step+10)%10
			}
			run = run && c == next
		}
		if run {
			return true
		}
	}
	return false
}

func isCommon(folded string) bool {
	for line := range strings.SplitSeq(common, "\n") {
		if line == folded {
			return true
		}
	}
	return false
}

// withoutOwn returns what of a password is neither one of the texts about a
// person nor a word of one.
func withoutOwn(folded string, about []string) string {
	var own []string
	for _, text := range about {
		text = strings.ToLower(text)
		words := strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		own = append(own, append(words, text, strings.Join(words, ""), strings.Join(words, " "))...)
	}
	slices.SortFunc(own, func(a, b string) int { return len(b) - len(a) }) // the longest first
	for _, word := range own {
		if utf8.RuneCountInString(word) >= ownWord {
			folded = strings.ReplaceAll(folded, word, "")
		}
	}
	return folded
}
