package wire

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An object is a JSON object while it is written. Of two members with one name
// it keeps the first.
type object struct {
	doc   []byte
	names map[string]bool
}

func newObject() *object { return &object{doc: []byte{'{'}, names: map[string]bool{}} }

// member writes a member whose value is JSON.
func (o *object) member(name string, value jsontext.Value) {
	if o.names[name] {
		return
	}
	o.names[name] = true
	if len(o.doc) > 1 {
		o.doc = append(o.doc, ',')
	}
	o.doc, _ = jsontext.AppendQuote(o.doc, name) // what is no UTF-8 is replaced
	o.doc = append(append(o.doc, ':'), value...)
}

// text writes a text, unless it is empty.
func (o *object) text(name, value string) {
	if value != "" {
		quoted, _ := jsontext.AppendQuote(nil, value)
		o.member(name, quoted)
	}
}

// value writes what always can be written as JSON.
func (o *object) value(name string, value any) {
	doc, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	o.member(name, doc)
}

// empty reports whether nothing was written.
func (o *object) empty() bool { return len(o.doc) == 1 }

func (o *object) end() jsontext.Value { return append(o.doc, '}') }
