package decode

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var soapEnvelope = regexp.MustCompile(
	`^(?s:<\?.*?\?>|<!--.*?-->|\s)*<(?:[A-Za-z_][\w.-]*:)?Envelope\s[^>]*soap[/-]envelope`)

// isSOAP reports whether a document that begins with head is a SOAP envelope, of
// version 1.1 or 1.2.
func isSOAP(head []byte) bool { return soapEnvelope.Match(head[:min(len(head), 8<<10)]) }

var errNoBody = errors.New("it is not a SOAP message with a Body")

// openSOAP reads the content of a SOAP message's Body: an object with what is in
// it. A fault is an error that quotes what the service says.
func openSOAP(text io.Reader, limits Limits) (items, error) {
	r, err := openXML(text, limits)
	if err != nil {
		return nil, err
	}
	if r.root.Name.Local != "Envelope" {
		return nil, r.tokens.broken(errNoBody)
	}
	r.budget = newBudget(limits)
	for {
		start, err := r.start()
		switch {
		case errors.Is(err, io.EOF):
			return nil, r.tokens.broken(errNoBody)
		case err != nil:
			return nil, err
		case start.Name.Local == "Body":
			return r.openBody()
		}
		if _, err := r.element(start, 2); err != nil { // the Header
			return nil, err
		}
	}
}

// openBody reads the first element of the Body.
func (r *xmlReader) openBody() (items, error) {
	start, err := r.start()
	r.root, r.at = start, r.tokens.at
	switch {
	case errors.Is(err, io.EOF): // the Body is empty
		if err := r.end(); err != nil {
			return nil, err
		}
		return &one{item: Item{Value: map[string]any{}, At: r.at}}, nil
	case err != nil:
		return nil, err
	case start.Name.Local == "Fault":
		return nil, r.fault()
	}
	r.soap = true
	return r, nil
}

// fault reads a fault and returns what it says.
func (r *xmlReader) fault() error {
	content, err := r.element(r.root, 3)
	if err != nil {
		return err
	}
	said := ""
	for _, name := range []string{"faultstring", "Reason", "faultcode", "Code"} {
		if said = textWithin(childOf(content, name)); said != "" {
			break
		}
	}
	return &BrokenError{Why: fmt.Errorf("the service answers with a SOAP fault: %.300q", said)}
}

// childOf returns the member of an element's value with this name, whatever its prefix; nil if there is
// none.
func childOf(content any, name string) any {
	members, _ := content.(map[string]any)
	for key, value := range members {
		if key[strings.LastIndexByte(key, ':')+1:] == name {
			return value
		}
	}
	return nil
}

// textWithin returns the first text of a value, in the order of its names.
func textWithin(content any) string {
	switch content := content.(type) {
	case string:
		return content
	case []any:
		for _, value := range content {
			if text := textWithin(value); text != "" {
				return text
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(content)) {
			if text := textWithin(content[name]); text != "" && !strings.HasPrefix(name, "@") {
				return text
			}
		}
	}
	return ""
}
