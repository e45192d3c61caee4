package shell

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// A Stream sends parts of a page as they become ready, as server-sent events that
// stream.js puts on the page.
type Stream struct {
	w    http.ResponseWriter
	flow *http.ResponseController
	part func() *web.Page    // returns an empty part
	env  gangway.Environment // in which the page was opened, for the forms of its parts
}

// NewStream begins a stream.
func (sh *Shell) NewStream(w http.ResponseWriter, r *http.Request) Stream {
	head := w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Accel-Buffering", "no")
	v, _ := VisitorOf(r.Context())
	return Stream{w, http.NewResponseController(w), func() *web.Page {
		return sh.budget.Page(readerOf(r))
	}, v.Account.Environment}
}

// send sends HTML as an event of that name; an empty name is that of an ordinary part.
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

// SendPart sends what fill renders, if anything; last says that it is the last part.
// The stream is over after it, and also when the reader has left.
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

// streamPause is the least time between two parts. What arrives in between goes out
// together.
const streamPause = 150 * time.Millisecond

// stillIn is how often an open stream looks at its clock, by which its reader's session may have ended. That somebody
// was shut out is heard at once.
const stillIn = time.Second

// Pause waits until there is more to send. It returns false when the reader has left
// or is no longer signed in.
func (sh *Shell) Pause(ctx context.Context, more <-chan struct{}) bool {
	return sh.pause(ctx, more, nil, streamPause)
}

// pause is Pause for at least so long; late is more, too.
func (sh *Shell) pause(ctx context.Context, more <-chan struct{}, late <-chan time.Time, atLeast time.Duration) bool {
	people, forget := sh.db.Await(store.People)
	defer forget()
	least := time.NewTimer(atLeast)
	defer least.Stop()
	look := time.NewTicker(stillIn)
	defer look.Stop()
	for more != nil || least.C != nil {
		select {
		case <-more:
			more = nil
		case <-late:
			more = nil
		case <-least.C:
			least.C = nil
		case <-people:
			if !sh.mayStay(ctx) {
				return false
			}
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
