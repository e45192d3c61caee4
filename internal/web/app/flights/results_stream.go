package flights

import (
	"context"
	"io"
	"net/http"
	"slices"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// SearchStream sends the results of a search as they arrive. It ends without an error
// when the reader leaves.
func (room *Room) SearchStream(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search) error {
	if len(s.Members) == 0 {
		return gangway.Errorf(gangway.NotFound, "this search has no traveller")
	}
	ss := room.searches.Of(in, s, false)
	defer ss.Watch()()
	room.searchWeek(r, in, s, ss)
	booked, err := ReadMemberBookings(r.Context(), in, s, room.Now())
	if err != nil {
		return err
	}
	out := room.NewStream(w, r)
	parts := room.resultsParts
	q := r.URL.Query()
	if q.Get(onlyWeek) != "" {
		parts = room.weekPart
		q.Del(onlyWeek)
	}
	if len(s.Members) > 1 {
		parts = room.ManyParts(len(s.Members))
	}
	for news := 0; ; {
		// Before the last part all is read once more: news may be lost on its way from another replica.
		if found := ss.Look(); found.Over || found.News != news {
			news = found.News
			if s, booked, err = refreshed(r.Context(), in, s, room.Now()); err != nil {
				return err
			}
		}
		view := room.View(r.Context(), in, ss, s, q, booked)
		over, err := out.SendPart(view.Found.Over && !view.weekPending(), func(part io.Writer) error {
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

// refreshed returns s with the flights that have been chosen in it by now, and who is booked. What
// has been corrected or moved since is looked for by another session: it stays as it is shown.
func refreshed(ctx context.Context, in store.Scoped, s gangway.Search, at time.Time) (gangway.Search, MemberBookings,
	error) {
	now, err := in.Search(ctx, s.ID)
	if err != nil {
		return s, MemberBookings{}, err
	}
	s.Members = slices.Clone(s.Members)
	for i := range s.Members[:min(len(s.Members), len(now.Members))] {
		if m, is := &s.Members[i], now.Members[i]; slices.Equal(m.Legs, is.Legs) {
			m.Chosen, m.ChosenBy, m.Carried = is.Chosen, is.ChosenBy, is.Carried
		}
	}
	booked, err := ReadMemberBookings(ctx, in, s, at)
	return s, booked, err
}

// resultsParts renders the new parts of the page of one traveller.
func (room *Room) resultsParts(out io.Writer, v SearchView) error {
	p := newResultsPage(v)
	p.Progress.Kept = true
	err := room.weekPart(out, v)
	if err == nil {
		err = room.Part(out, "results", "head", p.page())
	}
	for _, part := range []string{"results-filters", "results-offers", "results-progress"} {
		if err == nil {
			err = room.Part(out, "results", part, p)
		}
	}
	return err
}

// weekPart renders the days around the one that was searched.
func (room *Room) weekPart(out io.Writer, v SearchView) error {
	return room.Part(out, "results", "week", v.week())
}
