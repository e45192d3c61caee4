package web

import (
	"net/http"
	"time"
)

// An answer is written in parts of this size.
const (
	piece = 32 << 10

	// AnswerPatience is how long a client may receive nothing of an answer before its
	// connection is cut. It allows for a line of 10 kbit/s.
	AnswerPatience = time.Minute
)

// WantProgress cuts the connection of a client that receives nothing of an answer for as
// long as patience: until then the answer takes up memory. Otherwise an answer may take
// any time, and a handler may set a deadline of its own.
//
// Decided: docs/choices.md, "What anybody may fill".
func WantProgress(patience time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&progressing{ResponseWriter: w, flow: http.NewResponseController(w), patience: patience}, r)
	})
}

type progressing struct {
	http.ResponseWriter
	flow     *http.ResponseController
	patience time.Duration
	own      bool // the handler sets the deadline
}

// Write sends p in parts, each of which has to be received in time.
func (w *progressing) Write(p []byte) (int, error) {
	sent := 0
	for {
		if !w.own {
			w.flow.SetWriteDeadline(time.Now().Add(w.patience)) // if it cannot be set there is none
		}
		n, err := w.ResponseWriter.Write(p[sent:min(len(p), sent+piece)])
		if sent += n; err != nil || sent == len(p) {
			return sent, err
		}
	}
}

// SetWriteDeadline is what http.ResponseController calls on behalf of the handler.
func (w *progressing) SetWriteDeadline(at time.Time) error {
	w.own = true
	return w.flow.SetWriteDeadline(at)
}

// Unwrap lets streams flush.
func (w *progressing) Unwrap() http.ResponseWriter { return w.ResponseWriter }
