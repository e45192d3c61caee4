package web

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"gangway/internal/scratch"
)

// A Body has arrived whole. If it has more than its beginning, it is in a file.
type Body struct {
	io.Reader
	Size int64
	file *scratch.File
}

const (
	firstBuffer = 512      // for a body of which nothing has arrived yet
	beginning   = 16 << 10 // of a body that is kept in memory

	readingTime = 2 * time.Minute // for a body of which nothing more arrives
	slowest     = 16 << 10        // bytes a second, beyond the first readingTime: half of a ship's line
)

// Receive reads r's body, which the caller has bounded, to its end. Its beginning is kept in memory that
// grows with what arrives, whatever Content-Length claims; a longer body goes to a file without a name,
// and waits for a slot to do so.
func (b *Budget) Receive(w http.ResponseWriter, r *http.Request, client string) (*Body, error) {
	arriving := newArrivingBody(w, r)
	buf := make([]byte, 0, firstBuffer)
	for len(buf) < beginning {
		buf = slices.Grow(buf, 1)
		n, err := arriving.Read(buf[len(buf):min(cap(buf), beginning)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return &Body{Reader: bytes.NewReader(buf), Size: int64(len(buf))}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	leave, err := b.arrive(r, client, arriving)
	if err != nil {
		return nil, err
	}
	defer leave()
	file, err := scratch.Create()
	if err != nil {
		return nil, err
	}
	_, err = file.Write(buf)
	if err == nil {
		_, err = io.CopyBuffer(file, arriving, buf)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Body{Reader: file.Reader(), Size: file.Size(), file: file}, nil
}

// Again returns a reader of the whole body.
func (b *Body) Again() io.Reader {
	b.Reader.(io.Seeker).Seek(0, io.SeekStart) // which never fails
	return b.Reader
}

// Close releases the body.
func (b *Body) Close() error {
	if b.file == nil {
		return nil
	}
	return b.file.Close()
}

// Stream waits for a slot to receive r's body, which the caller reads and puts aside itself.
func (b *Budget) Stream(w http.ResponseWriter, r *http.Request, client string) (leave func(), err error) {
	arriving := newArrivingBody(w, r)
	r.Body = arriving
	return b.arrive(r, client, arriving)
}

// arrive waits for a slot. The body may take as much longer.
func (b *Budget) arrive(r *http.Request, client string, arriving *arrivingBody) (leave func(), err error) {
	before := time.Now()
	leave, err = b.take(r.Context(), b.arriving, client, 1)
	arriving.began = arriving.began.Add(time.Since(before))
	return leave, err
}

// Count receives r's body and holds times its size until release is called. If it cannot, the reader of
// r.Body gets the error.
func (b *Budget) Count(w http.ResponseWriter, r *http.Request, times int64) (release func()) {
	if r.Body == nil || r.Body == http.NoBody {
		return func() {}
	}
	client := Network(Client(r))
	body, err := b.Receive(w, r, client)
	if err != nil {
		r.Body = refusedBody{r.Body, err}
		return func() {}
	}
	leave, err := b.Hold(r.Context(), client, body.Size*times)
	if err != nil {
		body.Close()
		r.Body = refusedBody{r.Body, err}
		return func() {}
	}
	r.Body = body
	return func() { leave(); body.Close() }
}

// A refusedBody cannot be read.
type refusedBody struct {
	io.Closer
	err error
}

// Read returns the reason.
func (b refusedBody) Read([]byte) (int, error) { return 0, b.err }

// An arrivingBody is read with a deadline that moves with what has arrived: a slow line gets as long as it
// needs, a dead one does not.
type arrivingBody struct {
	io.ReadCloser
	line  *http.ResponseController
	began time.Time
	came  int64
}

func newArrivingBody(w http.ResponseWriter, r *http.Request) *arrivingBody {
	return &arrivingBody{ReadCloser: r.Body, line: http.NewResponseController(w), began: time.Now()}
}

// Read is part of io.Reader.
func (b *arrivingBody) Read(p []byte) (int, error) {
	until := b.began.Add(readingTime + time.Duration(b.came/slowest)*time.Second)
	if latest := time.Now().Add(readingTime); until.After(latest) {
		until = latest
	}
	b.line.SetReadDeadline(until) // if it cannot be set there is none
	n, err := b.ReadCloser.Read(p)
	b.came += int64(n)
	if err == io.EOF {
		b.line.SetReadDeadline(time.Time{}) // the work on it takes its own time
	}
	return n, err
}
