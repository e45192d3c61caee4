// Package format writes records for customers: as JSON, as comma-separated values or as XML. What a
// record has in it is decided elsewhere: it is any document of JSON.
//
// Decided: docs/choices.md, "Formats that leave".
package format

import (
	"bytes"
	"context"
	"errors"
	"strconv"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// mostBytes is how much of a document is made: a table of many columns grows with each row.
const mostBytes = 32 << 20

// A written format has an ending for files, without the dot, and a media type.
type written struct {
	ending, media string
	write         func(ctx context.Context, records []jsontext.Value) ([]byte, error)
}

var formats = map[gangway.FormatKind]written{
	gangway.JSONFormat: {"json", "application/json", writeJSON},
	gangway.CSVFormat:  {"csv", "text/csv; charset=utf-8", writeCSV},
	gangway.XMLFormat:  {"xml", "application/xml; charset=utf-8", writeXML},
}

// Ending returns how names of files end that are written so, without the dot.
func Ending(as gangway.FormatKind) string { return formats[as].ending }

// Media returns the media type, as in a Content-Type.
func Media(as gangway.FormatKind) string { return formats[as].media }

// One writes a record by itself. As JSON it stays as it is, to the byte. Errors are as for Several.
func One(ctx context.Context, as gangway.FormatKind, record []byte) ([]byte, error) {
	if as == gangway.JSONFormat {
		return record, nil
	}
	return Several(ctx, as, [][]byte{record})
}

// Several writes records into one document, in their order: as JSON a list of them. The same records
// always give the same bytes. Invalid: they make more of a document than there may be, which a sentence says.
func Several(ctx context.Context, as gangway.FormatKind, records [][]byte) ([]byte, error) {
	list := make([]jsontext.Value, len(records))
	for i, record := range records {
		if list[i] = record; !list[i].IsValid() {
			return nil, errors.New("a record is no JSON")
		}
	}
	return formats[as].write(ctx, list)
}

func writeJSON(_ context.Context, records []jsontext.Value) ([]byte, error) {
	size := len("[]\n")
	for _, record := range records {
		size += len(record) + len(",\n")
	}
	b := append(make([]byte, 0, size), '[')
	for i, record := range records {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = append(b, record...)
	}
	return append(b, "]\n"...), nil
}

// tooLong refuses a document that has become longer than there may be.
func tooLong(size int) error {
	if size <= mostBytes {
		return nil
	}
	return gangway.Errorf(gangway.Invalid, "the document would have more than %d MB in this format", mostBytes>>20)
}

// eachItem calls each, with what reads it, for what the records stand for: the items of a list, or else the
// record itself.
func eachItem(ctx context.Context, records []jsontext.Value, each func(d *jsontext.Decoder) error) error {
	for _, record := range records {
		d := jsontext.NewDecoder(bytes.NewBuffer(record))
		list := record.Kind() == '['
		if list {
			if _, err := d.ReadToken(); err != nil {
				return err
			}
		}
		for more := true; more && d.PeekKind() != ']'; more = list {
			if err := errors.Join(ctx.Err(), each(d)); err != nil {
				return err
			}
		}
	}
	return nil
}

// members calls each, with what reads it, for the members of the object that has just begun, by name and in their
// order, or for the items of the list, by number from 0 on, and reads its end.
func members(d *jsontext.Decoder, each func(name string) error) error {
	begun, length := d.StackIndex(d.StackDepth())
	for n := length; d.PeekKind() != '}' && d.PeekKind() != ']'; n++ {
		name := strconv.FormatInt(n, 10)
		if begun == jsontext.KindBeginObject {
			token, err := d.ReadToken()
			if err != nil {
				return err
			}
			name = token.String()
		}
		if err := each(name); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// text returns a value that is no object and no list as text; nothing for null.
func text(value jsontext.Token) string {
	if value.Kind() == 'n' {
		return ""
	}
	return value.String()
}
