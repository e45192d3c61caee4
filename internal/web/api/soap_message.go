package api

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gangway/internal/accept"
	"gangway/internal/gangway"
)

// soapSpace is the namespace of our operations and their types.
const soapSpace = "urn:gangway:uploads:1"

// A soapVersion is a version of SOAP.
type soapVersion struct {
	space, media     string // of its envelope
	sender, receiver string // codes of faults
}

var (
	soap11 = soapVersion{"http://schemas.xmlsoap.org/soap/envelope/", "text/xml", "Client", "Server"}
	soap12 = soapVersion{"http://www.w3.org/2003/05/soap-envelope", "application/soap+xml", "Sender", "Receiver"}
)

// mostHead is how far into a message its Body has to begin for the headers before it to be looked at.
const mostHead = 64 << 10

// checkEnvelope returns the version of a message, which the envelope says; where that cannot be read here,
// declared. Its error is a soapError: for an envelope of another version, and for a header that has to be
// understood, as none is here.
func checkEnvelope(doc []byte, declared soapVersion) (soapVersion, error) {
	version := declared
	dec := xml.NewDecoder(io.LimitReader(bytes.NewReader(doc), mostHead))
	dec.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	for depth := 0; ; {
		token, err := dec.RawToken()
		if err != nil {
			return version, nil // that is said when all of it is read
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			switch {
			case depth == 1 && token.Name.Local == "Envelope":
				switch boundTo(token) {
				case soap11.space:
					version = soap11
				case soap12.space:
					version = soap12
				default:
					return version, &soapError{version: version, code: "VersionMismatch", err: gangway.Errorf(
						gangway.Invalid, "the envelope is neither of SOAP 1.1 nor of SOAP 1.2")}
				}
			case depth == 2 && token.Name.Local == "Body":
				return version, nil
			case depth == 3 && isMandatory(token):
				return version, &soapError{version: version, code: "MustUnderstand", err: gangway.Errorf(
					gangway.Invalid,
					"the header %.60q must be understood, and no header is: the key goes into the HTTP header "+
						"X-Api-Key", token.Name.Local)}
			}
		case xml.EndElement:
			depth--
		}
	}
}

// boundTo returns the namespace of an element that binds its own prefix.
func boundTo(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Space == "xmlns" && a.Name.Local == e.Name.Space ||
			a.Name.Space == "" && a.Name.Local == "xmlns" && e.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// isMandatory reports whether a header has to be understood by us.
func isMandatory(e xml.StartElement) bool {
	must := false
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "mustUnderstand":
			must = a.Value == "1" || a.Value == "true"
		case "actor", "role":
			switch a.Value[strings.LastIndexByte(a.Value, '/')+1:] {
			case "", "next", "ultimateReceiver": // we are meant
			default:
				return false
			}
		}
	}
	return must
}

// A soapRemark is a problem or a warning.
type soapRemark struct {
	Path    string `xml:"path"`
	Message string `xml:"message"`
}

func remarks(fields map[string][]string) []soapRemark {
	var list []soapRemark
	for _, path := range slices.Sorted(maps.Keys(fields)) {
		for _, sentence := range fields[path] {
			list = append(list, soapRemark{path, sentence})
		}
	}
	return list
}

// A soapProblem is what problem details say, as the detail of a fault.
type soapProblem struct {
	XMLName    xml.Name     `xml:"problem"`
	Space      string       `xml:"xmlns,attr"`
	Status     int          `xml:"status"`
	Title      string       `xml:"title"`
	Detail     string       `xml:"detail,omitempty"`
	RetryAfter string       `xml:"retry_after,omitempty"`
	Errors     []soapRemark `xml:"error"`
	Truncated  bool         `xml:"truncated"`
}

// fault returns a message with a fault.
func (v soapVersion) fault(code, why string, p soapProblem) []byte {
	p.Space = soapSpace
	detail, err := xml.Marshal(p)
	if err != nil { // of these values none can fail
		detail = nil
	}
	said := escaped(why)
	if v == soap11 {
		return v.envelope(fmt.Sprintf("<soap:Fault><faultcode>soap:%s</faultcode><faultstring>%s</faultstring>"+
			"<detail>%s</detail></soap:Fault>", code, said, detail))
	}
	return v.envelope(fmt.Sprintf(`<soap:Fault><soap:Code><soap:Value>soap:%s</soap:Value></soap:Code><soap:Reason>`+
		`<soap:Text xml:lang="en">%s</soap:Text></soap:Reason><soap:Detail>%s</soap:Detail></soap:Fault>`, code, said,
		detail))
}

// A soapReceipt is the answer to an upload that was stored.
type soapReceipt struct {
	XMLName   xml.Name
	Received  int          `xml:"received"`
	Created   int          `xml:"created"`
	Updated   int          `xml:"updated"`
	Unchanged int          `xml:"unchanged"`
	Warnings  []soapRemark `xml:"warning"`
	Truncated bool         `xml:"truncated"`
}

// response returns a message with the answer of an operation.
func (v soapVersion) response(operation string, r accept.Receipt) []byte {
	doc, err := xml.Marshal(soapReceipt{xml.Name{Space: soapSpace, Local: operation + "Response"}, r.Received,
		r.Created, r.Updated, r.Unchanged, remarks(r.Warnings.Fields), r.Warnings.Truncated})
	if err != nil { // of these values none can fail
		doc = nil
	}
	return v.envelope(string(doc))
}

func (v soapVersion) envelope(content string) []byte {
	return fmt.Appendf(nil, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+
		`<soap:Envelope xmlns:soap="%s"><soap:Body>%s</soap:Body></soap:Envelope>`+"\n", v.space, content)
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
