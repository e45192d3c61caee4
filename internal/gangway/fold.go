package gangway

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// folds replaces letters with diacritics by plain ones, and writes ligatures in full,
// for the scripts that passports use: Latin with its European and Vietnamese extensions.
var folds = func() map[rune]string {
	m := map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ð': "d", 'đ': "d", 'ħ': "h", 'ı': "i", 'ĸ': "k",
		'ł': "l", 'ŀ': "l", 'ŋ': "n", 'ŉ': "n", 'ø': "o", 'ŧ': "t", 'ſ': "s", 'ĳ': "ij", 'ǿ': "o"}
	for plain, marked := range map[string]string{
		"a": "àáâãäåāăąǎǟǡǻȁȃȧạảấầẩẫậắằẳẵặ", "c": "çćĉċč", "d": "ďḍ", "e": "èéêëēĕėęěȅȇȩẹẻẽếềểễệ", "g": "ĝğġģǧǵ",
		"h": "ĥȟḥ",
		"i": "ìíîïĩīĭįǐȉȋỉị", "j": "ĵǰ", "k": "ķǩ", "l": "ĺļľ", "n": "ñńņňǹ", "o": "òóôõöōŏőơǒǫǭȍȏȫȭȯȱọỏốồổỗộớờởỡợ",
		"r": "ŕŗřȑȓ", "s": "śŝşšșṣ", "t": "ţťțṭ", "u": "ùúûüũūŭůűųưǔǖǘǚǜȕȗụủứừửữự", "w": "ŵẁẃẅ", "y": "ýÿŷȳỳỵỷỹ",
		"z":  "źżžẓ",
		"ae": "ǣǽ",
	} {
		for _, r := range marked {
			m[r] = plain
		}
	}
	return m
}()

// Fold returns s in the form in which names are compared: in lower case, without
// diacritics, with single spaces. Müller, MULLER and müller become equal; so do
// Strauß and Strauss.
//
// Decided: docs/choices.md, "Suggestion".
func Fold(s string) string {
	if isFolded(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		// not a letter, or a combining mark of decomposed text
		case r < ' ', r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		switch {
		case r >= 'A' && r <= 'Z': // nearly all names need only this much folding
			b.WriteByte(byte(r) + 'a' - 'A')
			continue
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
			continue
		}
		r = unicode.ToLower(r)
		if f, ok := folds[r]; ok {
			b.WriteString(f)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isFolded reports whether s is surely folded already, judging by its bytes alone.
func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || c >= 'A' && c <= 'Z' || c < ' ' || c == ' ' && (i == 0 || i == len(s)-1 ||
			s[i-1] == ' ') {
			return false
		}
	}
	return true
}
