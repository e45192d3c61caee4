package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// A stream sends parts of a page to put in as they come: server-sent events,
// read by stream.js.
type stream struct {
	w    http.ResponseWriter
	flow *http.ResponseController
	part func() *web.Page    // an empty part
	env  gangway.Environment // in which its forms are opened
}

// newStream begins to send.
func (a *App) newStream(w http.ResponseWriter, r *http.Request) stream {
	head := w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Accel-Buffering", "no")
	v, _ := visitorOf(r.Context())
	return stream{w, http.NewResponseController(w), func() *web.Page { return a.budget.Page(reader(r)) }, v.Account.Environment}
}

// send sends HTML under the name of an event; empty: a part like any other.
func (s stream) send(event string, html []byte) error {
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

// sendPart sends what fill renders, if anything; last: nothing comes after it.
// The stream is over, too, when the reader has left.
func (s stream) sendPart(last bool, fill func(part io.Writer) error) (over bool, err error) {
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
	ss := a.searches.Of(in, s, false)
	booked, err := memberBookings(r.Context(), in, s)
	if err != nil {
		return err
	}
	out := a.newStream(w, r)
	sent := sentRows{done: make([]bool, len(s.Members))}
	for {
		view := a.view(r.Context(), in, ss, s, r.URL.Query(), booked)
		over, err := out.sendPart(view.found.Over, func(part io.Writer) error {
			if len(view.Members) > 1 {
				return a.crewParts(part, view, &sent)
			}
			return a.resultsParts(part, view)
		})
		if err != nil || over {
			return err
		}
		if !a.pause(r.Context(), view.found.More) {
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
func (a *App) resultsParts(out io.Writer, v searchView) error {
	p := newResultsPage(v)
	p.Progress.Kept = true
	err := a.part(out, "results", "head", p.page())
	for _, part := range []string{"results-filters", "results-offers", "results-progress"} {
		if err == nil {
			err = a.part(out, "results", part, p)
		}
	}
	return err
}
