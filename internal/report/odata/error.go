package odata

import (
	"fmt"
	"net/http"
	"unicode/utf8"
)

// Error says why a request is not answered, to whoever sent it.
type Error struct {
	Status  int    // of HTTP: 400, 404, 414 or 501
	Option  string // the query option, such as $filter, or an alias; empty for the path
	At      int    // the character of the option's value at which it fails, from 1; 0 for all of it
	Target  string // the property or function that it is about, if it is about one
	Message string // a sentence without its full stop
}

// Error returns, for example: $filter, at character 12: there is no property Prise.
func (e *Error) Error() string {
	switch {
	case e.Option == "":
		return e.Message
	case e.At == 0:
		return e.Option + ": " + e.Message
	}
	return fmt.Sprintf("%s, at character %d: %s", e.Option, e.At, e.Message)
}

// errorf returns an error of an option as a whole.
func errorf(status int, option, format string, args ...any) *Error {
	return &Error{Status: status, Option: option, Message: fmt.Sprintf(format, args...)}
}

// badf fails at a byte of the option that p reads.
func (p *parser) badf(at int, format string, args ...any) Expr {
	return p.fail(http.StatusBadRequest, at, "", fmt.Sprintf(format, args...))
}

// unsupported fails at what the standard knows and this service does not.
func (p *parser) unsupported(at int, what string) Expr {
	return p.fail(http.StatusNotImplemented, at, "", what+" is not supported here")
}

// fail notes the first error of the request, ends the option, and returns an expression that stands for what
// could not be read.
func (p *parser) fail(status, at int, target, message string) Expr {
	at = min(at, len(p.src))
	p.stop(&Error{Status: status, Option: p.option, At: utf8.RuneCountInString(p.src[:at]) + 1,
		Target: shortened(target), Message: message})
	p.tok = token{at: at}
	return &Literal{Node: Node{Nullable: true, At: at}}
}

// shortened returns at most 40 characters of s, for messages.
func shortened(s string) string {
	n := 0
	for i := range s {
		if n++; n > 40 {
			return s[:i] + "…"
		}
	}
	return s
}

// quote returns the same in double quotes.
func quote(s string) string { return `"` + shortened(s) + `"` }
