package decode

import (
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// A foundCharset is called once a guessed charset is known, with the one that it may be instead; empty: none is
// likely.
type foundCharset func(name, instead string)

// foreignLetters are the charsets whose letters all lie beyond ASCII, and the letters that are most of any text in
// them, names among them.
var foreignLetters = []struct {
	name   string
	chars  *charmap.Charmap
	common string
}{
	{"windows-1251", charmap.Windows1251, "аоиенвркстлія"},
	{"koi8-r", charmap.KOI8R, "аоиенвркстлія"},
	{"iso-8859-5", charmap.ISO8859_5, "аоиенвркстлія"},
	{"ibm866", charmap.CodePage866, "аоиенвркстлія"},
	{"windows-1253", charmap.Windows1253, "αοιεσςντρκλπηάίό"},
}

// otherLetters says that a text may be of another charset, without a word for which.
const otherLetters = "another"

// What makes us sure of letters that are not Western ones: so many words of three letters and more that have none of
// ASCII, most of all words with letters beyond it, and most of their letters common ones in words of one case. Western
// words have few such letters; those of Asian charsets make no words in any of these.
const (
	surelyForeign = 3
	mostly        = 0.8
	commonly      = 0.5
)

// byLetters returns the charset by which the letters of a text make words, and which it may be instead. Without a
// word for another it is Windows-1252.
//
// Decided: docs/choices.md, "Documents".
func byLetters(text []byte) (name, instead string) {
	words, letters, foreign := foreignWords(text)
	if len(words) < surelyForeign || float64(foreign) < mostly*float64(letters) {
		return "windows-1252", central(text)
	}
	best := 0.0
	for _, c := range foreignLetters {
		if share := commonShare(words, c.chars, c.common); share > best {
			name, best = c.name, share
		}
	}
	if best < commonly {
		return "windows-1252", otherLetters
	}
	return name, otherLetters
}

// foreignWords returns the words without a letter of ASCII, how many letters are in words that have one beyond it,
// and how many of these are beyond.
func foreignWords(text []byte) (words [][]byte, letters, foreign int) {
	for word := range eachWord(text) {
		beyond := 0
		for _, b := range word {
			if b >= 0x80 {
				beyond++
			}
		}
		if beyond == 0 {
			continue
		}
		letters, foreign = letters+len(word), foreign+beyond
		if beyond == len(word) && beyond >= 3 {
			words = append(words, word)
		}
	}
	return words, letters, foreign
}

// eachWord are the parts of a text between signs of ASCII.
func eachWord(text []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		from := 0
		for i := 0; i <= len(text); i++ {
			if i < len(text) && (text[i] >= 0x80 || unicode.IsLetter(rune(text[i]))) {
				continue
			}
			if i > from && !yield(text[from:i]) {
				return
			}
			from = i + 1
		}
	}
}

// commonShare is how many of the letters of words are common ones, as a share. Of a word that is not written as
// words are (SMALL after LARGE, and signs) none is.
func commonShare(words [][]byte, chars *charmap.Charmap, common string) float64 {
	n, all := 0, 0
	for _, word := range words {
		all += len(word)
		is, small := 0, false
		for _, b := range word {
			r := chars.DecodeByte(b)
			if !unicode.IsLetter(r) || small && unicode.IsUpper(r) {
				is = 0
				break
			}
			small = unicode.IsLower(r)
			if strings.ContainsRune(common, unicode.ToLower(r)) {
				is++
			}
		}
		n += is
	}
	return float64(n) / float64(max(all, 1))
}

// central returns the charset of Central Europe or of Turkey where a text has words that no Western language has:
// "Stanis³aw", "Kovaèiæ", "Yýldýrým". What is Western in one of them is Western in the other, so that nothing is
// decided by it.
func central(text []byte) string {
	for word := range eachWord(text) {
		for i, b := range word {
			switch inside := i > 0 && i < len(word)-1; {
			case inside && strings.IndexByte("\xA3\xAF\xB3\xB9\xBF\xA5\xBC\xBE", b) >= 0,
				i == len(word)-1 && i > 0 && (b == 0xB9 || b == 0xE6 && word[i-1] == 'i'):
				return "windows-1250"
			case b == 0xFD || b == 0xDD || b == 0xFE && i > 0 || b == 0xF0 && inside:
				return "windows-1254"
			}
		}
	}
	return ""
}
