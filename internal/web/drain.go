package web

import (
	"net/http"
	"time"
)

// Drains take in, and throw away, what callers go on sending after they were
// refused: most programs read no answer before they have sent all, and would
// only see that the connection was cut. It takes no memory to speak of; beyond
// its bounds a connection is cut as it always was.
//
// Decided: docs/choices.md, "What anybody may fill".
type Drains struct {
	most   int64         // bytes of one body
	places chan struct{} // holds a value for each that is under way
}

const (
	drainsAtOnce = 64
	drainTime    = time.Minute      // for all of a body
	drainPause   = 10 * time.Second // in which nothing comes
)

// NewDrains returns drains for bodies of so many bytes.
func NewDrains(most int64) *Drains { return &Drains{most, make(chan struct{}, drainsAtOnce)} }

// Problem answers a request with err as problem details, and then takes in what
// is left of its body. Whoever asked whether to send it at all (Expect) needs
// no more than the answer.
func (d *Drains) Problem(w http.ResponseWriter, r *http.Request, err error) {
	control := http.NewResponseController(w)
	if r.ProtoMajor != 1 || r.Body == nil || r.Body == http.NoBody || r.Header.Get("Expect") != "" {
		Problem(w, r, err)
		return
	}
	select {
	case d.places <- struct{}{}:
		defer func() { <-d.places }()
	default:
		Problem(w, r, err)
		return
	}
	if control.EnableFullDuplex() != nil {
		Problem(w, r, err)
		return
	}
	Problem(w, r, err)
	control.Flush()
	end := time.Now().Add(drainTime)
	buf := make([]byte, 8<<10)
	for left := d.most; left > 0 && time.Now().Before(end); {
		if until := time.Now().Add(drainPause); until.Before(end) {
			control.SetReadDeadline(until)
		} else {
			control.SetReadDeadline(end)
		}
		n, err := r.Body.Read(buf)
		if err != nil {
			return
		}
		left -= int64(n)
	}
}
