package app

import (
	"io"
	"net/http"

	"gangway"
	"gangway/internal/store"
)

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
	out := a.NewStream(w, r)
	sent := sentRows{done: make([]bool, len(s.Members))}
	for {
		view := a.view(r.Context(), in, ss, s, r.URL.Query(), booked)
		over, err := out.SendPart(view.found.Over, func(part io.Writer) error {
			if len(view.Members) > 1 {
				return a.crewParts(part, view, &sent)
			}
			return a.resultsParts(part, view)
		})
		if err != nil || over {
			return err
		}
		if !a.Pause(r.Context(), view.found.More) {
			return nil
		}
	}
}

// resultsParts renders what is new on the page of one traveller.
func (a *App) resultsParts(out io.Writer, v searchView) error {
	p := newResultsPage(v)
	p.Progress.Kept = true
	err := a.Part(out, "results", "head", p.page())
	for _, part := range []string{"results-filters", "results-offers", "results-progress"} {
		if err == nil {
			err = a.Part(out, "results", part, p)
		}
	}
	return err
}
