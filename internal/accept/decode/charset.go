package decode

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// A charset is the encoding of a document's text: its name in the WHATWG's Encoding standard, and the
// length of the byte order mark at the start.
type charset struct {
	name    string
	mark    int
	guessed bool // it is UTF-8 or name, which the first bytes beyond ASCII decide
	unsaid  bool // nothing says what it is if it is not UTF-8
}

// marks are the byte order marks.
var marks = []struct{ mark, charset string }{
	{byteOrderMark, "utf-8"},
	{"\xFF\xFE", "utf-16le"},
	{"\xFE\xFF", "utf-16be"},
}

// findCharset finds the encoding of a document from its first bytes: from its byte order mark, the
// feed's setting, the look of UTF-16, its XML declaration, or a content type that names a charset of several bytes a
// letter. Otherwise it is UTF-8, or if it is not valid as that, the charset of the content type, or by a guess
// Windows-1252.
//
// Decided: docs/choices.md, "Documents".
func findCharset(head []byte, said, contentType string) (charset, error) {
	for _, m := range marks {
		if bytes.HasPrefix(head, []byte(m.mark)) {
			return charset{name: m.charset, mark: len(m.mark)}, nil
		}
	}
	if said != "" {
		return named(said)
	}
	if looksLike := utf16(head); looksLike != "" {
		return charset{name: looksLike}, nil
	}
	if declared := xmlDeclared(head); declared != "" {
		c, err := named(declared)
		if err != nil || !strings.HasPrefix(c.name, "utf-16") { // a declaration that can be read is not in UTF-16
			return c, err
		}
	}
	if c, err := declared(contentType); c.name != "" || err != nil && strings.Contains(contentType, "json") {
		return c, err
	}
	return charset{name: "windows-1252", guessed: true, unsaid: true}, nil
}

// declared returns the charset that a content type names; without a name: it names none, or UTF-8. Many servers name
// one for whatever they send. So a text that is valid UTF-8 is that, unless the charset has several bytes a letter:
// a short text in such a one may be valid by chance.
func declared(contentType string) (charset, error) {
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || parameters["charset"] == "" {
		return charset{}, nil
	}
	c, err := named(parameters["charset"])
	if err != nil || c.name == "utf-8" {
		return charset{}, err
	}
	enc, _ := encodingOf(c.name)
	_, c.guessed = enc.(*charmap.Charmap)
	return c, nil
}

// InUTF8 reports whether a document is in UTF-8, as far as its content type says.
func InUTF8(doc []byte, contentType string) bool {
	c, _ := declared(contentType)
	return c.name == "" || c.guessed && utf8.Valid(doc)
}

// oldPages are the gangway.OldEncodings.
var oldPages = map[string]*charmap.Charmap{"cp437": charmap.CodePage437, "cp850": charmap.CodePage850,
	"cp852": charmap.CodePage852, "cp037": charmap.CodePage037, "cp1047": charmap.CodePage1047,
	"cp1140": charmap.CodePage1140}

// encodingOf returns the encoding with this label, and its name.
func encodingOf(label string) (encoding.Encoding, string) {
	if page := oldPages[strings.ToLower(label)]; page != nil {
		return page, strings.ToLower(label)
	}
	enc, err := htmlindex.Get(label)
	if err != nil || enc == encoding.Replacement {
		return nil, ""
	}
	name, _ := htmlindex.Name(enc)
	return enc, name
}

// named returns the charset with this label.
func named(label string) (charset, error) {
	_, name := encodingOf(label)
	if name == "" {
		return charset{}, &BrokenError{Why: fmt.Errorf("its encoding %.40q is unknown", label)}
	}
	return charset{name: name}, nil
}

// CheckEncoding returns an error if there is no encoding with this label.
func CheckEncoding(label string) error {
	_, err := named(label)
	return err
}

// utf16 recognises UTF-16 without a byte order mark: in Western text every other byte is zero. It
// returns "" if head does not look like it.
func utf16(head []byte) string {
	head = head[:min(len(head), 512)&^1]
	var even, odd int
	for i := 0; i < len(head); i += 2 {
		if head[i] == 0 {
			even++
		}
		if head[i+1] == 0 {
			odd++
		}
	}
	switch pairs := len(head) / 2; {
	case pairs == 0:
		return ""
	case odd*2 > pairs && even*10 < pairs:
		return "utf-16le"
	case even*2 > pairs && odd*10 < pairs:
		return "utf-16be"
	}
	return ""
}

var xmlDeclaration = regexp.MustCompile(`^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

func xmlDeclared(head []byte) string {
	if m := xmlDeclaration.FindSubmatch(head[:min(len(head), 1024)]); m != nil {
		return string(m[1])
	}
	return ""
}

// Text returns the beginning of a document as text, and the encoding that it was read in, as Open does: by
// what is said of it, or else by what it is. Not ok: it is no text.
func Text(beginning []byte, said, contentType string) (text, encoding string, ok bool) {
	beginning = beginning[:min(len(beginning), readAtOnce)]
	c, err := findCharset(beginning, said, contentType)
	if err != nil {
		c = charset{name: "windows-1252", guessed: true}
	}
	c.unsaid = false // it is shown, whatever its letters are
	name := c.name
	if c.guessed {
		name = "utf-8"
	}
	doc, err := io.ReadAll(c.text(bytes.NewReader(beginning), func(found string, _ *Doubt) { name = found }))
	if err != nil && len(doc) == 0 || bytes.IndexByte(doc, 0) >= 0 {
		return "", "", false
	}
	return strings.ToValidUTF8(string(doc), "\ufffd"), name, true
}

// text returns doc in UTF-8, without a byte order mark. Invalid bytes in a document that is UTF-8 are
// passed on, so that its reader can refuse the record. found is called once a guessed charset is known.
func (c charset) text(doc io.Reader, found foundCharset) io.Reader {
	if c.mark > 0 {
		io.CopyN(io.Discard, doc, int64(c.mark))
	}
	switch {
	case c.guessed:
		return &guess{from: doc, other: c.name, unsaid: c.unsaid, found: found}
	case c.name == "utf-8":
		return doc
	}
	return transform.NewReader(doc, c.decoder())
}

func (c charset) decoder() *encoding.Decoder {
	enc, _ := encodingOf(c.name)
	if enc == nil {
		enc = charmap.Windows1252
	}
	return enc.NewDecoder()
}

// head decodes the first bytes of a document. Whether its letters can be guessed more of them say.
func (c charset) head(head []byte) []byte {
	c.unsaid = false
	text, _ := io.ReadAll(c.text(bytes.NewReader(head), func(string, *Doubt) {}))
	return text
}

// A guess reads text that is either UTF-8 or another charset. The first block with bytes beyond ASCII
// decides.
type guess struct {
	from   io.Reader
	other  string // the charset if it is not UTF-8
	unsaid bool   // nothing says that it is other
	found  foundCharset

	buf     []byte
	ascii   []byte    // the part of buf that was not returned yet
	decided io.Reader // the rest of the text; nil until it is decided
	err     error
}

func (g *guess) Read(p []byte) (int, error) {
	for g.decided == nil && len(g.ascii) == 0 {
		if g.err != nil {
			return 0, g.err
		}
		if g.buf == nil {
			g.buf = make([]byte, readAtOnce)
		}
		g.ascii, g.err = fill(g.from, g.buf)
		if i := asciiLength(g.ascii); i < len(g.ascii) {
			g.decide(i)
		}
	}
	if len(g.ascii) > 0 {
		n := copy(p, g.ascii)
		g.ascii = g.ascii[n:]
		return n, nil
	}
	return g.decided.Read(p)
}

// fill fills a buffer as far as a text goes, whose end is io.EOF.
func fill(from io.Reader, buf []byte) ([]byte, error) {
	n, err := io.ReadFull(from, buf)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return buf[:n], err
}

// asciiLength returns how many bytes precede the first beyond ASCII.
func asciiLength(text []byte) int {
	for i, b := range text {
		if b >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// decide chooses the charset of a text that is ASCII up to i: UTF-8 unless the block has more invalid
// bytes than valid characters beyond ASCII.
func (g *guess) decide(i int) {
	rest := bytes.Clone(g.ascii[i:])
	g.ascii = g.ascii[:i]
	word := bytes.Clone(g.ascii[bytes.LastIndexFunc(g.ascii, notLetter)+1:]) // that rest begins within

	if g.unsaid && g.err == nil { // a few letters at the end of a block decide nothing
		more, err := fill(g.from, make([]byte, readAtOnce))
		rest, g.err = append(rest, more...), err
	}
	letters, bytesBeyond := 0, 0
	for at := 0; at < len(rest); {
		r, n := utf8.DecodeRune(rest[at:])
		switch {
		case r == utf8.RuneError && n == 1:
			if utf8.FullRune(rest[at:]) || g.err != nil { // not just cut off by the end of the block
				bytesBeyond++
			}
		case n > 1:
			letters++
		}
		at += n
	}
	after := io.Reader(bytes.NewReader(rest))
	if g.err == nil {
		after = io.MultiReader(after, g.from)
	} else if g.err != io.EOF {
		after = io.MultiReader(after, failing{g.err})
	}
	c := charset{name: "utf-8"}
	var doubt *Doubt
	if bytesBeyond > letters {
		c.name = g.other
	}
	if c.name == g.other && g.unsaid {
		var err error
		if doubt, err = doubtLetters(append(word, rest...), g.other); err != nil {
			after = failing{err}
		}
	}
	g.found(c.name, doubt)
	g.decided = c.text(after, nil)
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
