package api

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web"
)

// body reads the request's body, decompressed and up to the limit, into memory that
// share has reserved.
func (a *API) body(w http.ResponseWriter, r *http.Request, share *web.Share) ([]byte, error) {
	if r.ContentLength > a.limits.Body {
		return nil, a.tooLong()
	}
	var body io.Reader = http.MaxBytesReader(w, r.Body, a.limits.Body)
	claimed := r.ContentLength
	switch strings.ToLower(r.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, errNotGzip
		}
		body, claimed = unpacked, -1
	default:
		return nil, errEncoding
	}
	doc, err := a.readAll(w, r, body, claimed, share)
	var large *http.MaxBytesError
	switch {
	case web.Limited(err):
		return nil, err
	case int64(len(doc)) > a.limits.Body, errors.As(err, &large):
		return nil, a.tooLong()
	case err != nil:
		return nil, errCutOff
	}
	notedOf(r.Context()).read(doc)
	return doc, nil
}

// What is wrong with a body that is not read.
var (
	errNotGzip  = gangway.Errorf(gangway.Invalid, "the body is not gzip")
	errCutOff   = gangway.Errorf(gangway.Invalid, "the body could not be read to its end")
	errEncoding = error(&web.Refusal{
		Status: http.StatusUnsupportedMediaType, Msg: "the Content-Encoding must be gzip or none",
		Header: http.Header{"Accept-Encoding": {"gzip"}},
	})
)

func (a *API) tooLong() error {
	return web.TooLarge(fmt.Sprintf("the body has more than %d bytes; send it in parts", a.limits.Body))
}

const (
	firstBuffer = 512             // for a body of which nothing has arrived yet
	readingTime = 2 * time.Minute // for a body of which nothing more arrives
	slowest     = 16 << 10        // bytes a second, beyond the first readingTime: half of a ship's line
	answerTime  = 5 * time.Minute // for processing a body, and its answer
)

// readAll reads a body up to one byte beyond the limit. Its buffer grows with what has
// arrived, never with what Content-Length claims, and the share grows before it.
func (a *API) readAll(w http.ResponseWriter, r *http.Request, body io.Reader, claimed int64,
	share *web.Share) ([]byte, error) {
	share.Reading(w)
	began := time.Now()
	var doc []byte
	for most := a.limits.Body + 1; int64(len(doc)) < most; {
		if len(doc) == cap(doc) {
			size := min(max(firstBuffer, 2*int64(cap(doc))), most)
			if whole := claimed + 1; int64(cap(doc)) < whole && whole < size {
				size = whole // and the byte that shows that this is all
			}
			before := time.Now()
			if err := share.Grow(r.Context(), size); err != nil {
				return nil, err
			}
			began = began.Add(time.Since(before)) // waiting time is not counted
			doc = append(make([]byte, 0, size), doc...)
		}
		giveTime(w, share, began, len(doc))
		n, err := share.Read(body, doc[len(doc):cap(doc)])
		doc = doc[:len(doc)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// giveTime sets the deadline of a body from when it began and how much has arrived: a
// slow line gets as long as it needs, a dead one does not.
func giveTime(w http.ResponseWriter, share *web.Share, began time.Time, came int) {
	until := began.Add(readingTime + time.Duration(came/slowest)*time.Second)
	if latest := time.Now().Add(readingTime); until.After(latest) {
		until = latest
	}
	share.Until(until)
	http.NewResponseController(w).SetWriteDeadline(until.Add(answerTime)) // if it cannot be set there is none
}
