package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// longestNumber is how many characters a number may have: computing with longer ones takes long.
const longestNumber = 400

// jsonValues are the elements of an array, or values that follow one another.
type jsonValues struct {
	from   *JSON
	limits Limits
	first  *jsonResult // was read to see whether a second follows

	text  bytes.Reader
	dec   *jsontext.Decoder
	names map[string]string // of members so far: most records share them
}

type jsonResult struct {
	item  Item
	wrong *BrokenError // about it alone
}

// openJSON reads JSON. An array is a list, and so are several values that follow one another, as in JSON
// lines. A single value is not.
func openJSON(doc io.Reader, head []byte, limits Limits) (values items, list bool, err error) {
	most := int(limits.Whole / 2)
	v := &jsonValues{limits: limits, names: map[string]string{}}
	v.dec = jsontext.NewDecoder(&v.text)
	if first := bytes.TrimLeft(head, jsonSpace); len(first) > 0 && first[0] == '[' && !beginsWithArrays(first) {
		v.from = FromReader(doc, limits.Depth, most)
		return v, true, nil
	}
	v.from = fromLines(doc, limits.Depth, most)
	item, wrong, err := v.one()
	if err != nil {
		return nil, false, err
	}
	if v.from.ended == nil {
		_, end := v.from.look()
		var none *BrokenError
		if list = end == nil; !list && !errors.As(end, &none) {
			return nil, false, end
		}
	}
	if wrong != nil && !list {
		return nil, false, wrong
	}
	v.first = &jsonResult{item, wrong}
	return v, list, nil
}

// jsonSpace is what JSON takes for white space.
const jsonSpace = " \t\r\n"

// beginsWithArrays reports whether something follows the array at the start of head, as in JSON lines.
func beginsWithArrays(head []byte) bool {
	s := newScan(head, 1)
	s.begin()
	return s.end() && len(bytes.TrimLeft(head[s.at:], jsonSpace)) > 0
}

func (v *jsonValues) next() (item Item, err error) {
	var wrong *BrokenError
	if first := v.first; first != nil {
		v.first = nil
		item, wrong = first.item, first.wrong
	} else {
		item, wrong, err = v.one()
	}
	if wrong != nil {
		err = &RecordError{wrong.Error()}
	}
	return item, err
}

// one reads the next value. wrong concerns that value alone.
func (v *jsonValues) one() (item Item, wrong *BrokenError, err error) {
	record, err := v.from.Next()
	at := record.At
	var alone *RecordError
	switch {
	case errors.As(err, &alone):
		return Item{At: at}, &BrokenError{alone, Place{}}, nil
	case err != nil:
		return Item{At: at}, nil, err
	}
	v.text.Reset(record.JSON)
	v.dec.Reset(&v.text)
	value, err := v.value(newBudget(v.limits.Whole))
	if err == nil {
		_, err = v.dec.ReadToken()
	}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF):
		return Item{Value: value, At: at}, nil, nil
	case err == nil:
		wrong = &BrokenError{errMalformed, at}
	case errors.Is(err, io.ErrUnexpectedEOF):
		wrong = &BrokenError{errEarly, Place{Unit: "byte", N: at.N + int64(len(record.JSON))}}
	case errors.As(err, &syntax) && syntax.Err != nil:
		wrong = &BrokenError{fmt.Errorf("%w: %w", errMalformed, syntax.Err),
			Place{Unit: "byte", N: at.N + syntax.ByteOffset}}
	case errors.As(err, &alone):
		wrong = &BrokenError{alone, Place{}}
	default:
		return Item{At: at}, nil, err
	}
	return Item{At: at}, wrong, nil
}

// value reads the next value.
func (v *jsonValues) value(b *budget) (any, error) {
	token, err := v.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 't', 'f':
		return token.Bool(), nil
	case '"':
		text := token.String()
		return text, b.spend(len(text))
	case '0':
		text := token.String()
		if len(text) > longestNumber {
			return nil, &RecordError{fmt.Sprintf("a number has more than %d characters", longestNumber)}
		}
		return json.Number(text), b.spend(len(text))
	case '[':
		return v.array(b)
	case '{':
		return v.object(b)
	}
	return nil, nil
}

func (v *jsonValues) array(b *budget) (any, error) {
	list := []any{}
	for v.dec.PeekKind() != ']' {
		if err := b.spend(elementCost); err != nil {
			return nil, err
		}
		value, err := v.value(b)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := v.dec.ReadToken()
	return list, err
}

func (v *jsonValues) object(b *budget) (any, error) {
	if err := b.spend(objectCost); err != nil {
		return nil, err
	}
	members := map[string]any{}
	for v.dec.PeekKind() != '}' {
		name, err := v.name(b)
		if err != nil {
			return nil, err
		}
		if members[name], err = v.value(b); err != nil {
			return nil, err
		}
	}
	_, err := v.dec.ReadToken()
	return members, err
}

// manyNames is how many names of members are remembered.
const manyNames = 1000

func (v *jsonValues) name(b *budget) (string, error) {
	raw, err := v.dec.ReadValue()
	if err != nil {
		return "", err
	}
	if name, known := v.names[string(raw)]; known {
		return name, b.spend(memberCost)
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return "", err
	}
	name := string(text)
	if len(v.names) < manyNames && len(raw) <= 100 {
		v.names[string(raw)] = name
	}
	return name, b.spend(memberCost + len(name))
}
