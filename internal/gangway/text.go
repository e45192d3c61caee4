package gangway

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Misleading reports whether r is invisible and makes a page show the text around
// it differently from what it is: characters that change the direction of writing
// (Unicode's Bidi_Control), and those that end lines and paragraphs. A name that
// contains one looks like another name. Joiners, which Persian and Indic names
// need, are allowed.
//
// Source: Unicode Technical Report 36, section 2.5; UAX 9, section 2.
func Misleading(r rune) bool {
	return r > 0x600 && (unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029')
}

// Unprintable reports whether s contains a character that belongs in no name and
// no identifier: a control character, or a misleading one.
func Unprintable(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == 0x7f:
			return true
		case c >= 0x80: // rare enough to be checked one by one
			return strings.ContainsFunc(s[i:], func(r rune) bool { return unicode.IsControl(r) || Misleading(r) })
		}
	}
	return false
}

// twiceEncoded finds letters in UTF-8 that were read as Windows-1252 and written in UTF-8 again: "MÃ¼ller".
var twiceEncoded = regexp.MustCompile("[ÂÃÄÅÎÏÐÑ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€")

// EncodedTwice reports whether letters of a name seem to have been encoded twice.
func EncodedTwice(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }) && twiceEncoded.MatchString(name)
}

// Legible returns a text of somebody else's as it may be shown: what cannot be seen and makes a page show the text
// around it differently from what it is becomes U+FFFD. Lines and tabs remain.
func Legible(text string) string {
	if !strings.ContainsFunc(text, illegible) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if illegible(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

func illegible(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || Misleading(r)
}

// Shortened returns a text with at most so many letters of it, and says with … that there were more.
func Shortened(text string, most int) string {
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}

// linked finds what mail programs make a link of.
var linked = regexp.MustCompile(`[:/\\]{2,}|(?i:www)[.．。｡]+|[.．。｡]+([^\s.．。｡:/\\]{2})`)

// MailName returns the name of a person or a company as mails and papers have it: at most 60 letters of one line,
// without a link. It is free text, and must not make a mail of ours a message of its own.
func MailName(name string) string {
	words := strings.FieldsFunc(linked.ReplaceAllString(name, " $1"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || Misleading(r)
	})
	return Shortened(strings.Join(words, " "), 60)
}

// Sentence makes a sentence of the text of an error.
func Sentence(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	text = string(unicode.ToUpper(r)) + text[size:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// DurationWords writes a duration as people read it: "55 min", "2 h 05".
func DurationWords(d time.Duration) string {
	minutes := int(d.Minutes())
	if minutes < 60 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %02d", minutes/60, minutes%60)
}
