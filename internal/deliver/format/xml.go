package format

import (
	"bytes"
	"encoding/xml"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// writeXML writes <bookings> with a <booking> for each record. A member is an element of its name, and
// an item of a list an <item>; null is an empty element.
func writeXML(records []jsontext.Value) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header + "<bookings>\n")
	for _, record := range records {
		list, err := items(record)
		if err != nil {
			return nil, err
		}
		for _, item := range list {
			if err := writeElement(&b, "booking", item); err != nil {
				return nil, err
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("</bookings>\n")
	return b.Bytes(), nil
}

// elementName is a name that every reader of XML takes.
var elementName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// writeElement writes a value as an element. A name that none can have is in one of its own.
func writeElement(b *bytes.Buffer, name string, value jsontext.Value) error {
	if !elementName.MatchString(name) {
		b.WriteString("<entry><name>")
		_ = xml.EscapeText(b, []byte(name)) // which a buffer takes
		b.WriteString("</name>")
		if err := writeElement(b, "value", value); err != nil {
			return err
		}
		b.WriteString("</entry>")
		return nil
	}
	b.WriteString("<" + name + ">")
	defer b.WriteString("</" + name + ">")
	if kind := value.Kind(); kind == '{' || kind == '[' {
		return members(value, func(inner string, value jsontext.Value) error {
			if kind == '[' {
				inner = "item"
			}
			return writeElement(b, inner, value)
		})
	}
	plain, err := text(value)
	_ = xml.EscapeText(b, []byte(plain))
	return err
}
