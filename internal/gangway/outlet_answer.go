package gangway

import (
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// EndpointTransport is the kind of transport of addresses on the web.
const EndpointTransport = "endpoint"

// Pushes reports whether o posts to an address on the web: such documents are signed, and answered with a status of
// HTTP. Files and mails are not.
func (o Outlet) Pushes() bool { return o.Transport.Kind == EndpointTransport }

// CheckSigned returns Conflict for an outlet that has nothing to sign, so that no signing secret of it is shown.
func (o Outlet) CheckSigned() error {
	if !o.Pushes() {
		return Errorf(Conflict, "outlet %s has no signing secret: only what is pushed to an address is signed", o.Name)
	}
	return nil
}

// AnswerWords says in a part of a sentence what came of a try to deliver: "answered 502 Bad Gateway", "no connection:
// connection refused", "the file is there as …". status is as in HTTP, 0 where there was no answer; text is the
// beginning of the answer, or why there was none. Empty: nothing is known.
func (o Outlet) AnswerWords(status int, text string) string {
	if o.Pushes() && status != 0 {
		return "answered " + HTTPStatusWords(status)
	}
	if text = strings.TrimSuffix(Legible(text), "."); text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	if second, _ := utf8.DecodeRuneInString(text[size:]); unicode.IsUpper(second) {
		return text // "TLS …"
	}
	return string(unicode.ToLower(first)) + text[size:]
}

// HTTPStatusWords is a status of HTTP with its name: "502 Bad Gateway".
func HTTPStatusWords(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// TryWords says in a word or two what came of a try, and how that looks; left: something was sent.
func TryWords(status int, left bool) (sign, words string) {
	switch {
	case !left:
		return "act", "not sent"
	case status == 0:
		return "act", "no answer"
	case status < 200 || status > 299:
		return "act", HTTPStatusWords(status)
	}
	return "good", "accepted"
}
