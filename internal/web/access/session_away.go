package access

import (
	"errors"
	"net/http"

	"gangway/internal/store"
	"gangway/internal/web"
)

// Middleware lets next see the session of each request, and writes its changes.
func (s *Sessions) Middleware(next http.Handler) http.Handler {
	manager := s.scs.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a := answerOf(w); a != nil {
			a.begun = true
		}
		s.stretch(r.Context())
		next.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		manager.ServeHTTP(&sessionAnswer{ResponseWriter: w}, r)
	})
}

// A sessionAnswer is that of one request. When its session could not be kept, that
// has been said, and what the page wanted to say is not heard any more.
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

// answerOf finds the answer under what others have put around it.
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

// unkept answers when a session could not be read or kept. A page that was only
// looked at is shown all the same: that the session goes on for longer, or that
// a notice was read, can be written down another time.
func (s *Sessions) unkept(w http.ResponseWriter, r *http.Request, err error) {
	a := answerOf(w)
	reading := r.Method == http.MethodGet || r.Method == http.MethodHead
	if a != nil && a.begun && reading && errors.Is(err, store.ErrAway) {
		return
	}
	if !errors.Is(err, store.ErrAway) {
		s.log.ErrorContext(r.Context(), "a session could not be read or kept", "error", err)
	}
	for _, name := range []string{"Location", "Content-Length"} { // of what was to be answered
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
