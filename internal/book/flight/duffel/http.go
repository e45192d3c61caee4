package duffel

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	// bookingTime is how long Duffel asks its clients to wait for calls that book: airlines
	// take up to two minutes.
	bookingTime = 130 * time.Second

	// readingTime is for calls that only read.
	readingTime = 30 * time.Second

	// overhead is what a search takes in addition to the airlines' time.
	overhead = 15 * time.Second

	// maxBytes bounds an answer. One search can return thousands of offers.
	maxBytes = 96 << 20
)

// A request is one call to Duffel.
type request struct {
	method, path string
	query        url.Values
	data         any // the body; nil: none
	patience     time.Duration
}

// A failure is a call without the expected answer.
type failure struct {
	status     int    // 0: no answer
	kind, code string // of Duffel's error
	field      string // of the request, that Duffel refused
	id         string // Duffel's request id, for its support
	unsent     bool   // the call was never sent
	cause      error
}

func (f *failure) Error() string {
	switch {
	case f.unsent:
		return fmt.Sprintf("Duffel was not reached: %v", f.cause)
	case f.status == 0:
		return fmt.Sprintf("Duffel's answer is missing: %v", f.cause)
	}
	return fmt.Sprintf("Duffel answered %d %s %s (request %s)", f.status, f.kind, f.code, f.id)
}

func (f *failure) Unwrap() error { return f.cause }

// certain reports whether the call did nothing and will do nothing.
//
// Only errors with which Duffel plainly says so count. After a 500, a 504 or most 502s, or an
// error that the airline could not explain, the airline may have acted all the same.
func (f *failure) certain() bool {
	switch {
	case f.unsent, f.status == http.StatusTooManyRequests, f.status == http.StatusServiceUnavailable:
		return true
	case f.code == "order_not_created":
		return true
	case f.code == "airline_internal", f.code == "airline_unknown":
		return false
	}
	return f.status >= 400 && f.status < 500 && f.status != http.StatusRequestTimeout
}

// get reads a resource.
func (d *Duffel) get(ctx context.Context, path string, query url.Values, out any) (next string, err error) {
	return d.call(ctx, request{method: http.MethodGet, path: path, query: query, patience: readingTime}, out)
}

// prepare makes a call that only prepares something: a quote or a change request.
func (d *Duffel) prepare(ctx context.Context, path string, data, out any) error {
	_, err := d.call(ctx, request{method: http.MethodPost, path: path, data: data, patience: bookingTime}, out)
	return err
}

// do makes a call that must not be made twice. It continues even if the caller stops
// waiting, because its outcome must be recorded.
func (d *Duffel) do(ctx context.Context, path string, data, out any) error {
	_, err := d.call(context.WithoutCancel(ctx), request{method: http.MethodPost, path: path, data: data,
		patience: d.Patience}, out)
	return err
}

// call makes a call and reads its answer into out. next is the cursor of the next page of a
// list.
func (d *Duffel) call(ctx context.Context, q request, out any) (next string, err error) {
	if until := d.opens(); d.Now().Before(until) {
		return "", &failure{unsent: true, code: "rate_limit_exceeded",
			cause: fmt.Errorf("Duffel accepts no calls before %s", until.Format(time.TimeOnly))}
	}
	ctx, cancel := context.WithTimeout(ctx, q.patience)
	defer cancel()
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	ask, err := d.request(ctx, q)
	if err != nil {
		return "", &failure{unsent: true, cause: err}
	}
	began, status := time.Now(), 0
	defer func() {
		if d.Watch != nil {
			d.Watch(q.method, q.path, status, time.Since(began))
		}
	}()
	answer, err := d.client.Do(ask)
	if err != nil {
		d.Log.WarnContext(ctx, "Duffel did not answer", "method", q.method, "path", q.path, "sent", sent.Load(),
			"error", err)
		return "", &failure{unsent: !sent.Load(), cause: err}
	}
	defer answer.Body.Close()
	id := answer.Header.Get("X-Request-Id")
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBytes+1))
	if err == nil && len(body) > maxBytes {
		err = errors.New("the answer is too long")
	}
	if err != nil {
		d.Log.WarnContext(ctx, "Duffel's answer broke off", "method", q.method, "path", q.path, "status",
			answer.StatusCode, "request_id", id, "error", err)
		return "", &failure{id: id, cause: err}
	}
	status = answer.StatusCode
	d.Log.DebugContext(ctx, "duffel", "method", q.method, "path", q.path, "status", answer.StatusCode, "request_id", id)
	if answer.StatusCode == http.StatusTooManyRequests {
		d.close(answer.Header.Get("ratelimit-reset"))
	}
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusCreated && answer.StatusCode !=
		http.StatusNoContent {
		f := failureOf(answer.StatusCode, id, body)
		d.Log.WarnContext(ctx, "Duffel refused a call", "method", q.method, "path", q.path, "status", f.status,
			"type", f.kind, "code", f.code, "field", f.field, "request_id", f.id)
		return "", f
	}
	envelope := struct {
		Data any `json:"data"`
		Meta struct {
			After *string `json:"after"`
		} `json:"meta"`
	}{Data: out}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &envelope); err != nil {
			return "", &failure{status: answer.StatusCode, id: id, cause: fmt.Errorf("read Duffel's answer: %w", err)}
		}
	}
	if envelope.Meta.After != nil {
		next = *envelope.Meta.After
	}
	return next, nil
}

// request builds the HTTP request of a call.
func (d *Duffel) request(ctx context.Context, q request) (*http.Request, error) {
	at := *d.base.JoinPath(q.path)
	at.RawQuery = q.query.Encode()
	var body io.Reader
	if q.data != nil {
		text, err := json.Marshal(map[string]any{"data": q.data})
		if err != nil {
			return nil, fmt.Errorf("write Duffel request: %w", err)
		}
		body = bytes.NewReader(text)
	}
	ask, err := http.NewRequestWithContext(ctx, q.method, at.String(), body)
	if err != nil {
		return nil, err
	}
	ask.Header.Set("Authorization", "Bearer "+d.Token)
	ask.Header.Set("Duffel-Version", "v2")
	ask.Header.Set("Accept", "application/json")
	if body != nil {
		ask.Header.Set("Content-Type", "application/json")
	}
	return ask, nil // the transport itself asks for gzip
}

// failureOf reads an error answer.
func failureOf(status int, id string, body []byte) *failure {
	var told struct {
		Errors []struct {
			Type   string `json:"type"`
			Code   string `json:"code"`
			Source struct {
				Field string `json:"field"`
			} `json:"source"`
		} `json:"errors"`
		Meta struct {
			RequestID string `json:"request_id"`
		} `json:"meta"`
	}
	f := &failure{status: status, id: id}
	if json.Unmarshal(body, &told) == nil && len(told.Errors) > 0 {
		f.kind, f.code, f.field = told.Errors[0].Type, told.Errors[0].Code, told.Errors[0].Source.Field
		f.id = cmp.Or(told.Meta.RequestID, id)
	}
	return f
}

// close refuses further calls until Duffel accepts them again.
func (d *Duffel) close(reset string) {
	until := d.Now().Add(time.Minute)
	if t, err := time.Parse(time.RFC1123, reset); err == nil {
		until = t
	} else if n, err := strconv.Atoi(reset); err == nil && n >= 0 && n <= 3600 {
		until = d.Now().Add(time.Duration(n) * time.Second)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = until
}

func (d *Duffel) opens() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}
