package web

import (
	"net/http"
	"time"
)

// Answers have to be taken: so much of them at a time.
const (
	piece = 32 << 10

	// AnswerPatience is how long a client may take nothing of an answer before
	// it is cut. A line of 10 kbit/s is no slower.
	AnswerPatience = time.Minute
)

// WantProgress cuts whoever takes nothing of an answer for as long as patience:
// what was made for such a client lies in memory until it has it. An answer may
// take as long as it likes otherwise, and a handler may set a deadline of its own.
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

// Write sends p in parts, each of which has to be taken in time.
func (w *progressing) Write(p []byte) (int, error) {
	sent := 0
	for {
		if !w.own {
			w.flow.SetWriteDeadline(time.Now().Add(w.patience)) // where it cannot be set there is none
		}
		n, err := w.ResponseWriter.Write(p[sent:min(len(p), sent+piece)])
		if sent += n; err != nil || sent == len(p) {
			return sent, err
		}
	}
}

// SetWriteDeadline is what http.ResponseController calls for the handler.
func (w *progressing) SetWriteDeadline(at time.Time) error {
	w.own = true
	return w.flow.SetWriteDeadline(at)
}

// Unwrap lets streams flush.
func (w *progressing) Unwrap() http.ResponseWriter { return w.ResponseWriter }
