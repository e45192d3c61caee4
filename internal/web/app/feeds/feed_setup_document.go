package feeds

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"

	"gangway/internal/accept/poll"
	"gangway/internal/web/app/shell"
)

// SampleBytes is how long a sample may be. One of carriedBytes can be tried again without being sent or fetched again,
// if it has at most packedBytes when it is packed.
//
// Decided: docs/choices.md, "Setting feeds up on pages".
const (
	SampleBytes  = 32 << 20
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
	r := receivedDocument{Name: d.Name, ContentType: d.ContentType, Size: shell.SizeWords(d.Size),
		Found: foundWords(d.Format)}
	r.Head, r.Cut = headOf(d.Head)
	r.Cut = r.Cut || d.Cut
	return r
}

// headOf is the beginning of a document for reading: some lines of it.
func headOf(text string) (head string, cut bool) {
	const mostLines, mostRunes = 12, 1500
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if lines := strings.SplitAfter(text, "\n"); len(lines) > mostLines {
		text, cut = strings.Join(lines[:mostLines], ""), true
	}
	if runes := []rune(text); len(runes) > mostRunes {
		text, cut = string(runes[:mostRunes]), true
	}
	return strings.TrimRight(text, "\n\ufffd"), cut // perhaps within a letter
}
