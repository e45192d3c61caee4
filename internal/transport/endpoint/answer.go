package endpoint

import (
	"bufio"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// refusal says in a sentence why an answer is no document; nil if it is one. Given: the system was shown credentials.
func refusal(res *http.Response, given bool) error {
	status := res.StatusCode
	var why string
	switch {
	case status == http.StatusPartialContent:
		why = "the system answered with a part of the document, which was not asked for"
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusNotModified:
		why = "the system said that nothing has changed, though it was not asked"
	case status >= 300 && status < 400:
		why = "the system redirects to " + elsewhere(res) + ", which is not followed: give that address if it is right"
	case status == http.StatusUnauthorized && !given:
		why = "the system wants credentials, and none were given (auth)"
	case status == http.StatusUnauthorized:
		why = "the system refused the credentials: the user, password or key that it was given (auth)"
	case status == http.StatusForbidden:
		why = "the system does not let these credentials, or our address, read this"
	case status == http.StatusNotFound, status == http.StatusGone:
		why = "the system has nothing at this address"
	case status == http.StatusMethodNotAllowed:
		why = "the system wants another method than " + res.Request.Method
	case status == http.StatusTooManyRequests:
		why = "the system was asked too often"
	case status == http.StatusServiceUnavailable:
		why = "the system is not available now"
	case status >= 500:
		why = "the system failed"
	default:
		why = "the system refused the request"
	}
	err := gangway.Errorf(gangway.Unavailable, "%s (status %d)", why, status)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		if after := transport.RetryAfter(res.Header, time.Now()); after > 0 {
			err = gangway.Errorf(gangway.Unavailable, "%s (status %d), and wants to be asked again in %s", why, status,
				after)
			return &transport.LaterError{After: after, Err: err}
		}
	}
	return err
}

// elsewhere returns where an answer redirects to, without what may be secret in it.
func elsewhere(res *http.Response) string {
	to, err := res.Location()
	if err != nil || len(to.Host) > 255 || len(to.Path) > 255 {
		return "another address"
	}
	return fmt.Sprintf("%s://%s%s", to.Scheme, to.Host, to.EscapedPath())
}

var (
	errCut  = errors.New("the answer ended before it was whole")
	errGzip = errors.New("the answer says that it is gzip, and cannot be unpacked")
)

// unpacked undoes the packing that we offered for the way.
func unpacked(body io.Reader, encoding string) (*bufio.Reader, error) {
	switch encoding = strings.ToLower(strings.TrimSpace(encoding)); encoding {
	case "", "identity":
		return bufio.NewReader(whole{body}), nil
	case "gzip", "x-gzip":
		raw := bufio.NewReader(body)
		if _, err := raw.Peek(1); errors.Is(err, io.EOF) {
			return raw, nil
		}
		packed, err := gzip.NewReader(raw)
		if err != nil {
			return nil, broken(err)
		}
		return bufio.NewReader(whole{packed}), nil
	}
	return nil, gangway.Errorf(gangway.Unavailable, "the answer is packed in a way that was not asked for")
}

// whole says of a body that was cut, or cannot be unpacked, that it is so.
type whole struct{ io.Reader }

func (w whole) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	return n, broken(err)
}

func broken(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return gangway.Errorf(gangway.Unavailable, "%v", errCut)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		return gangway.Errorf(gangway.Unavailable, "%v", errGzip)
	}
	return err
}

// errSilent is the cause of giving up a system that sends nothing.
var errSilent = fmt.Errorf("it was silent for too long: %w", context.DeadlineExceeded)

// A silenceWatch ends a request whose other side sends nothing for too long. The time
// that the reader of the body takes for itself does not count.
type silenceWatch struct {
	ctx   context.Context
	most  time.Duration
	timer *time.Timer
	end   func()
}

func watchSilence(ctx context.Context, most time.Duration) (context.Context, *silenceWatch) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(time.Hour, func() { cancel(errSilent) })
	timer.Stop()
	return ctx, &silenceWatch{ctx, most, timer, func() { timer.Stop(); cancel(nil) }}
}

func (w *silenceWatch) begin() { w.timer.Reset(w.most) }

func (w *silenceWatch) pause() { w.timer.Stop() }

// why returns the reason for which a request was given up, in place of the fact.
func (w *silenceWatch) why(err error) error { return cmp.Or(context.Cause(w.ctx), err) }

func (w *silenceWatch) reader(r io.Reader) io.Reader { return watchedReader{r, w} }

type watchedReader struct {
	io.Reader
	watch *silenceWatch
}

func (r watchedReader) Read(p []byte) (int, error) {
	r.watch.begin()
	n, err := r.Reader.Read(p)
	r.watch.pause()
	if err != nil && !errors.Is(err, io.EOF) {
		err = r.watch.why(err)
	}
	return n, err
}
