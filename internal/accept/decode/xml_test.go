package decode

import (
	"testing"

	"gangway/internal/gangway"
)

// TestElements holds that the elements of an XML document, or of a SOAP message's operation, can be
// had one at a time, each with its line.
func TestElements(t *testing.T) {
	for _, tt := range []struct{ doc, name, want string }{
		{"<crew a='1'>\n<m><n>Santos</n></m>\n<x:m i='2'>Cruz</x:m>\n<none/></crew>", "crew",
			"line 2\t{\"m\":{\"n\":\"Santos\"}}\n" +
				"line 3\t{\"x:m\":{\"#text\":\"Cruz\",\"@i\":\"2\"}}\nline 4\t{\"none\":\"\"}\n"},
		{"<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Body>\n<u:Upload xmlns:u='u'>\n" +
			"<t/>\n<t>2</t></u:Upload></S:Body></S:Envelope>", "Upload",
			"line 3\t{\"t\":\"\"}\nline 4\t{\"t\":\"2\"}\n"},
		{"<crew/>", "crew", ""},
		{"<crew><m></crew>", "crew", "broken: it is not well formed: an end tag does not match, at line 1\n"},
	} {
		d, err := Open(text(tt.doc), gangway.DocumentFormat{}, Limits{})
		must(t, err)
		name, ok := d.Elements()
		if !ok || name != tt.name || !d.List() {
			t.Errorf("%s: Elements = %s, %v, list %v; want %s", tt.doc, name, ok, d.List(), tt.name)
		}
		if got, _ := itemsOf(d); got != tt.want {
			t.Errorf("%s has\n%s\nwant\n%s", tt.doc, got, tt.want)
		}
	}
	d, err := Open(text(`[1]`), gangway.DocumentFormat{}, Limits{})
	if _, ok := d.Elements(); err != nil || ok {
		t.Errorf("JSON has elements, %v", err)
	}
}
