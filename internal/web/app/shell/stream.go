package shell

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"gangway"
	"gangway/internal/web"
)

// A Stream sends parts of a page to put in as they come: server-sent events,
// read by stream.js.
type Stream struct {
	w    http.ResponseWriter
	flow *http.ResponseController
	part func() *web.Page    // an empty part
	env  gangway.Environment // in which its forms are opened
}

// NewStream begins to send.
func (sh *Shell) NewStream(w http.ResponseWriter, r *http.Request) Stream {
	head := w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Accel-Buffering", "no")
	v, _ := VisitorOf(r.Context())
	return Stream{w, http.NewResponseController(w), func() *web.Page {
		return sh.budget.Page(readerOf(r))
	}, v.Account.Environment}
}

// send sends HTML under the name of an event; empty: a part like any other.
func (s Stream) send(event string, html []byte) error {
	if event != "" {
		fmt.Fprintf(s.w, "event: %s\n", event)
	}
	for line := range bytes.SplitSeq(html, []byte("\n")) {
		if _, err := io.WriteString(s.w, "data: "); err != nil {
			return err
		}
		if err := writeStamped(s.w, line, s.env); err != nil { // a form's tag is on one line
			return err
		}
		if _, err := io.WriteString(s.w, "\n"); err != nil {
			return err
		}
	}
	fmt.Fprint(s.w, "\n")
	return s.flow.Flush()
}

// SendPart sends what fill renders, if anything; last: nothing comes after it.
// The stream is over, too, when the reader has left.
func (s Stream) SendPart(last bool, fill func(part io.Writer) error) (over bool, err error) {
	part := s.part()
	defer part.Release()
	if err := fill(part); err != nil {
		return false, err
	}
	event := ""
	if last {
		event = "end"
	}
	if len(part.Bytes()) == 0 && !last {
		return false, nil
	}
	return s.send(event, part.Bytes()) != nil || last, nil
}

// streamPause is the least time between two parts: what comes in between goes
// out together.
const streamPause = 150 * time.Millisecond

// stillIn is how often an open stream looks whether its reader may still see
// it: people who are shut out see nothing more within that time.
const stillIn = time.Second

// Pause waits until there is more to send; false when the reader has left, or
// is not signed in any more.
func (sh *Shell) Pause(ctx context.Context, more <-chan struct{}) bool {
	least := time.NewTimer(streamPause)
	defer least.Stop()
	look := time.NewTicker(stillIn)
	defer look.Stop()
	for more != nil || least.C != nil {
		select {
		case <-more:
			more = nil
		case <-least.C:
			least.C = nil
		case <-look.C:
			if !sh.mayStay(ctx) {
				return false
			}
		case <-ctx.Done():
			return false
		}
	}
	return sh.mayStay(ctx)
}

// mayStay reports whether the reader of a page that stays open is still signed
// in. When that cannot be found out now, nobody is sent away for it.
func (sh *Shell) mayStay(ctx context.Context) bool {
	v, _ := VisitorOf(ctx)
	u, err := sh.db.User(ctx, v.User.ID)
	if gangway.KindOf(err) == gangway.NotFound {
		return false
	}
	return err != nil || sh.Sessions.Holds(ctx, u)
}
