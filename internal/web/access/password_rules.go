package access

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"gangway/internal/gangway"

	"golang.org/x/text/unicode/norm"
)

const (
	// minPassword is the length of the shortest password that a person may choose, as in
	// NIST SP 800-63B: length works better than rules about characters.
	minPassword = 8

	// maxPassword leaves room for a sentence or two, and bounds the work of hashing.
	maxPassword = 128

	// ownWord is the least length of a word that counts as one, about a person or in the list.
	ownWord = 4
)

// common returns the passwords that people choose most and attackers try first, one a line, in lower case.
//
// Source: npm @zxcvbn-ts/language-common 4.1.3, its passwords.json: those of eight characters or more, in lower case,
// sorted. Taken once: what people choose most changes slowly.
var common = sync.OnceValue(func() string {
	var list strings.Builder
	r, err := gzip.NewReader(bytes.NewReader(commonPacked))
	if err == nil {
		_, err = io.Copy(&list, r)
	}
	if err != nil {
		panic(fmt.Sprintf("common_passwords.txt.gz: %v", err)) // it is part of the program
	}
	return list.String()
})

//go:embed common_passwords.txt.gz
var commonPacked []byte

// CheckNewPassword says why a person may not choose plain as a password; nil if they
// may. about are the person's address and name, and the company's name.
//
// Decided: docs/choices.md, "People's passwords".
func CheckNewPassword(plain string, about ...string) error {
	folded := strings.ToLower(strings.TrimSpace(norm.NFKC.String(plain))) // as attackers do
	switch n := utf8.RuneCountInString(plain); {
	case !utf8.ValidString(plain) || strings.ContainsFunc(plain, unicode.IsControl):
		return gangway.Errorf(gangway.Invalid, "a password may have letters, digits, signs and blanks only")
	case n < minPassword:
		return gangway.Errorf(gangway.Invalid, "a password must have at least %d characters", minPassword)
	case utf8.RuneCountInString(folded) < minPassword:
		return gangway.Errorf(gangway.Invalid, "a password must have at least %d characters, not counting blanks "+
			"at its ends",
			minPassword)
	case n > maxPassword:
		return gangway.Errorf(gangway.Invalid, "a password must have at most %d characters", maxPassword)
	case isCommon(folded):
		return gangway.Errorf(gangway.Invalid, "this password is one of those that many people use, and is guessed "+
			"first: choose another")
	case isRun(folded):
		return gangway.Errorf(gangway.Invalid, "a password must not be one character repeated, nor characters in "+
			"their "+
			"order: choose another")
	case utf8.RuneCountInString(withoutOwn(folded, append(about, "gangway"))) < minPassword:
		return gangway.Errorf(gangway.Invalid,
			"a password must have at least %d characters beside the person's own name and address, the company's "+
				"name and "+
				"the word gangway", minPassword)
	}
	return nil
}

// isRun reports whether each character of a password is the same as the one before,
// or each the next one, or each the previous, as in "11111111", "abcdefgh" and "9876543210987".
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

// isCommon reports whether a password is in the list, or is one of it with other digits and signs at its end.
func isCommon(folded string) bool {
	word := withoutEnd(folded)
	for line := range strings.SplitSeq(common(), "\n") {
		if line == folded || utf8.RuneCountInString(word) >= ownWord && withoutEnd(line) == word {
			return true
		}
	}
	return false
}

// withoutEnd returns a password without the digits and signs behind its last letter.
func withoutEnd(folded string) string {
	return strings.TrimRightFunc(folded, func(c rune) bool { return !unicode.IsLetter(c) })
}

// withoutOwn removes from a password the texts about a person, and their words.
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
