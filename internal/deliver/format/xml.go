package format

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// writeXML writes <bookings> with a <booking> for each record. A member is an element of its name, and
// an item of a list an <item>; null is an empty element.
func writeXML(ctx context.Context, records []jsontext.Value) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header + "<bookings>\n")
	err := eachItem(ctx, records, func(d *jsontext.Decoder) error {
		err := writeElement(&b, "booking", d)
		b.WriteByte('\n')
		return err
	})
	b.WriteString("</bookings>\n")
	return b.Bytes(), err
}

// elementName is a name that every reader of XML takes.
var elementName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// writeElement writes the value that comes next as an element. A name that none can have is in one of its own.
func writeElement(b *bytes.Buffer, name string, d *jsontext.Decoder) error {
	if !elementName.MatchString(name) {
		b.WriteString("<entry><name>")
		_ = xml.EscapeText(b, []byte(name)) // which a buffer takes
		b.WriteString("</name>")
		err := writeElement(b, "value", d)
		b.WriteString("</entry>")
		return err
	}
	value, err := d.ReadToken()
	if err != nil {
		return err
	}
	b.WriteString("<" + name + ">")
	switch kind := value.Kind(); kind {
	case '{', '[':
		err = members(d, func(inner string) error {
			if kind == '[' {
				inner = "item"
			}
			return writeElement(b, inner, d)
		})
	default:
		_ = xml.EscapeText(b, []byte(text(value)))
	}
	b.WriteString("</" + name + ">")
	return cmp.Or(err, tooLong(b.Len()))
}
