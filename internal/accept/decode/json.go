// Package decode turns the bytes of a document into values that can be read
// record by record. One file per format.
//
// It does not know what the records mean: package wire reads them.
package decode

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrEmpty says that there is no document at all.
var ErrEmpty = errors.New("there is nothing in it")

// byteOrderMark is U+FEFF in UTF-8.
var byteOrderMark = []byte("\xEF\xBB\xBF")

// JSON returns a reader of a JSON document that refuses duplicate names and
// invalid UTF-8. Whether the document is well formed shows while it is read;
// one whose values are nested deeper than depth is refused at once.
//
// The document is the reader's from now on. A byte-order mark at its start,
// which some systems write, is blanked out, so that positions stay what they are.
func JSON(doc []byte, depth int) (*jsontext.Decoder, error) {
	if bytes.HasPrefix(doc, byteOrderMark) {
		copy(doc, "   ")
	}
	if len(bytes.TrimSpace(doc)) == 0 {
		return nil, ErrEmpty
	}
	if deeper(doc, depth) {
		return nil, fmt.Errorf("values are nested more than %d deep", depth)
	}
	return jsontext.NewDecoder(bytes.NewBuffer(doc)), nil
}

// deeper reports whether doc opens more than depth brackets within each other,
// outside strings.
func deeper(doc []byte, depth int) bool {
	open := 0
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '"':
			for i++; i < len(doc) && doc[i] != '"'; i++ {
				if doc[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			if open++; open > depth {
				return true
			}
		case ']', '}':
			open--
		}
	}
	return false
}
