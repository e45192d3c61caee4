package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"

	"github.com/go-json-experiment/json"
)

// uploadAnswer is the answer to an upload that was stored. isSuccess is for clients that
// were written for existing services.
type uploadAnswer struct {
	IsSuccess bool                `json:"isSuccess"`
	Received  int                 `json:"received"`
	Created   int                 `json:"created"`
	Updated   int                 `json:"updated"`
	Unchanged int                 `json:"unchanged"`
	Warnings  map[string][]string `json:"warnings"`           // by path; what was accepted but will cause trouble
	Truncated bool                `json:"truncated,omitzero"` // there are more warnings
}

// upload stores the body of a request, in whatever format it is declared to be.
func (a *API) upload(w http.ResponseWriter, r *http.Request, in store.Scoped, flow gangway.Flow) error {
	if err := queryOf(r).problems.Err(); err != nil {
		return err
	}
	format, err := bodyFormat(r)
	if err != nil {
		return err
	}
	doc, release, err := a.body(w, r, in.Scope().Account)
	if err != nil {
		return err
	}
	defer release()
	answer, err := a.once(r, in, doc, func(ctx context.Context) ([]byte, error) {
		if format == gangway.JSONFormat && decode.InUTF8(doc, r.Header.Get("Content-Type")) {
			return a.take(ctx, in, flow, doc)
		}
		return answerOf(a.takeDocument(ctx, in, body{doc, format, r.Header.Get("Content-Type")}, flow))
	})
	if err != nil {
		return err
	}
	return write(w, answer)
}

// Why an upload is refused before its records are looked at.
var (
	errRequestName = gangway.Errorf(gangway.Invalid, "an Idempotency-Key must have at most 255 bytes of UTF-8 text")
	errRunning     = web.StillRunning(time.Second,
		"the request with this Idempotency-Key is still being worked on")
	errOtherBody     = web.Unprocessable("this Idempotency-Key was used with another body")
	errTooManyValues = web.TooLarge("the body has more values than are accepted at once; send it in parts")
)

// once returns the answer of take, which stores the body of a request, once for each Idempotency-Key.
func (a *API) once(r *http.Request, in store.Scoped, doc []byte,
	take func(context.Context) ([]byte, error)) ([]byte, error) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		return take(r.Context())
	}
	if len(key) > 255 || !utf8.ValidString(key) {
		return nil, errRequestName
	}
	hash := sha256.Sum256(doc)
	answer, err := in.BeginOnce(r.Context(), r.URL.Path, key, hex.EncodeToString(hash[:]), a.now())
	switch {
	case errors.Is(err, store.ErrRunning):
		return nil, errRunning
	case errors.Is(err, store.ErrOtherBody):
		return nil, errOtherBody
	case err != nil || answer != nil:
		return answer, err
	}
	answer, err = take(r.Context())
	// Also if the caller has gone, because it will ask again with the same key.
	if endErr := in.EndOnce(context.WithoutCancel(r.Context()), r.URL.Path, key, answer); err == nil {
		err = endErr
	}
	return answer, err
}

// largeFrom is the size in bytes from which an upload is large: processing it takes
// longer than somebody who is typing should notice.
const largeFrom = 256 << 10

// mostWeight is how many bytes of memory a document may need while it is processed: more
// than any of 32 MiB whose every byte says something.
const mostWeight = 256 << 20

// take stores a document in JSON and returns the body of the answer. Large documents wait for each
// other, small ones for nobody.
func (a *API) take(ctx context.Context, in store.Scoped, flow gangway.Flow, doc []byte) ([]byte, error) {
	done, err := a.admit(ctx, accept.Weight(doc), len(doc))
	if err != nil {
		return nil, err
	}
	defer done()
	receipt, err := accept.AllOrNothing(ctx, in, flow, accept.JSON(doc, a.limits.Upload), "JSON", a.limits.Upload,
		a.now())
	notedOf(ctx).warn(receipt)
	return answerOf(receipt, a.tooMany(err))
}

// admit waits until a document of so many bytes may be worked on, which takes so much memory.
func (a *API) admit(ctx context.Context, weight int64, bytes int) (done func(), err error) {
	if weight > a.mostWeight() {
		return nil, errTooManyValues
	}
	free, err := a.budget.Work(ctx, weight)
	if err != nil {
		return nil, err
	}
	if bytes < largeFrom {
		return free, nil
	}
	if err := a.large.Acquire(ctx, 1); err != nil {
		free()
		return nil, err
	}
	return func() { a.large.Release(1); free() }, nil
}

func (a *API) mostWeight() int64 { return max(mostWeight, 8*a.limits.Body) }

// tooMany says of an upload with too many records how many it may have.
func (a *API) tooMany(err error) error {
	if errors.Is(err, accept.ErrTooMany) {
		return web.TooLarge(fmt.Sprintf("more than %d records; send them in parts", a.limits.Upload.Records))
	}
	return err
}

// answerOf returns the body of the answer to an upload.
func answerOf(receipt accept.Receipt, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	// In a fixed order, so that the same upload gets the same answer.
	return json.Marshal(uploadAnswer{
		true, receipt.Received, receipt.Created, receipt.Updated, receipt.Unchanged, receipt.Warnings.Fields,
		receipt.Warnings.Truncated,
	}, json.Deterministic(true))
}
