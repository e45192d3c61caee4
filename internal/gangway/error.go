package gangway

import (
	"errors"
	"fmt"
)

// A Kind sorts errors by what the caller can do about them.
type Kind int

// Internal is the zero value, so that an error whose kind was forgotten shows
// nobody any detail. Replicas exchange kinds as numbers, so the numbers never
// change.
const (
	NoError     Kind = iota - 1 // no error
	Internal                    // our fault; callers see no detail
	Invalid                     // the record or request breaks a rule
	NotFound                    // absent, or not visible in this scope
	Conflict                    // right request, wrong state
	Denied                      // not allowed
	Unavailable                 // a customer or supplier is not answering; worth another try
)

// Error is an error whose message may be shown to the caller.
type Error struct {
	Kind Kind
	Msg  string
}

// Error returns the message.
func (e *Error) Error() string { return e.Msg }

// Errorf makes an error of the given kind with a message that callers may read.
// The message must never contain a body, a passport number, a key or a password.
func Errorf(kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

// KindOf returns the kind of err: NoError if there is none, and Internal if it
// is not one of ours.
func KindOf(err error) Kind {
	if err == nil {
		return NoError
	}
	if e, is := errors.AsType[*Error](err); is {
		return e.Kind
	}
	if errors.As(err, new(*ProblemsError)) {
		return Invalid
	}
	return Internal
}
