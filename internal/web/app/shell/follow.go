package shell

import (
	"context"
	"io"
	"net/http"
	"reflect"
)

// A Followed is something that a page shows while it changes.
type Followed[P any] struct {
	Changed <-chan struct{}                  // holds a value whenever there may be news
	Now     func(context.Context) (P, error) // as it stands
	Live    func(P) bool                     // it may still change
	Render  func(part io.Writer, p P) error  // all that is to be put on the page
}

// Follow sends how something stands, at once and whenever that is no longer the same, until it can change no more or
// the reader has left.
func Follow[P any](sh *Shell, w http.ResponseWriter, r *http.Request, f Followed[P]) error {
	ctx := r.Context()
	sent, err := f.Now(ctx)
	if err != nil {
		return err
	}
	out := sh.NewStream(w, r)
	for p, first := sent, true; ; first = false {
		over, err := out.SendPart(!f.Live(p), func(part io.Writer) error {
			if !first && f.Live(p) && reflect.DeepEqual(p, sent) {
				return nil
			}
			return f.Render(part, p)
		})
		if err != nil || over || !sh.Pause(ctx, f.Changed) {
			return err
		}
		sent = p
		if p, err = f.Now(ctx); err != nil {
			return err
		}
	}
}
