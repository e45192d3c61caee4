package app

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"gangway"
	"gangway/internal/store"
)

// A stream sends parts of a page to put in as they come: server-sent events,
// read by stream.js.
type stream struct {
	w    http.ResponseWriter
	flow *http.ResponseController
}

// newStream begins to send. A stream may take longer than the server lets an
// answer take, but each part has to be taken in time.
func newStream(w http.ResponseWriter) stream {
	head := w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Accel-Buffering", "no")
	return stream{w, http.NewResponseController(w)}
}

// send sends HTML under the name of an event; empty: a part like any other.
func (s stream) send(event, html string) error {
	s.flow.SetWriteDeadline(time.Now().Add(streamPatience)) // where it cannot be set there is none
	if event != "" {
		fmt.Fprintf(s.w, "event: %s\n", event)
	}
	for line := range strings.SplitSeq(html, "\n") {
		if _, err := fmt.Fprintf(s.w, "data: %s\n", line); err != nil {
			return err
		}
	}
	fmt.Fprint(s.w, "\n")
	return s.flow.Flush()
}

// searchStream sends the results of a search as they come in. It ends, without
// an error, when the reader leaves.
func (a *App) searchStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if len(s.Members) == 0 {
		return gangway.Errorf(gangway.NotFound, "this search has no traveller")
	}
	h := a.hunt(in, s, false)
	booked, err := memberBookings(r.Context(), in, s)
	if err != nil {
		return err
	}
	out := newStream(w)
	sent := sentRows{done: make([]bool, len(s.Members))}
	for {
		_, _, _, more := h.look()
		view := a.view(r.Context(), in, h, s, r.URL.Query(), booked)
		html, err := "", error(nil)
		if len(s.Members) > 1 {
			html, err = a.crewParts(view, &sent)
		} else {
			html, err = a.resultsParts(view)
		}
		if err != nil {
			return err
		}
		event := ""
		if view.over {
			event = "end"
		}
		if html != "" || event != "" {
			if out.send(event, html) != nil || event != "" {
				return nil
			}
		}
		if !a.pause(r.Context(), more) {
			return nil
		}
	}
}

// streamPause is the least time between two parts: what comes in between goes
// out together.
const streamPause = 150 * time.Millisecond

// stillIn is how often an open stream looks whether its reader may still see
// it: people who are shut out see nothing more within that time.
const stillIn = time.Second

// pause waits until there is more to send; false when the reader has left, or
// is not signed in any more.
func (a *App) pause(ctx context.Context, more <-chan struct{}) bool {
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
			if !a.mayStay(ctx) {
				return false
			}
		case <-ctx.Done():
			return false
		}
	}
	return a.mayStay(ctx)
}

// mayStay reports whether the reader of a page that stays open is still signed
// in. When that cannot be found out now, nobody is sent away for it.
func (a *App) mayStay(ctx context.Context) bool {
	v, _ := visitorOf(ctx)
	u, err := a.db.User(ctx, v.User.ID)
	if gangway.KindOf(err) == gangway.NotFound {
		return false
	}
	return err != nil || a.sessions.Holds(ctx, u)
}

// resultsParts renders what is new on the page of one traveller.
func (a *App) resultsParts(v searchView) (string, error) {
	p := newResultsPage(v)
	p.Progress.Kept = true
	var out bytes.Buffer
	err := a.part(&out, "results", "head", p.page())
	for _, part := range []string{"results-filters", "results-offers", "results-progress"} {
		if err == nil {
			err = a.part(&out, "results", part, p)
		}
	}
	return out.String(), err
}
