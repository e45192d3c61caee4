// Package natural reads records of documents in YAML, CSV, XML, SOAP or of a workbook whose names are
// those of the interface: nothing is mapped, and nothing is guessed. So uploads take other formats than
// JSON.
//
// It knows no rule of the trade: package wire reads what comes out, and the nouns check it.
package natural

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// Records are the records of a document.
//
// Decided: docs/choices.md, "Uploads in other formats".
type Records struct {
	doc    *decode.Document
	flow   gangway.Flow
	next   func() (decode.Record, error)
	record []byte // the last one

	columns *columns    // of a table
	row     decode.Item // of the last record of a table
	item    decode.Item // that the last record was made of, if not of a table
	change  *change     // the last crew change of a table
	tag     string      // what records of an XML document are called
}

// New returns the records of doc, of which nothing was read yet. Its error is
// decode.ErrNoArray for a document that is no list.
func New(flow gangway.Flow, doc *decode.Document) (*Records, error) {
	n := &Records{doc: doc, flow: flow}
	switch kind := doc.Format.Kind; {
	case kind == gangway.CSVFormat || kind == gangway.XLSXFormat:
		n.columns = newColumns(flow)
		if n.next = n.nextRow; flow == gangway.CrewChangesFlow {
			n.next = (&changes{n: n}).next
		}
		return n, nil
	case kind == gangway.XMLFormat || kind == gangway.SOAPFormat:
		name, ok := doc.Elements()
		if ok && name == "Envelope" && kind == gangway.XMLFormat {
			return nil, &decode.BrokenError{Why: errors.New("it is a SOAP message, which goes to {base_url}/soap")}
		}
		if ok {
			n.next = n.nextElement
			return n, nil
		}
	}
	if !doc.List() {
		return nil, decode.ErrNoArray
	}
	n.next = n.nextValue
	return n, nil
}

// AllSheets is how a workbook is opened for them: the records are on all its sheets.
const AllSheets = "*"

// Next returns the next record; io.EOF after the last. A *decode.RecordError is about that record alone.
func (n *Records) Next() (decode.Record, error) { return n.next() }

// nextValue reads a record of YAML, or of JSON in another charset than UTF-8.
func (n *Records) nextValue() (decode.Record, error) {
	item, err := n.doc.Next()
	if err != nil {
		return decode.Record{At: item.At}, err
	}
	n.item = item
	if n.doc.Format.Kind == gangway.YAMLFormat {
		item.Value = fromYAML(item.Value, recordOf(n.flow))
	}
	return n.write(item.Value, item.At)
}

// nextElement reads a record of XML.
func (n *Records) nextElement() (decode.Record, error) {
	item, err := n.doc.Next()
	if err != nil {
		return decode.Record{At: item.At}, err
	}
	members, _ := item.Value.(map[string]any)
	for name, content := range members {
		local := localName(name)
		n.tag = cmp.Or(n.tag, local)
		if local != n.tag {
			return decode.Record{}, &decode.BrokenError{At: item.At, Why: fmt.Errorf("the document element must have "+
				"an element for each record, all of one name: it has %.40q and %.40q", n.tag, local)}
		}
		n.item = item.Within(content)
		value, err := fromXML(content, recordOf(n.flow))
		if err != nil {
			return decode.Record{At: item.At}, err
		}
		if value == nil {
			value = map[string]any{}
		}
		return n.write(value, item.At)
	}
	return decode.Record{At: item.At}, &decode.RecordError{Msg: "it has no name"}
}

// nextRow reads a record of a table.
func (n *Records) nextRow() (decode.Record, error) {
	item, err := n.doc.Next()
	n.row = item
	if err != nil {
		return decode.Record{At: item.At}, err
	}
	record := newRowRecord()
	if err := n.columns.read(item, record.set); err != nil {
		return decode.Record{At: item.At}, err
	}
	n.row.Value = nil
	return n.write(record.value(), item.At)
}

func (n *Records) write(value any, at decode.Place) (decode.Record, error) {
	var err error
	if n.record, err = appendJSON(n.record[:0], value); err != nil {
		return decode.Record{At: at}, err
	}
	return decode.Record{JSON: jsontext.Value(n.record), At: at}, nil
}

// PlaceOf returns where a field of the last record stands; field is its path as problems have it,
// without the record: "Gender", "Onsigners[1].Dob". Where that is not known it is where the record
// begins, which at says.
func (n *Records) PlaceOf(field string, at decode.Place) decode.Place {
	switch {
	case n.change != nil:
		return n.change.placeOf(n.columns, field, at)
	case n.columns != nil:
		return n.columns.place(n.row, field)
	}
	return n.within(field, at)
}

// within returns where the innermost object begins that a field of the last record is in.
func (n *Records) within(field string, at decode.Place) decode.Place {
	value, m := n.item.Value, recordOf(n.flow)
	for step := range strings.FieldsFuncSeq(field, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		if i, err := strconv.Atoi(step); err == nil && isList(m) {
			list, several := value.([]any)
			if object, ok := value.(map[string]any); ok {
				list, several = unwrapped(object, itemOf(m)), true
			}
			if !several || i >= len(list) {
				break
			}
			value, m = list[i], itemOf(m)
		} else {
			object, ok := value.(map[string]any)
			if !ok {
				break
			}
			if value, m = memberCalled(object, m, step); value == nil {
				break
			}
		}
		if place := n.item.PlaceOf(value); place != (decode.Place{}) {
			at = place
		}
	}
	return at
}

// memberCalled returns the value of the member of an object that a step of a path names, and the member.
func memberCalled(object map[string]any, m *gangway.Member, step string) (any, *gangway.Member) {
	for name, value := range object {
		if local := localName(name); folded(local) == folded(step) {
			return value, memberOf(m, local)
		}
	}
	return nil, nil
}

// localName returns a name without the prefix of its namespace.
func localName(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// Weigh reads doc and estimates how many bytes of memory its records take once they are read and on their
// way to the database, as decode.Weight does for JSON. It ends early beyond most bytes or records. What is
// wrong with single records is said later.
func Weigh(doc *decode.Document, flow gangway.Flow, most int64, records int) (bytes int64, err error) {
	table := doc.Format.Kind == gangway.CSVFormat || doc.Format.Kind == gangway.XLSXFormat
	held := table && flow == gangway.CrewChangesFlow // rows are kept until their crew change is complete
	doc.Elements()
	for n := 0; bytes <= most && (n <= records || held); n++ {
		item, err := doc.Next()
		switch {
		case errors.Is(err, io.EOF):
			return bytes, nil
		case errors.As(err, new(*decode.RecordError)) && doc.List():
		case err != nil:
			return bytes, err
		}
		text := weigh(item.Value)
		if bytes += recordWeight + text; held {
			bytes += heldWeight + text
		}
	}
	return bytes, nil
}

// What a record or an object in it takes, a text beside its letters, and a row of a crew change that is kept.
const (
	recordWeight = 500
	textWeight   = 24
	heldWeight   = 200
)

func weigh(value any) int64 {
	switch value := value.(type) {
	case string:
		return int64(len(value)) + textWeight + 3
	case []any:
		n := int64(0)
		for _, v := range value {
			n += weigh(v)
		}
		return n
	case map[string]any:
		n := int64(recordWeight)
		for name, v := range value {
			if v != "" { // an empty cell
				n += int64(len(name)) + textWeight + 3 + weigh(v)
			}
		}
		return n
	}
	return textWeight
}
