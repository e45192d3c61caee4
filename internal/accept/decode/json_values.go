package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"

	"github.com/go-json-experiment/json/jsontext"
)

// longestNumber is how many characters a number may have: computing with longer ones takes long.
const longestNumber = 400

// jsonValues are the elements of an array, or values that follow one another.
type jsonValues struct {
	from   *JSON
	limits Limits
	first  *jsonResult // was read to see whether a second follows
	unit   string      // what places count: "line" or "row"; empty: bytes
	came   int64       // items so far
	wrong  error       // why the first item was left out that was not merely cut off

	text  bytes.Reader
	dec   *jsontext.Decoder
	names map[string]string // of members so far: most records share them

	objects *objectPlaces // of a value that may be all of the document; nil: it is a record, whose place is enough
	begins  int64         // where that value begins
}

type jsonResult struct {
	item  Item
	wrong *BrokenError // about it alone
	line  int64        // where it begins
	ends  int64        // the line of what is wrong
}

// openJSON reads JSON. An array is a list, and so are several values that follow one another, as in JSON
// lines. A single value is not.
func openJSON(doc io.Reader, head []byte, contentType string, limits Limits) (values items, list bool, err error) {
	most := int(limits.Whole / 2)
	v := &jsonValues{limits: limits, names: map[string]string{}}
	v.dec = jsontext.NewDecoder(&v.text)
	if first := bytes.TrimLeft(head, jsonSpace); len(first) > 0 && first[0] == '[' && !beginsWithArrays(first) {
		v.from = FromReader(doc, limits.Depth, most)
		v.from.heavy = limits.Heavy
		if numbered(contentType) {
			v.unit = "row"
		}
		return v, true, nil
	}
	v.from = fromLines(doc, limits.Depth, most)
	v.from.heavy = limits.Heavy
	v.objects = placesIn("byte", nil)
	read, err := v.one()
	if err != nil {
		return nil, false, err
	}
	read.item.objects, v.objects = v.objects, nil
	if v.from.ended == nil {
		_, end := v.from.look()
		if list = end == nil; !list && !errors.As(end, new(*BrokenError)) {
			return nil, false, end
		}
	}
	if read.wrong != nil && !list {
		return nil, false, read.wrong
	}
	if list {
		v.unit, read.item.objects = "line", nil
	}
	v.first = &read
	return v, list, nil
}

// numbered reports whether each record of an array is a row of a query's answer, which is what a database's
// document declares: people count its rows, and never see its bytes.
func numbered(contentType string) bool {
	_, params, err := mime.ParseMediaType(contentType)
	return err == nil && params["records"] == "rows"
}

// jsonSpace is what JSON takes for white space.
const jsonSpace = " \t\r\n"

// beginsWithArrays reports whether something follows the array at the start of head, as in JSON lines.
func beginsWithArrays(head []byte) bool {
	s := newScan(head, 1)
	s.begin()
	return s.end() && len(bytes.TrimLeft(head[s.at:], jsonSpace)) > 0
}

// Value returns a record, which is JSON, as values. Numbers keep their spelling.
func Value(doc []byte) (any, error) {
	v := &jsonValues{names: map[string]string{}}
	v.text.Reset(doc)
	v.dec = jsontext.NewDecoder(&v.text)
	return v.value(newBudget(Limits{Whole: math.MaxInt64}))
}

func (v *jsonValues) next() (Item, error) {
	var read jsonResult
	var err error
	if first := v.first; first != nil {
		v.first, read = nil, *first
	} else if read, err = v.one(); err != nil {
		return read.item, v.ended(err)
	}
	v.came++
	read.count(v.unit, v.came)
	if read.wrong != nil {
		err = &RecordError{read.wrong.Error()}
		if v.wrong == nil && !errors.Is(read.wrong.Why, errEarly) {
			v.wrong = err
		}
	}
	return read.item, err
}

// count says the places in what is counted instead of bytes.
func (r *jsonResult) count(unit string, n int64) {
	switch unit {
	case "line":
		r.item.At = Place{Unit: unit, N: r.line}
	case "row":
		r.item.At = Place{Unit: unit, N: n}
	default:
		return
	}
	if r.wrong != nil && r.wrong.At != (Place{}) {
		r.wrong.At = r.item.At
		if unit == "line" {
			r.wrong.At.N = r.ends
		}
	}
}

// ended names the first fault of a document that ends too early, too: a comma that stands too much, say,
// and the record that it made unreadable.
func (v *jsonValues) ended(err error) error {
	var broken *BrokenError
	if v.wrong == nil || !errors.As(err, &broken) || !errors.Is(broken.Why, errEarly) {
		return err
	}
	return &BrokenError{fmt.Errorf("%v; and %w", v.wrong, errEarly), broken.At}
}

// one reads the next value, and says its places in bytes.
func (v *jsonValues) one() (jsonResult, error) {
	record, err := v.from.Next()
	at := record.At
	read := jsonResult{item: Item{At: at}, line: v.from.begins, ends: v.from.begins}
	var alone *RecordError
	switch {
	case errors.As(err, &alone):
		read.wrong = &BrokenError{alone, Place{}}
		return read, nil
	case err != nil:
		return read, err
	}
	v.begins = at.N
	v.text.Reset(record.JSON)
	v.dec.Reset(&v.text)
	value, err := v.value(newBudget(v.limits))
	if err == nil {
		_, err = v.dec.ReadToken()
	}
	wrongAt := func(why error, offset int64) {
		read.wrong = &BrokenError{why, Place{Unit: "byte", N: at.N + offset}}
		read.ends += int64(bytes.Count(record.JSON[:min(offset, int64(len(record.JSON)))], []byte("\n")))
	}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF):
		read.item.Value = value
	case err == nil:
		wrongAt(errMalformed, 0)
	case errors.Is(err, io.ErrUnexpectedEOF):
		wrongAt(errEarly, int64(len(record.JSON)))
	case errors.As(err, &syntax) && syntax.Err != nil:
		wrongAt(fmt.Errorf("%w: %w", errMalformed, syntax.Err), syntax.ByteOffset)
	case errors.As(err, &alone):
		read.wrong = &BrokenError{alone, Place{}}
	default:
		return read, err
	}
	return read, nil
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
	if v.objects != nil {
		v.objects.note(members, v.begins+v.dec.InputOffset()-1)
	}
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
