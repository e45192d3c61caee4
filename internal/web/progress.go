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
		answer := &progressing{ResponseWriter: w, flow: http.NewResponseController(w), patience: patience}
		next.ServeHTTP(answer, r)
		answer.until(time.Now().Add(patience)) // the rest is sent now
	})
}

type progressing struct {
	http.ResponseWriter
	flow     *http.ResponseController
	patience time.Duration
	own      bool // the handler sets the deadline
}

// until sets the deadline of what is being written; the zero time: there is none. HTTP/2 ends an answer at its deadline
// even if nothing is being written, as when a stream waits for news.
func (w *progressing) until(at time.Time) {
	if !w.own {
		w.flow.SetWriteDeadline(at) // if it cannot be set there is none
	}
}

// Write sends p in parts, each of which has to be received in time.
func (w *progressing) Write(p []byte) (int, error) {
	defer w.until(time.Time{})
	sent := 0
	for {
		w.until(time.Now().Add(w.patience))
		n, err := w.ResponseWriter.Write(p[sent:min(len(p), sent+piece)])
		if sent += n; err != nil || sent == len(p) {
			return sent, err
		}
	}
}

// FlushError is what http.ResponseController calls on behalf of the handler.
func (w *progressing) FlushError() error {
	w.until(time.Now().Add(w.patience))
	defer w.until(time.Time{})
	return w.flow.Flush()
}

// SetWriteDeadline is what http.ResponseController calls on behalf of the handler.
func (w *progressing) SetWriteDeadline(at time.Time) error {
	w.own = true
	return w.flow.SetWriteDeadline(at)
}

// Unwrap is what http.ResponseController calls for everything else.
func (w *progressing) Unwrap() http.ResponseWriter { return w.ResponseWriter }
