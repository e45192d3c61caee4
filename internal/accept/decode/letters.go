package decode

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A foundCharset is called once a guessed charset is known. nil: it is certain.
type foundCharset func(name string, doubt *Doubt)

// wordsShown is how many words are shown as an encoding reads them, each with its first bytes.
const (
	wordsShown = 3
	wordBytes  = 32
)

// foreignEncodings are those that are offered for a text whose letters are mostly beyond ASCII, and westernEncodings
// for any other.
var westernEncodings = strings.Fields("windows-1250 windows-1254 windows-1257 cp850 macintosh")
var foreignEncodings = strings.Fields(`windows-1251 koi8-r iso-8859-5 cp866 windows-1253 iso-8859-7 windows-1255
	windows-1256 windows-874 gb18030 big5 euc-jp shift_jis euc-kr`)

// doubtLetters returns the doubt that a text was read in an encoding that nothing names, with three of its words. It
// refuses a text whose letters are mostly beyond ASCII: no Western one is so, and all that any guess made of it would
// be wrong.
//
// Decided: docs/choices.md, "Documents".
func doubtLetters(text []byte, encoding string) (*Doubt, error) {
	var words [][]byte
	letters, beyond, foreign := 0, 0, false
	for word := range eachWord(text) {
		ascii, others := 0, 0
		for _, b := range word {
			switch {
			case b < 0x80:
				ascii++
			case b != 0x85 && b != 0xA0 && (b < 0x91 || b > 0x97): // in the West dots, dashes, quotation marks
				others++
			}
		}
		if len(word) == ascii || ascii+others == 0 {
			continue
		}
		letters, beyond = letters+ascii+others, beyond+others
		foreign = foreign || ascii == 0 && others >= 3
		word = word[:min(len(word), wordBytes)]
		if len(words) < wordsShown && !slices.ContainsFunc(words, func(w []byte) bool { return bytes.Equal(w, word) }) {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return nil, nil
	}
	if foreign && 2*beyond > letters {
		return nil, wrong(`nothing says in which encoding its letters are, and they are not UTF-8: name it as `+
			`"encoding" in the feed's format, or as charset in the Content-Type%s`, readings(words, foreignEncodings, ""))
	}
	read := wordsIn(words, encoding)
	return &Doubt{Encoding: encoding, Message: fmt.Sprintf("The encoding was guessed. It was read as %s: %s%s.",
		encoding, read, readings(words, westernEncodings, read))}, nil
}

// readings says how words read in each encoding of a list that makes words of them, and others than were read.
func readings(words [][]byte, list []string, read string) (said string) {
	for _, name := range list {
		if as := wordsIn(words, name); as != read && !strings.ContainsFunc(as, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(", '-", r)
		}) {
			said += fmt.Sprintf("; %s: %s", name, as)
		}
	}
	return said
}

// wordsIn lists words as an encoding reads them.
func wordsIn(words [][]byte, encoding string) string {
	var read []string
	for _, word := range words {
		text, _ := charset{name: encoding}.decoder().Bytes(word)
		read = append(read, string(text))
	}
	return strings.Join(read, ", ")
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// eachWord are the parts of a text between signs of ASCII.
func eachWord(text []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		from := 0
		for i := 0; i <= len(text); i++ {
			if i < len(text) && (text[i] >= 0x80 || !notLetter(rune(text[i]))) {
				continue
			}
			if i > from && !yield(text[from:i]) {
				return
			}
			from = i + 1
		}
	}
}
