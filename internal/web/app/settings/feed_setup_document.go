package settings

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gangway/internal/accept/poll"
)

// How long a sample may be, how long one may be to be tried again without being sent or fetched again, and how long
// it may be then when it is packed.
//
// Decided: docs/choices.md, "Setting feeds up on pages".
const (
	sampleBytes  = 32 << 20
	carriedBytes = 8 << 20
	packedBytes  = 512 << 10
)

// A carried is a document that the form has in it, so that a mapping can be tried again and again: what is tried is
// stored nowhere.
type carried struct {
	Packed            string // gzip, in base64
	Name, ContentType string
	Fetched           bool
}

// carry packs a document; where it is too long for the form nothing is carried.
func carry(doc []byte, about poll.TriedDocument, fetched bool) carried {
	if len(doc) == 0 {
		return carried{}
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(doc) // to memory
	w.Close()
	if packed.Len() > packedBytes {
		return carried{}
	}
	return carried{base64.StdEncoding.EncodeToString(packed.Bytes()), about.Name, about.ContentType, fetched}
}

// sample is the document again; nil: there is none.
func (c carried) sample() *poll.Sample {
	if c.Packed == "" {
		return nil
	}
	packed := base64.NewDecoder(base64.StdEncoding, strings.NewReader(c.Packed))
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return nil
	}
	return &poll.Sample{Name: c.Name, ContentType: c.ContentType, Body: io.LimitReader(unpacked, carriedBytes)}
}

// A receivedDocument is a document as it came.
type receivedDocument struct {
	Name, ContentType, Size string
	Found                   string // how it was decoded
	Head                    string // its beginning; empty: it is no text
	Cut                     bool
}

func receivedOf(d poll.TriedDocument) receivedDocument {
	r := receivedDocument{Name: d.Name, ContentType: d.ContentType, Size: sizeWords(d.Size),
		Found: foundWords(d.Format)}
	r.Head, r.Cut = headOf(d.Head)
	r.Cut = r.Cut || int64(len(d.Head)) < d.Size
	return r
}

// headOf is the beginning of a document for reading: some lines of it. What is no text is not shown.
func headOf(head []byte) (text string, cut bool) {
	const mostLines, mostRunes = 12, 1500
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("\x1F\x8B")):
		return "", false
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), bytes.HasPrefix(head, []byte("\xFE\xFF")):
		text = fromUTF16(head)
	default:
		text = string(bytes.TrimPrefix(head, []byte("\uFEFF")))
	}
	for i := 0; i < utf8.UTFMax && !utf8.ValidString(text) && len(text) > 0 && i < 3; i++ { // a letter that was cut
		if r, size := utf8.DecodeLastRuneInString(text); r == utf8.RuneError && size == 1 {
			text = text[:len(text)-1]
		}
	}
	if !utf8.ValidString(text) { // one byte a letter: nearly all of them are those of Latin-1
		letters := make([]rune, len(text))
		for i := range len(text) {
			letters[i] = rune(text[i])
		}
		text = string(letters)
	}
	if strings.ContainsRune(text, 0) {
		return "", false
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if lines := strings.SplitAfter(text, "\n"); len(lines) > mostLines {
		text, cut = strings.Join(lines[:mostLines], ""), true
	}
	if runes := []rune(text); len(runes) > mostRunes {
		text, cut = string(runes[:mostRunes]), true
	}
	return strings.TrimRight(text, "\n"), cut
}

func fromUTF16(head []byte) string {
	high, low := 0, 1
	if head[0] == 0xFF {
		high, low = 1, 0
	}
	var units []uint16
	for at := 2; at+1 < len(head); at += 2 {
		units = append(units, uint16(head[at+high])<<8|uint16(head[at+low]))
	}
	return string(utf16.Decode(units))
}
