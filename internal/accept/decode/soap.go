package decode

import "regexp"

var soapEnvelope = regexp.MustCompile(`^(?s:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<([A-Za-z_][\w.-]*:)?Envelope[\s>]`)

// isSOAP reports whether a document that begins with head is a SOAP envelope.
func isSOAP(head []byte) bool { return soapEnvelope.Match(head) }
