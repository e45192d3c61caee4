package transport

import (
	"context"
	"errors"
)

type heldKey struct{}

// WithHeld returns a context for sending a document that belongs to the sender only while held reports
// true. A transport asks right before the document leaves, since minutes may pass between any two steps
// of a process that is paused.
func WithHeld(ctx context.Context, held func() bool) context.Context {
	return context.WithValue(ctx, heldKey{}, held)
}

// Held returns what reports whether a document may still be sent.
func Held(ctx context.Context) (held func() bool) {
	if held, ok := ctx.Value(heldKey{}).(func() bool); ok {
		return held
	}
	return func() bool { return true }
}

// ErrNotHeld says that a document was not sent, since another replica may have sent it.
var ErrNotHeld = errors.New("another replica delivers this")
