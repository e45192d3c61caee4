package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"gangway/internal/accept"
	"gangway/internal/gangway"
	"gangway/internal/web"
)

// A noted request is one that is being answered, with what its account's request log will say of it.
type noted struct {
	gangway.LoggedRequest
	account string // empty: nobody's, as it has shown no key that is known
	bodies  bool   // the account has bodies kept
	refused bool
	over    int // how many requests beyond the limit there were in this minute, if it is one
	began   time.Time
	end     func() // has it written down
}

type notedKey struct{}

// noting lets next answer a request, and has it written to its account's log afterwards. What belongs to no account
// is in the server's log alone.
func (a *API) noting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := &noted{began: time.Now()}
		n.ID, n.At, n.Method = web.RequestID(r.Context()), a.now(), r.Method[:min(len(r.Method), 20)]
		if _, ok := a.routes[r.URL.Path]; ok {
			n.Path = r.URL.Path
		}
		if n.Path == "" || r.URL.RawQuery != "" {
			n.Details.Address = gangway.LoggedAddress(r.URL)
		}
		n.end = sync.OnceFunc(func() {
			if n.account != "" && web.WorthNoting(n.over) {
				n.Answer = unpacked(w.Header().Get("Content-Encoding"), n.Answer)
				a.requests.Note(n.account, n.LoggedRequest)
			}
		})
		defer n.end()
		r = r.WithContext(context.WithValue(r.Context(), notedKey{}, n))
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &notedBody{r.Body, n}
		}
		next.ServeHTTP(&notedAnswer{w, n}, r)
	})
}

// notedOf returns what is noted of the request that a context is of.
func notedOf(ctx context.Context) *noted {
	n, ok := ctx.Value(notedKey{}).(*noted)
	if !ok {
		return &noted{}
	}
	return n
}

// answered reports whether the answer has begun.
func (n *noted) answered() bool { return n.Status >= 200 }

// fail notes why a request was refused.
func (n *noted) fail(err error) {
	n.refused = true
	n.Details.Detail = web.Message(err)
	if n.over > 1 {
		n.Details.Detail += fmt.Sprintf(", which was refused %d times by now", n.over)
	}
	if fields, is := errors.AsType[*gangway.ProblemsError](err); is {
		n.Details.Detail = "One or more validation errors occurred."
		n.Details.Errors, n.Details.Truncated = fields.Fields, fields.Truncated
	}
}

// warn notes what was accepted with a warning.
func (n *noted) warn(receipt accept.Receipt) {
	n.Details.Warnings = receipt.Warnings.Fields
	n.Details.Truncated = n.Details.Truncated || receipt.Warnings.Truncated
}

// read notes what was sent.
func (n *noted) read(doc []byte) {
	if n.bodies {
		n.Body = slices.Clone(doc[:min(len(doc), gangway.LoggedBody)])
	}
}

// A notedBody counts what is read of it.
type notedBody struct {
	io.ReadCloser
	of *noted
}

// Read is part of io.Reader.
func (b *notedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.of.Received += int64(n)
	return n, err
}

// A notedAnswer notes how a request is answered.
type notedAnswer struct {
	http.ResponseWriter
	of *noted
}

// WriteHeader begins the answer.
func (w *notedAnswer) WriteHeader(status int) {
	if !w.of.answered() {
		w.of.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
	w.of.Took = time.Since(w.of.began)
}

// Write continues the answer.
func (w *notedAnswer) Write(p []byte) (int, error) {
	if !w.of.answered() {
		w.of.Status = http.StatusOK
	}
	if w.of.refused { // whoever has read why finds it in the log, although more of the body is still being read
		w.sent(p)
		w.of.end()
		return w.ResponseWriter.Write(p)
	}
	n, err := w.ResponseWriter.Write(p)
	w.sent(p[:n])
	return n, err
}

// sent notes a part of the answer.
func (w *notedAnswer) sent(p []byte) {
	w.of.Took = time.Since(w.of.began)
	w.of.Sent += int64(len(p))
	if w.of.bodies {
		w.of.Answer = append(w.of.Answer, p[:min(len(p), gangway.LoggedBody-len(w.of.Answer))]...)
	}
}

// Unwrap lets streams flush.
func (w *notedAnswer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// unpacked returns the beginning of an answer as it was before it was compressed.
func unpacked(encoding string, answer []byte) []byte {
	if encoding != "gzip" {
		return answer
	}
	r, err := gzip.NewReader(bytes.NewReader(answer))
	if err != nil {
		return nil
	}
	begin, _ := io.ReadAll(io.LimitReader(r, gangway.LoggedBody)) // it may have been cut off
	return begin
}
