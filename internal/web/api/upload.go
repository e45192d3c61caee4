package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"time"
	"unicode/utf8"

	"gangway"
	"gangway/internal/accept"
	"gangway/internal/store"
	"gangway/internal/web"

	"github.com/go-json-experiment/json"
)

// uploadTravellers stores travellers, who are suggested from then on.
//
// Spec: A1 Upload travellers.
func (a *API) uploadTravellers(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return a.upload(w, r, in, accept.Travellers.AllOrNothing)
}

// uploadTravelRequests stores planned travel, to book from.
//
// Spec: A2 Upload travel requests.
func (a *API) uploadTravelRequests(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return a.upload(w, r, in, accept.TravelRequests.AllOrNothing)
}

// uploadCrewChanges stores crew changes, to book from.
//
// Spec: A4 Upload crew changes.
func (a *API) uploadCrewChanges(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return a.upload(w, r, in, accept.CrewChanges.AllOrNothing)
}

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

// upload stores the body of a request with take, once for each Idempotency-Key.
func (a *API) upload(w http.ResponseWriter, r *http.Request, in store.Scoped, take accept.Upload) error {
	if err := wantJSON(r); err != nil {
		return err
	}
	share := a.budget.Share(in.Scope().Account)
	defer share.Release()
	doc, err := a.body(w, r, share)
	if err != nil {
		return err
	}
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		body, err := a.take(r.Context(), in, take, doc)
		if err != nil {
			return err
		}
		return write(w, body)
	}
	if len(key) > 255 || !utf8.ValidString(key) {
		return gangway.Errorf(gangway.Invalid, "an Idempotency-Key must have at most 255 bytes of UTF-8 text")
	}
	hash := sha256.Sum256(doc)
	body, err := in.BeginOnce(r.Context(), r.URL.Path, key, hex.EncodeToString(hash[:]), a.now())
	switch {
	case errors.Is(err, store.ErrRunning):
		return web.StillRunning(time.Second, "the request with this Idempotency-Key is still being worked on")
	case errors.Is(err, store.ErrOtherBody):
		return web.Unprocessable("this Idempotency-Key was used with another body")
	case err != nil:
		return err
	case body != nil:
		return write(w, body)
	}
	body, err = a.take(r.Context(), in, take, doc)
	// Also if the caller has gone, because it will ask again with the same key.
	if endErr := in.EndOnce(context.WithoutCancel(r.Context()), r.URL.Path, key, body); err == nil {
		err = endErr
	}
	if err != nil {
		return err
	}
	return write(w, body)
}

// largeFrom is the size in bytes from which an upload is large: processing it takes
// longer than somebody who is typing should notice.
const largeFrom = 256 << 10

// mostWeight is how many bytes of memory a document may need while it is processed: more
// than any of 32 MiB whose every byte says something.
const mostWeight = 256 << 20

// take stores a document and returns the body of the answer. Large documents wait for each
// other, small ones for nobody.
func (a *API) take(ctx context.Context, in store.Scoped, take accept.Upload, doc []byte) ([]byte, error) {
	weight := accept.Weight(doc)
	if weight > max(mostWeight, 8*a.limits.Body) {
		return nil, web.TooLarge("the body has more values than are accepted at once; send it in parts")
	}
	done, err := a.budget.Work(ctx, weight)
	if err != nil {
		return nil, err
	}
	defer done()
	if len(doc) >= largeFrom {
		if err := a.large.Acquire(ctx, 1); err != nil {
			return nil, err
		}
		defer a.large.Release(1)
	}
	receipt, err := take(ctx, in, doc, a.limits.Upload, a.now())
	if errors.Is(err, accept.ErrTooMany) {
		return nil, web.TooLarge(fmt.Sprintf("more than %d records; send them in parts", a.limits.Upload.Records))
	}
	if err != nil {
		return nil, err
	}
	// In a fixed order, so that the same upload gets the same answer.
	return json.Marshal(uploadAnswer{
		true, receipt.Received, receipt.Created, receipt.Updated, receipt.Unchanged, receipt.Warnings.Fields,
		receipt.Warnings.Truncated,
	}, json.Deterministic(true))
}

// wantJSON refuses a body that is declared to be something else. Without a Content-Type
// it is taken for JSON.
func wantJSON(r *http.Request) error {
	header := r.Header.Get("Content-Type")
	if header == "" {
		return nil
	}
	if media, _, err := mime.ParseMediaType(header); err != nil || media != "application/json" {
		return web.UnsupportedMedia("the body must be application/json")
	}
	return nil
}
