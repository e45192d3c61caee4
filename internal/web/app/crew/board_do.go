package crew

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// DoBoard begins the run that does what was ticked, at the money that was shown. If anything of that has moved, it
// begins nothing and shows both amounts.
func (room *Room) DoBoard(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	r.ParseForm() // a form that cannot be read asks for nothing
	ask := readBoardAsk(r)
	ask.aim, ask.ticked, ask.picked = plan.Aim(r.PostForm.Get("aim")), r.PostForm["tick"], map[string]string{}
	for name, values := range r.PostForm {
		if id, is := strings.CutPrefix(name, "do."); is {
			ask.picked[id] = values[0]
		}
	}
	again, show := r.PostForm.Get("again") != "", r.PostForm.Get("show") != ""
	if again || show {
		b, err := room.viewBoard(r.Context(), in, ask)
		if err != nil {
			return err
		}
		return room.Redirect(w, r, b.address()+map[bool]string{true: "&again=1"}[again])
	}
	f := room.flights.Forms(r.Context(), in, gangway.Search{})
	run, old := f.Identifier(boardPlace, r.PostForm.Get("run"))
	to := "/runs/" + url.PathEscape(run) + "?" + url.Values{"back": {flights.BoardPath(ask.key)}}.Encode()
	if begun, err := room.batches.Begun(r.Context(), in, run); err != nil {
		return err
	} else if begun {
		return room.Redirect(w, r, to)
	}
	asking := ask // after a restart, or at another replica, everything is asked again
	asking.by = &v.User
	if _, err := room.viewBoard(r.Context(), in, asking); err != nil {
		return err
	}
	room.searches.Board(in, ask.key).Wait(r.Context(), flights.AllPatience)
	p, asks, err := room.boardAsks(r, in, ask)
	if err != nil {
		return err
	}
	status := http.StatusOK
	switch {
	case run == "" || old:
		p.Refused, status = flights.StaleForm, http.StatusConflict
	case len(p.Doubts) > 0:
		p.Refused, status = "Nothing was done: say first whether the crew change moved.", http.StatusConflict
	case asks == nil:
		p.Refused, status = "Nothing was done: see the rows that changed.", http.StatusConflict
	case len(asks) == 0:
		p.Refused, status = "Nothing is ticked.", http.StatusUnprocessableEntity
	default:
		if err := room.batches.Move(r.Context(), in, v.User, run, ask.key, asks); err != nil {
			return err
		}
		return room.Redirect(w, r, to)
	}
	p.Run = r.PostForm.Get("run")
	if run == "" || old {
		p.Run = f.Fresh(boardPlace)
	}
	return room.Show(w, r, p.page(status))
}

// boardAsks returns what is asked for with the page that shows it; nil: something is not as it was shown.
func (room *Room) boardAsks(r *http.Request, in store.Scoped, ask boardAsk) (p boardPage, asks []book.MoveAsk,
	err error) {
	b, err := room.viewBoard(r.Context(), in, ask)
	if err != nil {
		return p, nil, err
	}
	p = b.page()
	p.Doubts, err = in.ChangeQuestions(r.Context(), ask.key)
	known := 0
	for i, pick := range b.chosen() {
		m := b.people[i]
		if !slices.Contains(ask.ticked, plan.PersonKey(m.Person)) || pick < 0 {
			continue
		}
		known++
		if o := m.Options[pick]; o.Way != "" {
			move := m.Ask(o)
			if n := move.New; n != nil {
				n.Cheapest = room.searches.CheapestAlike(in, b.settings, b.state.Search, n.Member, n.Offer, n.Price)
			}
			asks = append(asks, move)
		}
	}
	if known < len(ask.ticked) {
		return p, nil, err
	}
	return p, append([]book.MoveAsk{}, asks...), err
}
