// Package format writes records for customers: as JSON, as comma-separated values or as XML. What a
// record has in it is decided elsewhere: it is any document of JSON.
//
// Decided: docs/choices.md, "Formats that leave".
package format

import (
	"bytes"
	"errors"

	"gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// A written format has an ending for files, without the dot, and a media type.
type written struct {
	ending, media string
	write         func(records []jsontext.Value) ([]byte, error)
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

// One writes a record by itself. As JSON it stays as it is, to the byte.
func One(as gangway.FormatKind, record []byte) ([]byte, error) {
	if as == gangway.JSONFormat {
		return record, nil
	}
	return Several(as, [][]byte{record})
}

// Several writes records into one document, in their order: as JSON a list of them. The same records
// always give the same bytes.
func Several(as gangway.FormatKind, records [][]byte) ([]byte, error) {
	list := make([]jsontext.Value, len(records))
	for i, record := range records {
		if list[i] = record; !list[i].IsValid() {
			return nil, errors.New("a record is no JSON")
		}
	}
	return formats[as].write(list)
}

func writeJSON(records []jsontext.Value) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, record := range records {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.Write(record)
	}
	b.WriteString("]\n")
	return b.Bytes(), nil
}

// items returns what a record stands for: those of a list, or else itself.
func items(record jsontext.Value) (list []jsontext.Value, err error) {
	if record.Kind() != '[' {
		return []jsontext.Value{record}, nil
	}
	err = members(record, func(_ string, item jsontext.Value) error {
		list = append(list, item)
		return nil
	})
	return list, err
}

// members calls each with the members of an object, by name and in their order, or with the items of
// a list.
func members(of jsontext.Value, each func(name string, value jsontext.Value) error) error {
	d := jsontext.NewDecoder(bytes.NewReader(of))
	object := of.Kind() == '{'
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		var name string
		if object {
			token, err := d.ReadToken()
			if err != nil {
				return err
			}
			name = token.String()
		}
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		if err := each(name, value.Clone()); err != nil {
			return err
		}
	}
	return nil
}

// text returns a value that is no object and no list as text; nothing for null.
func text(value jsontext.Value) (string, error) {
	switch value.Kind() {
	case '"':
		unquoted, err := jsontext.AppendUnquote(nil, value)
		return string(unquoted), err
	case 'n':
		return "", nil
	}
	return string(value), nil
}
