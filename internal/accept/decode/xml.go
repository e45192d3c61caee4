package decode

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// An xmlReader reads elements as values: attributes as "@name", the text of an element that has more than
// text as "#text", repeated elements as lists.
type xmlReader struct {
	tokens  *xmlTokens
	limits  Limits
	budget  *budget
	names   map[xml.Name]string
	root    xml.StartElement
	at      Place // of it
	soap    bool  // root is the first element of a Body, which may have others
	alone   bool  // each element in root is an item of a list
	ended   bool
	objects *objectPlaces // of the item at hand
}

// openXML reads an XML document: an object with the document element.
func openXML(text io.Reader, limits Limits) (*xmlReader, error) {
	r := &xmlReader{tokens: newXMLTokens(text), limits: limits, names: map[xml.Name]string{}}
	var err error
	r.root, err = r.start()
	r.at = r.tokens.at
	return r, err
}

// Elements turns an XML document into a list: each element in the document element (for SOAP, in the
// element in the Body) becomes an item {"name": …} with its line. It must be called before Next. It
// returns the name of the document element, and false if the document is not XML.
func (d *Document) Elements() (name string, ok bool) {
	r, ok := d.items.(*xmlReader)
	if !ok || r.ended {
		return "", false
	}
	r.alone, d.list = true, true
	return r.root.Name.Local, true
}

// start returns the start of the next element and skips the text before it.
func (r *xmlReader) start() (xml.StartElement, error) {
	for {
		token, err := r.tokens.next()
		if err != nil {
			return xml.StartElement{}, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			return token.Copy(), nil
		case xml.EndElement:
			return xml.StartElement{}, io.EOF
		}
	}
}

func (r *xmlReader) next() (Item, error) {
	if r.ended {
		return Item{}, io.EOF
	}
	r.budget, r.objects = newBudget(r.limits), nil
	if r.alone {
		return r.nextElement()
	}
	r.ended = true
	content := xmlElement{}
	for start, err := r.root, error(nil); !errors.Is(err, io.EOF); start, err = r.start() {
		if err != nil {
			return Item{At: r.at}, err
		}
		value, err := r.element(start, 1)
		if err != nil {
			return Item{At: r.at}, err
		}
		content.add(r.name(start.Name), value)
		if !r.soap {
			break
		}
	}
	return Item{Value: content.members, At: r.at, objects: r.objects}, r.end()
}

// nextElement reads the next element within root.
func (r *xmlReader) nextElement() (Item, error) {
	start, err := r.start()
	at := r.tokens.at
	if errors.Is(err, io.EOF) {
		r.ended = true
		if err := r.end(); err != nil {
			return Item{At: at}, err
		}
		return Item{}, io.EOF
	}
	if err != nil {
		return Item{At: at}, err
	}
	content, err := r.element(start, 2)
	return Item{Value: map[string]any{r.name(start.Name): content}, At: at, objects: r.objects}, err
}

// end reads the rest of the document.
func (r *xmlReader) end() error {
	for {
		if _, err := r.tokens.next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// element reads the element that begins with start, to its end.
func (r *xmlReader) element(start xml.StartElement, depth int) (any, error) {
	if depth > r.limits.Depth {
		return nil, r.tokens.broken(fmt.Errorf("elements are nested more than %d deep", r.limits.Depth))
	}
	e, line := xmlElement{}, r.tokens.at.N
	for _, a := range start.Attr {
		if err := r.attribute(&e, a); err != nil {
			return nil, err
		}
	}
	for {
		token, err := r.tokens.next()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.CharData:
			if err := r.spend(len(token)); err != nil {
				return nil, err
			}
			if e.members == nil || len(bytes.TrimSpace(token)) > 0 {
				e.text = append(e.text, token...)
			}
		case xml.StartElement:
			name := r.name(token.Name)
			value, err := r.element(token.Copy(), depth+1)
			if err == nil {
				err = r.spend(e.add(name, value))
			}
			if err != nil {
				return nil, err
			}
		case xml.EndElement:
			if e.members != nil && (depth > 2 || !r.alone) { // an item has its place
				r.objects = placesIn("line", r.objects)
				r.objects.note(e.members, line)
			}
			return e.value(), nil
		}
	}
}

func (r *xmlReader) attribute(e *xmlElement, a xml.Attr) error {
	name := "@" + r.name(a.Name)
	if _, twice := e.members[name]; twice {
		return r.tokens.broken(fmt.Errorf("it is not well formed: the attribute %.40q comes twice", name[1:]))
	}
	return r.spend(len(name) + len(a.Value) + e.add(name, a.Value))
}

func (r *xmlReader) spend(n int) error {
	err := r.budget.spend(n)
	if errors.As(err, new(*RecordError)) {
		return r.tokens.broken(err)
	}
	return err
}

// name returns a name with its prefix.
func (r *xmlReader) name(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	name, known := r.names[n]
	if !known {
		name = n.Space + ":" + n.Local
		if len(r.names) < manyNames && len(name) < 100 {
			r.names[n] = name
		}
	}
	return name
}

// An xmlElement is an element that is being read.
type xmlElement struct {
	text    []byte
	members map[string]any
}

// add adds a member and returns what it costs. A repeated name makes a list.
func (e *xmlElement) add(name string, value any) (cost int) {
	if e.members == nil {
		e.members = map[string]any{}
		cost += objectCost
	}
	if addMember(e.members, name, value) {
		return cost + elementCost
	}
	return cost + memberCost
}

func (e *xmlElement) value() any {
	text := string(bytes.TrimSpace(e.text))
	if e.members == nil {
		return text
	}
	if text != "" {
		e.members["#text"] = text
	}
	return e.members
}
