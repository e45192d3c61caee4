package access

import (
	"context"
	"errors"
	"net/http"

	"gangway/internal/store"
	"gangway/internal/web"
)

// Middleware gives next the session of each request, and stores its changes.
func (s *Sessions) Middleware(next http.Handler) http.Handler {
	manager := s.scs.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a := answerOf(w); a != nil {
			a.begun = true
		}
		if !ByItself(r) {
			s.stretch(r.Context())
		}
		next.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		manager.ServeHTTP(&sessionAnswer{ResponseWriter: w}, r)
	})
}

// A sessionAnswer is the answer to one request. If its session could not be stored, an
// error was sent instead, and what the page writes is dropped.
type sessionAnswer struct {
	http.ResponseWriter
	begun   bool // the session was read, and the page is being made
	refused bool
}

// WriteHeader begins the answer.
func (a *sessionAnswer) WriteHeader(status int) {
	if !a.refused {
		a.ResponseWriter.WriteHeader(status)
	}
}

// Write goes on with the answer.
func (a *sessionAnswer) Write(b []byte) (int, error) {
	if a.refused {
		return len(b), nil
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap lets streams flush.
func (a *sessionAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// answerOf finds the answer inside the wrappers around it.
func answerOf(w http.ResponseWriter) *sessionAnswer {
	for {
		switch v := w.(type) {
		case *sessionAnswer:
			return v
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return nil
		}
	}
}

// unkept answers when a session could not be read or stored. A page that was only
// viewed is shown nevertheless: extending the session, or noting that a message was
// read, can wait for another request.
func (s *Sessions) unkept(w http.ResponseWriter, r *http.Request, err error) {
	a := answerOf(w)
	reading := r.Method == http.MethodGet || r.Method == http.MethodHead
	if a != nil && a.begun && reading && errors.Is(err, store.ErrAway) {
		return
	}
	left := errors.Is(r.Context().Err(), context.Canceled) // whoever asked: nothing went wrong
	if !left && !errors.Is(err, store.ErrAway) {
		s.log.ErrorContext(r.Context(), "a session could not be read or stored", "error", err)
	}
	for _, name := range []string{"Location", "Content-Length"} { // of the intended answer
		w.Header().Del(name)
	}
	if s.Refuse != nil {
		s.Refuse(w, r, err)
	} else {
		web.Problem(w, r, err)
	}
	if a != nil {
		a.refused = true
	}
}
