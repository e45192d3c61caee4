package web

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// A Served is a request that was answered, as an operator is told of it. It has the pattern of an address and never the
// address, which may name somebody or be a secret.
type Served struct {
	Surface string // empty: the request reached none
	Route   string // as http.ServeMux writes it, with {names}; empty: there is nothing at the address
	Method  string
	Account string // empty: nobody's
	Status  int
	Bytes   int64
	Took    time.Duration
	Stream  bool // the answer lasts for as long as somebody reads it
	Cut     bool // the connection was ended before the answer was complete
}

// An Observer is told of each request.
type Observer interface {
	Began()
	Ended(context.Context, Served)
}

type servedKey struct{}

// Observe lets next answer requests, and tells o of each.
func Observe(o Observer, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := &Served{Method: r.Method, Cut: true}
		began, ctx := time.Now(), r.Context()
		o.Began()
		answer := &servedAnswer{w, s}
		defer func() { // also if the handler panics
			s.Took, s.Stream = time.Since(began), w.Header().Get("Content-Type") == "text/event-stream"
			if s.Status == 0 && !s.Cut {
				s.Status = http.StatusOK
			}
			o.Ended(ctx, *s)
		}()
		next.ServeHTTP(answer, r.WithContext(context.WithValue(ctx, servedKey{}, s)))
		s.Cut = false
	})
}

// noteServed has a fact noted of the request that a context is of, if somebody observes it.
func noteServed(ctx context.Context, note func(*Served)) {
	if s, ok := ctx.Value(servedKey{}).(*Served); ok {
		note(s)
	}
}

// NoteSurface notes which surface answers a request.
func NoteSurface(ctx context.Context, name string) {
	noteServed(ctx, func(s *Served) { s.Surface = name })
}

// NoteRoute notes which pattern a request fits; the method before it is left out. "/" fits what fits no other.
func NoteRoute(ctx context.Context, pattern string) {
	noteServed(ctx, func(s *Served) {
		if s.Route = pattern[strings.Index(pattern, " ")+1:]; s.Route == "/" {
			s.Route = ""
		}
	})
}

// A servedAnswer notes how a request is answered.
type servedAnswer struct {
	http.ResponseWriter
	of *Served
}

// WriteHeader begins the answer.
func (w *servedAnswer) WriteHeader(status int) {
	if w.of.Status < 200 {
		w.of.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write continues the answer.
func (w *servedAnswer) Write(p []byte) (int, error) {
	if w.of.Status < 200 {
		w.of.Status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.of.Bytes += int64(n)
	return n, err
}

// Unwrap lets streams flush.
func (w *servedAnswer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
