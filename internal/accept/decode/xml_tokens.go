package decode

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// xmlTokens reads the tokens of an XML document that was converted to UTF-8, whatever it declares, and
// checks that start and end tags match.
//
// Only XML's own five entities are replaced, and nothing outside the document is read.
type xmlTokens struct {
	dec  *xml.Decoder
	from *tokenReader
	open []xml.Name // the elements that have not ended
	at   Place      // of the last token
	done bool       // the document element has ended
}

func newXMLTokens(text io.Reader) *xmlTokens {
	t := &xmlTokens{from: &tokenReader{from: bufio.NewReaderSize(text, readAtOnce)}}
	t.dec = xml.NewDecoder(t.from)
	t.dec.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	return t
}

var errEntities = errors.New("it declares entities, which are not allowed")

// next returns the next start tag, end tag or text; io.EOF after the document element. A token is valid
// until the next call.
func (t *xmlTokens) next() (xml.Token, error) {
	for {
		line, _ := t.dec.InputPos()
		t.at = Place{Unit: "line", N: int64(line)}
		t.from.beginToken()
		token, err := t.dec.RawToken()
		switch {
		case errors.Is(err, io.EOF) && t.done:
			return nil, io.EOF
		case errors.Is(err, io.EOF) && len(t.open) > 0:
			return nil, t.broken(errEarly)
		case errors.Is(err, io.EOF):
			return nil, ErrEmpty
		case err != nil:
			return nil, t.because(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if t.done {
				return nil, t.broken(errors.New("it has two document elements"))
			}
			t.open = append(t.open, token.Name)
			return token, nil
		case xml.EndElement:
			if n := len(t.open); n == 0 || t.open[n-1] != token.Name {
				return nil, t.broken(errors.New("it is not well formed: an end tag does not match"))
			}
			t.open = t.open[:len(t.open)-1]
			t.done = len(t.open) == 0
			return token, nil
		case xml.CharData:
			if len(t.open) > 0 {
				return token, nil
			}
			if len(bytes.TrimSpace(token)) > 0 {
				return nil, t.broken(errors.New("it is not well formed: text is outside the document element"))
			}
		case xml.Directive:
			if bytes.Contains(bytes.ToUpper(token), []byte("<!ENTITY")) {
				return nil, t.broken(errEntities)
			}
		}
	}
}

func (t *xmlTokens) broken(why error) error { return &BrokenError{why, t.at} }

// because says why there is no next token.
func (t *xmlTokens) because(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		t.at.N = int64(syntax.Line)
		return t.broken(fmt.Errorf("it is not well formed: %s", syntax.Msg))
	case errors.Is(err, errLongText), errors.Is(err, errLongTag):
		return t.broken(err)
	case t.from.err != nil && !errors.Is(t.from.err, io.EOF):
		return t.from.err
	}
	return t.broken(err)
}

// How long a text and a tag may be: each is held in memory as a whole, and the attributes of a tag take
// more memory than their text.
const (
	longestText = 4 << 20
	longestTag  = 1 << 20
)

var (
	errLongText = fmt.Errorf("a text in it has more than %d bytes", longestText)
	errLongTag  = fmt.Errorf("a tag in it has more than %d bytes", longestTag)
)

// A tokenReader ends a document that has a token that is too long.
type tokenReader struct {
	from  *bufio.Reader
	begin [2]byte // of the token; the decoder may have read the first byte with the token before
	last  byte
	n     int   // bytes of the token
	err   error // of from
}

// beginToken says that the next byte belongs to another token.
func (r *tokenReader) beginToken() {
	if r.n = 0; r.last == '<' {
		r.begin[0], r.n = '<', 1
	}
}

// ReadByte is what the decoder reads with.
func (r *tokenReader) ReadByte() (byte, error) {
	switch isTag := r.begin[0] == '<' && r.begin[1] != '!'; {
	case r.n > longestTag && isTag:
		return 0, errLongTag
	case r.n > longestText:
		return 0, errLongText
	}
	b, err := r.from.ReadByte()
	if err != nil {
		r.err = err
		return 0, err
	}
	if r.n < len(r.begin) {
		r.begin[r.n] = b
	}
	r.n++
	r.last = b
	return b, nil
}

// Read is there because the decoder wants a reader; it reads with ReadByte.
func (r *tokenReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := r.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}
