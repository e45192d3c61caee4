package decode

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// xmlTokens are those of an XML document whose text is UTF-8 already, whatever
// it declares: elements that fit each other, and text.
//
// No entity is ever replaced but the five of XML itself, and nothing outside the
// document is read.
type xmlTokens struct {
	dec  *xml.Decoder
	from *tokenReader
	open []xml.Name // the elements that are not ended
	at   Place      // of the last token
	done bool       // the document element was ended
}

func newXMLTokens(text io.Reader) *xmlTokens {
	t := &xmlTokens{from: &tokenReader{from: bufio.NewReaderSize(text, readAtOnce)}}
	t.dec = xml.NewDecoder(t.from)
	t.dec.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	return t
}

var errEntities = errors.New("it declares entities, and no document may: send the text itself")

// next returns the next start or end of an element, or text; io.EOF behind the
// document element. A token is good until the next.
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
				return nil, t.broken(errors.New("it is not well formed: an element ends that did not begin"))
			}
			t.open = t.open[:len(t.open)-1]
			t.done = len(t.open) == 0
			return token, nil
		case xml.CharData:
			if len(t.open) > 0 {
				return token, nil
			}
			if len(bytes.TrimSpace(token)) > 0 {
				return nil, t.broken(errors.New("it is not well formed: text stands outside the document element"))
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

// How long the text of an element may be, and a tag: it is kept as a whole, and of a tag each of its
// many attributes takes more than its letters do.
const (
	longestText = 16 << 20
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
