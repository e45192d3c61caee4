package odata

import (
	"strings"
	"sync"
	"unicode"
)

// Whitespace is what trim takes off: the characters that Unicode calls so.
const Whitespace = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
	"\u2028\u2029\u202f\u205f\u3000"

// Lower replaces each code point of s by its one lower-case code point, as
// unicode.ToLower does; neither its neighbours nor a language matter.
func Lower(s string) string { return strings.Map(unicode.ToLower, s) }

// Upper replaces each code point of s by its one upper-case code point; ß stays.
func Upper(s string) string { return strings.Map(unicode.ToUpper, s) }

// CasePairs returns all code points beyond ASCII that Lower or Upper changes,
// and in the same order what it makes of them: what PostgreSQL's translate
// needs to agree, whatever the version of its own tables.
var CasePairs = sync.OnceValue(func() (pairs struct{ FromLower, ToUpper, FromUpper, ToLower string }) {
	var lower, upper, from, to strings.Builder
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if l := unicode.ToLower(r); l != r {
			from.WriteRune(r)
			to.WriteRune(l)
		}
		if u := unicode.ToUpper(r); u != r {
			lower.WriteRune(r)
			upper.WriteRune(u)
		}
	}
	pairs.FromLower, pairs.ToUpper, pairs.FromUpper, pairs.ToLower = lower.String(), upper.String(), from.String(),
		to.String()
	return pairs
})
