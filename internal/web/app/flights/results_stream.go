package flights

import (
	"io"
	"net/http"

	"gangway"
	"gangway/internal/store"
)

// SearchStream sends the results of a search as they arrive. It ends without an error
// when the reader leaves.
func (room *Room) SearchStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if len(s.Members) == 0 {
		return gangway.Errorf(gangway.NotFound, "this search has no traveller")
	}
	ss := room.searches.Of(in, s, false)
	defer ss.Watch()()
	booked, err := ReadMemberBookings(r.Context(), in, s)
	if err != nil {
		return err
	}
	out := room.NewStream(w, r)
	parts := room.resultsParts
	if len(s.Members) > 1 {
		parts = room.ManyParts(len(s.Members))
	}
	for {
		view := room.View(r.Context(), in, ss, s, r.URL.Query(), booked)
		over, err := out.SendPart(view.Found.Over, func(part io.Writer) error {
			return parts(part, view)
		})
		if err != nil || over {
			return err
		}
		if !room.Pause(r.Context(), view.Found.More) {
			return nil
		}
	}
}

// resultsParts renders the new parts of the page of one traveller.
func (room *Room) resultsParts(out io.Writer, v SearchView) error {
	p := newResultsPage(v)
	p.Progress.Kept = true
	err := room.Part(out, "results", "head", p.page())
	for _, part := range []string{"results-filters", "results-offers", "results-progress"} {
		if err == nil {
			err = room.Part(out, "results", part, p)
		}
	}
	return err
}
