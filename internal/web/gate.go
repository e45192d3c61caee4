// Package web is what the three surfaces share: the gate in front of every
// handler, and how errors become answers.
//
// It knows no endpoint and no page. Packages api, app and reporting put their
// handlers behind the gate; package access finds out who is asking.
package web

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A Handler answers a request on behalf of one account. It gets its data
// through in and has no other way to the database. It returns its failures:
// the gate turns them into answers.
type Handler func(w http.ResponseWriter, r *http.Request, in store.Scoped) error

// Gate lets a request through to h with the scope that auth finds for it.
// An error that h returns, or its panic, is answered by refuse. If the fault is ours it is also
// logged, without any part of the request's body.
func Gate(db *store.DB, log *slog.Logger, auth func(*http.Request) (gangway.Scope, error),
	refuse func(http.ResponseWriter, *http.Request, error), h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := &answering{ResponseWriter: w}
		if err := passGate(begun, r, db, log, auth, h); err != nil {
			// The store logs that the database is away, and refuse that a limit was reached: a
			// flood of either must not fill the log. What is not implemented is the caller's wish.
			if status := Status(err); status >= 500 && status != http.StatusNotImplemented &&
				r.Context().Err() == nil && !errors.Is(err, store.ErrAway) && !Limited(err) {
				log.ErrorContext(r.Context(), "a request was not answered as asked", "method", r.Method, "path",
					gangway.LoggedPath(r.URL.Path), "client", Client(r), "error", err)
			}
			if begun.begun {
				// The answer has begun: ending the connection is the only way to say that it is
				// incomplete.
				panic(http.ErrAbortHandler)
			}
			refuse(w, r, err)
		}
	})
}

// An answering notes that an answer was begun.
type answering struct {
	http.ResponseWriter
	begun bool
}

// WriteHeader begins the answer.
func (b *answering) WriteHeader(status int) {
	b.begun = b.begun || status >= 200
	b.ResponseWriter.WriteHeader(status)
}

// Write continues the answer.
func (b *answering) Write(p []byte) (int, error) {
	b.begun = true
	return b.ResponseWriter.Write(p)
}

// Unwrap lets streams flush.
func (b *answering) Unwrap() http.ResponseWriter { return b.ResponseWriter }

func passGate(w http.ResponseWriter, r *http.Request, db *store.DB, log *slog.Logger,
	auth func(*http.Request) (gangway.Scope, error), h Handler) (err error) {
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case http.ErrAbortHandler:
			panic(cause)
		default:
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	scope, err := auth(r)
	if err != nil {
		return err
	}
	noteServed(r.Context(), func(s *Served) { s.Account = scope.Account })
	return h(w, r, db.In(scope))
}
