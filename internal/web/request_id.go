package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"gangway/internal/store"
)

// requestIDHeader is the header of each answer that names its request.
const requestIDHeader = "Request-Id"

type requestIDKey struct{}

// NameRequests gives each request an identifier, which its answer carries in the header Request-Id, and RequestID
// tells whoever writes something down about it. It is always ours: what a client sends in such a header is not
// looked at. A request that has one keeps it.
//
// Decided: docs/choices.md, "The request log".
func NameRequests(now func() time.Time, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if RequestID(r.Context()) == "" {
			id := store.NewRequestID(now())
			w.Header().Set(requestIDHeader, id)
			r = r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id))
		}
		next.ServeHTTP(w, r)
	})
}

// RequestID returns the identifier of the request that a context is of; empty where it is of none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// LogRequestIDs returns a log that adds to each line about a request which one that is, as Request-Id names it.
func LogRequestIDs(to slog.Handler) slog.Handler { return namingLog{to} }

type namingLog struct{ slog.Handler }

// Handle is part of slog.Handler.
func (l namingLog) Handle(ctx context.Context, line slog.Record) error {
	if id := RequestID(ctx); id != "" {
		line.AddAttrs(slog.String("request", id))
	}
	return l.Handler.Handle(ctx, line)
}

// WithAttrs is part of slog.Handler.
func (l namingLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return namingLog{l.Handler.WithAttrs(attrs)}
}

// WithGroup is part of slog.Handler.
func (l namingLog) WithGroup(name string) slog.Handler { return namingLog{l.Handler.WithGroup(name)} }
