package app

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"gangway"
	"gangway/internal/book/plan"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A page waits so long for its search before it is shown with what there is:
// the flights of one traveller are worth waiting for, of many the first. A
// reader without a script, who asked to wait, gets all of it.
const (
	glance      = 700 * time.Millisecond
	crewGlance  = 300 * time.Millisecond
	allPatience = plan.Patience
)

// search shows the results of a search: of one traveller, or of a crew change.
func (a *App) search(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if len(s.Members) == 0 {
		return gangway.Errorf(gangway.NotFound, "this search has no traveller: start a new one")
	}
	q := r.URL.Query()
	ss := a.searches.Of(in, s, q.Get("again") != "")
	if q.Get("again") != "" {
		q.Del("again")
		return a.Redirect(w, r, searchPath(s.ID, q))
	}
	patience := glance
	switch {
	case q.Get("wait") != "":
		patience = allPatience
	case len(s.Members) > 1:
		patience = crewGlance
	}
	ss.Wait(r.Context(), patience)
	q.Del("wait")
	return a.InTurn(func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		if len(s.Members) == 1 {
			return a.results(w, r, in, s, ss, q)
		}
		return a.crew(w, r, in, s, ss, q)
	})(w, r, in)
}

// A searchView is a search with all that its page is made of.
type searchView struct {
	gangway.Search
	query url.Values
	keep  filter
	standing
	settings gangway.Settings // of the account
	found    plan.Standing    // what there is so far
	again    map[int]int      // who stands there a second time, and where the first time
	forms    forms
	choosers map[string]string // who has chosen flights, by e-mail address
	mover    string            // the name of who moved the ship, if anybody has
	now      time.Time
	laid     *laidOffers
}

// view returns s as it is to be shown now to whoever is signed in.
func (a *App) view(ctx context.Context, in store.Scoped, ss *plan.Session, s gangway.Search, q url.Values, st standing) searchView {
	v := searchView{Search: s, query: q, keep: readFilter(q), standing: st, settings: shell.Settings(ctx), forms: a.forms(ctx, in, s), now: a.Now(), laid: a.laid}
	v.found, v.again, v.choosers = ss.Look(), s.Again(), a.choosers(ctx, s)
	if s.Moved != nil {
		v.mover = a.NameOf(ctx, s.Moved.By)
	}
	return v
}

// searchPath is the address of a search with its filters.
func searchPath(id string, q url.Values) string {
	path := "/searches/" + url.PathEscape(id)
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return path
}

// memberOf reads which member of s is meant.
func memberOf(s gangway.Search, text string) (int, error) {
	if text == "" && len(s.Members) == 1 {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= len(s.Members) {
		return 0, gangway.Errorf(gangway.NotFound, "this search has no such traveller")
	}
	return n, nil
}

func bookingOf(b gangway.Booking, ok bool) *memberBooking {
	if !ok {
		return nil
	}
	return &memberBooking{ID: b.ID, Locator: b.Locator, State: b.State}
}
