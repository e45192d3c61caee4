package web

import (
	"io"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"
)

// Drains read and discard what callers keep sending after a refusal: most programs read the answer
// only once they have sent everything, and would otherwise see just a broken connection. A drain
// takes hardly any memory; beyond its bounds the connection is cut.
//
// Decided: docs/choices.md, "What anybody may fill".
type Drains struct {
	most     int64 // bytes of one body
	underWay *semaphore.Weighted
}

const (
	drainsAtOnce = 64
	drainTime    = time.Minute      // for all of a body
	drainPause   = 10 * time.Second // in which nothing comes
)

// NewDrains returns drains for bodies of so many bytes.
func NewDrains(most int64) *Drains { return &Drains{most, semaphore.NewWeighted(drainsAtOnce)} }

// Problem answers a request with err as problem details, and then drains the rest of its body.
func (d *Drains) Problem(w http.ResponseWriter, r *http.Request, err error) {
	d.Answer(w, r, func() { Problem(w, r, err) })
}

// Answer has answer write the refusal of a request, and then drains the rest of its body. A caller that
// asked before sending (Expect) gets only the answer. A connection whose body did not end is cut, by
// http.ErrAbortHandler, once the answer is out.
func (d *Drains) Answer(w http.ResponseWriter, r *http.Request, answer func()) {
	control := http.NewResponseController(w)
	sending := r.ProtoMajor == 1 && r.Body != nil && r.Body != http.NoBody && r.Header.Get("Expect") == ""
	if !sending || !d.underWay.TryAcquire(1) {
		answer()
		return
	}
	defer d.underWay.Release(1)
	full := control.EnableFullDuplex()
	answer()
	if full != nil {
		return
	}
	control.Flush()
	if !d.drain(control, r.Body) {
		// With both directions open net/http would keep the connection for another request,
		// take the rest of the body for it, read on, and panic when it meets its own reader.
		// After a deadline that has passed nothing more can be read.
		control.SetReadDeadline(time.Unix(1, 0))
		panic(http.ErrAbortHandler)
	}
}

// drain reads body, and reports whether it ended.
func (d *Drains) drain(control *http.ResponseController, body io.Reader) bool {
	end := time.Now().Add(drainTime)
	buf := make([]byte, 8<<10)
	for left := d.most; left > 0 && time.Now().Before(end); {
		until := time.Now().Add(drainPause)
		if until.After(end) {
			until = end
		}
		control.SetReadDeadline(until)
		n, err := body.Read(buf)
		if err != nil {
			return err == io.EOF
		}
		left -= int64(n)
	}
	return false
}
