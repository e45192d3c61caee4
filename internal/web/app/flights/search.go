package flights

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// How long a page waits for its search before it shows what there is. For one
// traveller it is worth waiting for the flights, for many only for the first. A reader
// without a script who asks to wait gets all of them.
const (
	glance      = 700 * time.Millisecond
	crewGlance  = 300 * time.Millisecond
	AllPatience = plan.Patience
)

// OfSearch has h answer about the search that a request names.
func OfSearch(h func(http.ResponseWriter, *http.Request, store.Scoped, gangway.Search) error) func(
	http.ResponseWriter, *http.Request, store.Scoped) error {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		s, err := in.Search(r.Context(), r.PathValue("id"))
		if err != nil {
			return err
		}
		return h(w, r, in, s)
	}
}

// Search shows the results of a search: of one traveller, or of a crew change.
func (room *Room) Search(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search) error {
	if len(s.Members) == 0 {
		return gangway.Errorf(gangway.NotFound, "this search has no traveller: start a new one")
	}
	q := r.URL.Query()
	var ss *plan.Session
	if shell.IsLive(r) {
		if ss = room.searches.Kept(in, s); ss == nil {
			return gangway.Errorf(gangway.Conflict, "these flights were found too long ago: open the page again to "+
				"search for them now")
		}
		q.Del("again")
	} else {
		ss = room.searches.Of(in, s, q.Get("again") != "")
	}
	if q.Get("again") != "" {
		q.Del("again")
		return room.Redirect(w, r, SearchPath(s.ID, q))
	}
	patience := glance
	switch {
	case q.Get("wait") != "":
		patience = AllPatience
	case len(s.Members) > 1:
		patience = crewGlance
	}
	week := room.searchWeek(r, in, s, ss)
	ss.Wait(r.Context(), patience)
	for _, day := range week {
		if q.Get("wait") != "" {
			day.Wait(r.Context(), patience)
		}
	}
	q.Del("wait")
	turn := room.InTurn
	if len(s.Members) == 1 { // its offers are for the person, and stay in place
		turn = room.Turn
	}
	return turn(func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		if len(s.Members) == 1 {
			return room.results(w, r, in, s, ss, q)
		}
		return room.Many(w, r, in, s, ss, q)
	})(w, r, in)
}

// SearchPath is the address of a search with its filters.
func SearchPath(id string, q url.Values) string {
	path := "/searches/" + url.PathEscape(id)
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return path
}

// MemberOf reads the position of a member of s.
func MemberOf(s gangway.Search, text string) (int, error) {
	if text == "" && len(s.Members) == 1 {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= len(s.Members) {
		return 0, gangway.Errorf(gangway.NotFound, "this search has no such traveller")
	}
	return n, nil
}
