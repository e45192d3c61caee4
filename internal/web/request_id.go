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
			r = r.WithContext(store.OfRequest(r.Context(), id))
		}
		next.ServeHTTP(w, r)
	})
}

// RequestID returns the identifier of the request that a context is of; empty where it is of none.
func RequestID(ctx context.Context) string { return store.RequestOf(ctx) }

// LogRequestIDs returns a log that adds to each line about a request which one that is, as Request-Id names it.
// count, where it is given, is told of each line.
func LogRequestIDs(to slog.Handler, count ...func(slog.Level)) slog.Handler {
	return namingLog{to, count}
}

type namingLog struct {
	slog.Handler
	count []func(slog.Level)
}

// Handle is part of slog.Handler.
func (l namingLog) Handle(ctx context.Context, line slog.Record) error {
	if id := RequestID(ctx); id != "" {
		line.AddAttrs(slog.String("request", id))
	}
	for _, count := range l.count {
		count(line.Level)
	}
	return l.Handler.Handle(ctx, line)
}

// WithAttrs is part of slog.Handler.
func (l namingLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return namingLog{l.Handler.WithAttrs(attrs), l.count}
}

// WithGroup is part of slog.Handler.
func (l namingLog) WithGroup(name string) slog.Handler {
	return namingLog{l.Handler.WithGroup(name), l.count}
}
