package api

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/scratch"
	"gangway/internal/web"
)

// body receives the request's body, waits for memory for it, and returns it decompressed. release gives the
// memory back.
func (a *API) body(w http.ResponseWriter, r *http.Request, account string) (doc []byte, release func(), err error) {
	if r.ContentLength > a.limits.Body {
		return nil, nil, a.tooLong()
	}
	packed := false
	switch strings.ToLower(r.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip", "x-gzip":
		packed = true
	default:
		return nil, nil, errEncoding
	}
	whole := r.Body
	defer func() { r.Body = whole }() // a refusal drains what is left of it
	r.Body = http.MaxBytesReader(w, whole, a.limits.Body)
	received, err := a.budget.Receive(w, r, account)
	if err != nil {
		return nil, nil, a.unread(err)
	}
	defer received.Close()
	size := received.Size
	if packed {
		if size, err = a.unpackedSize(received); err != nil {
			return nil, nil, err
		}
	}
	if release, err = a.budget.Hold(r.Context(), account, size); err != nil {
		return nil, nil, err
	}
	var from io.Reader = received.Again()
	if packed {
		from, _ = gzip.NewReader(from) // which it was before
	}
	doc = make([]byte, size)
	if _, err := io.ReadFull(from, doc); err != nil {
		release()
		return nil, nil, a.unread(err)
	}
	notedOf(r.Context()).read(doc)
	return doc, release, nil
}

// unpackedSize decompresses a body to learn how much memory it needs.
func (a *API) unpackedSize(packed *web.Body) (int64, error) {
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return 0, errNotGzip
	}
	size, err := io.Copy(io.Discard, io.LimitReader(unpacked, a.limits.Body+1))
	if size > a.limits.Body {
		return 0, a.tooLong()
	}
	return size, a.unread(err)
}

// unread says why a body could not be read.
func (a *API) unread(err error) error {
	switch {
	case err == nil, web.Limited(err), errors.As(err, new(*scratch.Error)):
		return err
	case errors.As(err, new(*http.MaxBytesError)):
		return a.tooLong()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errSlow
	}
	return errCutOff
}

// What is wrong with a body that is not read.
var (
	errNotGzip  = gangway.Errorf(gangway.Invalid, "the body is not gzip")
	errSlow     = gangway.Errorf(gangway.Unavailable, "the body came too slowly; send it again")
	errCutOff   = gangway.Errorf(gangway.Invalid, "the body could not be read to its end")
	errEncoding = error(&web.Refusal{
		Status: http.StatusUnsupportedMediaType, Msg: "the Content-Encoding must be gzip or none",
		Header: http.Header{"Accept-Encoding": {"gzip"}},
	})
)

func (a *API) tooLong() error {
	return web.TooLarge(fmt.Sprintf("the body has more than %d bytes; send it in parts", a.limits.Body))
}
