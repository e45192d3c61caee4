package gangway

import (
	"slices"
	"strings"
	"unicode"
)

// The tables of ICAO Doc 9303, Machine Readable Travel Documents, part 3, eighth
// edition (2021), section 6, "Transliterations recommended for use by States":
// A Latin, B Cyrillic, C Arabic. If it gives several ways to write a letter, we
// take the first: Ä is AE, Å AA, Ñ N, Ö OE, Ü UE. It has no table for other
// scripts, such as Greek, Chinese and Thai.

// latin transliterates the capital letters of table A, and letters that are not
// in the table but are one of its letters with further marks, as in Vietnamese
// and Romanian: those lose the marks.
var latin = func() map[rune]string {
	m := map[rune]string{
		'Æ': "AE", 'Ø': "OE", 'Œ': "OE", 'Þ': "TH", 'ẞ': "SS", 'ß': "SS", 'Ĳ': "IJ", 'Ǆ': "DZ", 'ǅ': "DZ", 'Ǉ': "LJ",
		'ǈ': "LJ", 'Ǌ': "NJ", 'ǋ': "NJ",
		'Ǽ': "AE", 'Ǣ': "AE", 'Ǿ': "OE", '\u212a': "K", '\u212b': "AA", // the last two: kelvin and ångström
	}
	for plain, marked := range map[string]string{
		"AE": "ÄǞ", "AA": "ÅǺ", "OE": "ÖȪṎ", "UE": "ÜǕǗǙǛṺ",
		"A": "ÀÁÂÃĀĂĄƏǍǠȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶẚ", "B": "ḂḄḆƁ", "C": "ÇĆĈĊČḈ", "D": "ÐĎĐḊḌḎḐḒƊ",
		"E": "ÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ", "F": "Ḟ", "G": "ĜĞĠĢǦǴḠ", "H": "ĤĦȞḢḤḦḨḪẖ", "I": "ÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊ",
		"J": "Ĵǰ", "K": "ĶĸǨḰḲḴƘ", "L": "ĹĻĽĿŁḶḸḺḼ", "M": "ḾṀṂ", "N": "ÑŃŅŇŉŊǸṄṆṈṊ",
		"O": "ÒÓÔÕŌŎŐƠǑǪǬȌȎȬȮȰṌṐṒỌỎỐỒỔỖỘỚỜỞỠỢ", "P": "ṔṖ", "R": "ŔŖŘȐȒṘṚṜṞ", "S": "ŚŜŞŠȘṠṢṤṦṨẛ", "T": "ŢŤŦȚṪṬṮṰẗ",
		"U": "ÙÚÛŨŪŬŮŰŲƯǓȔȖṲṴṶṸỤỦỨỪỬỮỰ", "V": "ṼṾ", "W": "ŴẀẂẄẆẈẘ", "X": "ẊẌ", "Y": "ÝŶŸȲẎẙỲỴỶỸƳ", "Z": "ŹŻŽẐẒẔ",
	} {
		for _, r := range marked {
			m[r] = plain
		}
	}
	for r := 'A'; r <= 'Z'; r++ {
		m[r] = string(r)
		m[r+'Ａ'-'A'] = string(r) // full-width forms
	}
	return m
}()

// latinLetter transliterates a letter of the Latin alphabet. Its marks may be
// part of it or follow it: both are the same letter.
func latinLetter(r rune, marks []rune) (written string, known bool) {
	letters, ok := latin[r]
	for _, mark := range marks {
		switch {
		case mark == '\u0308' && strings.Contains("AOU", letters):
			letters += "E"
		case mark == '\u030a' && letters == "A":
			letters = "AA"
		}
	}
	return letters, ok
}

// An alphabet is how one language's names in Cyrillic are transliterated where
// that differs from the table's general column.
type alphabet struct {
	own     string          // letters only this language has, which identify it if the nationality does not
	foreign string          // letters it does not have: a name with one is in another language
	letters map[rune]string // what it transliterates differently
	first   map[rune]string // the same, only for the first letter of a name
}

// The alphabets that table B distinguishes, and one for all others. None writes
// the soft sign.
//
// We depart from one entry: the table transliterates the Serbian Г as H, but
// Serbian passports print DRAGAN, and the ticket has to agree with the passport.
var (
	anyCyrillic = &alphabet{}
	ukrainian   = &alphabet{
		own: "ЄІЇҐ", foreign: "ЁЪЫЭЎЂЃЅЈЉЊЋЌЏ",
		letters: map[rune]string{'Г': "H", 'И': "Y"},
		first:   map[rune]string{'Є': "YE", 'Ї': "YI", 'Й': "Y", 'Ю': "YU", 'Я': "YA"},
	}
	belarusian = &alphabet{own: "Ў", foreign: "ИЩЪЄЇҐЂЃЅЈЉЊЋЌЏ", letters: map[rune]string{'Ё': "IO", 'Г': "H"}}
	bulgarian  = &alphabet{foreign: "ЁЫЭІЄЇҐЎЂЃЅЈЉЊЋЌЏ", letters: map[rune]string{'Щ': "SHT"}}
	macedonian = &alphabet{
		own: "ЃЅЌ", foreign: "ЁЙЩЪЫЬЭЮЯІЄЇҐЎЂЋ",
		letters: map[rune]string{'Ѓ': "GJ", 'Ќ': "KJ", 'Х': "H", 'Ц': "C", 'Џ': "DJ"},
	}
	serbian = &alphabet{
		own: "ЂЋЈЉЊЏ", foreign: "ЁЙЩЪЫЬЭЮЯІЄЇҐЎЃЅЌ",
		letters: map[rune]string{'Ж': "Z", 'Х': "H", 'Ц': "C", 'Ч': "C", 'Ш': "S"},
	}

	alphabets = map[Country]*alphabet{
		"UA": ukrainian, "BY": belarusian, "BG": bulgarian, "MK": macedonian, "RS": serbian, "ME": serbian,
		"BA": serbian,
	}
)

// alphabetOf returns the alphabet that name, in capital letters, is written in:
// that of the traveller's country, unless the name has letters which that
// alphabet lacks; otherwise the one that its letters identify.
func alphabetOf(name string, nationality Country) *alphabet {
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		return anyCyrillic // no letter depends on the language
	}
	var letters strings.Builder
	text := []rune(name)
	for i, r := range text {
		if unicode.Is(unicode.Cyrillic, r) {
			letters.WriteRune(joinedCyrillic(r, marksOn(text[i+1:])))
		}
	}
	is := func(a *alphabet) bool { return !strings.ContainsAny(letters.String(), a.foreign) }
	if a := alphabets[nationality]; a != nil && is(a) {
		return a
	}
	for _, a := range []*alphabet{belarusian, macedonian, serbian, ukrainian} {
		if strings.ContainsAny(letters.String(), a.own) && is(a) {
			return a
		}
	}
	return anyCyrillic
}

// cyrillic is table B, for the alphabets that do not differ from it. The table
// lists the Serbian Ћ under the number of a letter that looks like it.
var cyrillic = map[rune]string{
	'А': "A", 'Б': "B", 'В': "V", 'Г': "G", 'Д': "D", 'Е': "E", 'Ж': "ZH", 'З': "Z", 'И': "I", 'Й': "I", 'К': "K",
	'Л': "L", 'М': "M", 'Н': "N",
	'О': "O", 'П': "P", 'Р': "R", 'С': "S", 'Т': "T", 'У': "U", 'Ф': "F", 'Х': "KH", 'Ц': "TS", 'Ч': "CH", 'Ш': "SH",
	'Щ': "SHCH", 'Ъ': "IE",
	'Ы': "Y", 'Ь': "", 'Э': "E", 'Ю': "IU", 'Я': "IA", 'Ё': "E", 'Ђ': "D", 'Ѓ': "G", 'Є': "IE", 'Ѕ': "DZ", 'І': "I",
	'Ї': "I", 'Ј': "J",
	'Љ': "LJ", 'Њ': "NJ", 'Ћ': "C", 'Һ': "C", 'Ќ': "K", 'Ў': "U", 'Џ': "DZ", 'Ѫ': "U", 'Ѵ': "Y", 'Ґ': "G", 'Ғ': "G",
}

// cyrillicMarked has the letters that are a letter of the table with a mark.
var cyrillicMarked = map[rune][2]rune{
	'Ё': {'Е', '\u0308'}, 'Й': {'И', '\u0306'}, 'Ї': {'І', '\u0308'}, 'Ў': {'У', '\u0306'}, 'Ѓ': {'Г', '\u0301'},
	'Ќ': {'К', '\u0301'},
	'Ѐ': {'Е'}, 'Ѝ': {'И'}, 'Ѷ': {'Ѵ'}, 'Ӂ': {'Ж'}, 'Ӑ': {'А'}, 'Ӓ': {'А'}, 'Ӗ': {'Е'}, 'Ӝ': {'Ж'}, 'Ӟ': {'З'},
	'Ӣ': {'И'}, 'Ӥ': {'И'},
	'Ӧ': {'О'}, 'Ӭ': {'Э'}, 'Ӯ': {'У'}, 'Ӱ': {'У'}, 'Ӳ': {'У'}, 'Ӵ': {'Ч'}, 'Ӹ': {'Ы'},
}

// joinedCyrillic returns the letter of the table that r and its marks make.
func joinedCyrillic(r rune, marks []rune) rune {
	if m, ok := cyrillicMarked[r]; ok {
		if r, marks = m[0], slices.Clone(marks); m[1] != 0 {
			marks = append(marks, m[1])
		}
	}
	for letter, m := range cyrillicMarked {
		if m[1] != 0 && m[0] == r && slices.Contains(marks, m[1]) {
			return letter
		}
	}
	return r
}

func (a *alphabet) cyrillicLetter(r rune, marks []rune, first bool) (written string, known bool) {
	r = joinedCyrillic(r, marks)
	if letters, ok := a.first[r]; ok && first {
		return letters, true
	}
	if letters, ok := a.letters[r]; ok {
		return letters, true
	}
	letters, ok := cyrillic[r]
	return letters, ok
}

// arabic is table C. Short vowels and the other signs on letters are not
// written; shadda doubles its letter.
var arabic = map[rune]string{
	'ء': "XE", 'آ': "XAA", 'أ': "XAE", 'ؤ': "U", 'إ': "I", 'ئ': "XI", 'ا': "A", 'ب': "B", 'ة': "XTA", 'ت': "T",
	'ث': "XTH", 'ج': "J",
	'ح': "XH", 'خ': "XKH", 'د': "D", 'ذ': "XDH", 'ر': "R", 'ز': "Z", 'س': "S", 'ش': "XSH", 'ص': "XSS", 'ض': "XDZ",
	'ط': "XTT", 'ظ': "XZZ",
	'ع': "E", 'غ': "G", 'ف': "F", 'ق': "Q", 'ك': "K", 'ل': "L", 'م': "M", 'ن': "N", 'ه': "H", 'و': "W", 'ى': "XAY",
	'ي': "Y",
	'ٱ': "XXA", 'ٹ': "XXT", 'ټ': "XRT", 'پ': "P", 'ځ': "XKE", 'څ': "XXH", 'چ': "XC", 'ڈ': "XXD", 'ډ': "XDR", 'ڑ': "XXR",
	'ړ': "XRR",
	'ږ': "XRX", 'ژ': "XJ", 'ښ': "XXS", 'ک': "XKK", 'ګ': "XXK", 'ڭ': "XNG", 'گ': "XGG", 'ں': "XNN", 'ڼ': "XXN",
	'ھ': "XDO", 'ۀ': "XYH",
	'ہ': "XXG", 'ۂ': "XGE", 'ۃ': "XTG", 'ی': "XYA", 'ۍ': "XXY", 'ې': "Y", 'ے': "XYB", 'ۓ': "XBE",
}

// arabicMarked has the letters that are a letter of the table with a sign.
var arabicMarked = map[[2]rune]rune{
	{'ا', '\u0653'}: 'آ', {'ا', '\u0654'}: 'أ', {'ا', '\u0655'}: 'إ', {'و', '\u0654'}: 'ؤ', {'ي', '\u0654'}: 'ئ',
	{'ە', '\u0654'}: 'ۀ', {'ہ', '\u0654'}: 'ۂ', {'ے', '\u0654'}: 'ۓ',
}

// shadda is the sign that doubles a letter.
const shadda = '\u0651'

func arabicLetter(r rune, marks []rune, last bool) (written string, known bool) {
	for _, mark := range marks {
		if joined, ok := arabicMarked[[2]rune{r, mark}]; ok {
			r = joined
		}
	}
	letters, ok := arabic[r]
	if r == 'ة' && last {
		letters = "XAH"
	}
	if slices.Contains(marks, shadda) {
		letters += letters
	}
	return letters, ok
}
