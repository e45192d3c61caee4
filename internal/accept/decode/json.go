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
// one whose values are nested deeper than depth, or whose objects have more
// members than a record can have, is refused at once.
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
	if err := bounded(doc, depth); err != nil {
		return nil, err
	}
	return jsontext.NewDecoder(bytes.NewBuffer(doc)), nil
}

// mostMembers is how many members an object may have: more than any record
// means, few enough to look for names that stand there twice.
const mostMembers = 10_000

// bounded refuses a doc that opens more than depth brackets within each other,
// outside strings, or has an object of more than mostMembers.
func bounded(doc []byte, depth int) error {
	var members []int // of the values that are open
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '"':
			i = closing(doc, i)
		case '[', '{':
			if members = append(members, 0); len(members) > depth {
				return fmt.Errorf("values are nested more than %d deep", depth)
			}
		case ']', '}':
			members = members[:max(0, len(members)-1)]
		case ':':
			if n := len(members); n > 0 {
				if members[n-1]++; members[n-1] > mostMembers {
					return fmt.Errorf("an object has more than %d members", mostMembers)
				}
			}
		}
	}
	return nil
}

// closing returns where the string that begins at i ends.
func closing(doc []byte, i int) int {
	for from := i + 1; from < len(doc); from++ {
		n := bytes.IndexByte(doc[from:], '"')
		if n < 0 {
			break
		}
		from += n
		escapes := 0 // an odd number of them takes the meaning from the quotation mark
		for from-1-escapes > i && doc[from-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return from
		}
	}
	return len(doc)
}

// light is what a document may be thought to weigh that weighs less.
const light = 32 << 20

// Weight estimates how many bytes of memory the records of doc take once they
// are read and on their way to the database, besides doc itself: for each
// object a record of ours, for each string what is beside its bytes.
//
// Quotation marks and braces are counted wherever they stand, which takes no
// time, unless that comes to much: then those within strings are left out.
func Weight(doc []byte) int64 {
	const object, text = 500, 24
	weight := int64(len(doc))
	quick := weight + object*int64(bytes.Count(doc, []byte{'{'})) + text*int64((bytes.Count(doc, []byte{'"'})+1)/2)
	if quick <= light {
		return quick
	}
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '"':
			i = closing(doc, i)
			weight += text
		case '{':
			weight += object
		}
	}
	return weight
}
