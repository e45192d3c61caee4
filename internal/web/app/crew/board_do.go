package crew

import (
	"net/http"
	"net/url"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// DoBoard begins the run that does what was ticked, at the money that was shown. If anything of that has moved, it
// begins nothing and shows both amounts.
func (room *Room) DoBoard(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	ask := readBoardAsk(r) // a form that cannot be read asks for nothing
	if again := r.PostForm.Get("again") != ""; again || r.PostForm.Get("show") != "" {
		b, err := room.viewBoard(r.Context(), in, ask)
		if err == nil && again {
			err = room.searches.Board(in, ask.key).Ask(r.Context(), in, v.User, b.crew, b.settings, true)
		}
		if err != nil {
			return err
		}
		return room.Redirect(w, r, b.address())
	}
	f := room.flights.Forms(r.Context(), in, gangway.Search{})
	run, old := f.Identifier(boardPlace, r.PostForm.Get("run"))
	to := "/runs/" + url.PathEscape(run) + "?" + url.Values{"back": {flights.BoardPath(ask.key)}}.Encode()
	if begun, err := room.batches.Begun(r.Context(), in, run); err != nil {
		return err
	} else if begun {
		return room.Redirect(w, r, to)
	}
	// After a restart, or at another replica, everything is asked again.
	if err := room.askBoard(r.Context(), in, ask, flights.AllPatience); err != nil {
		return err
	}
	b, p, err := room.boardNow(r.Context(), in, ask)
	if err != nil {
		return err
	}
	asks := room.boardAsks(in, b, len(r.PostForm["tick"]))
	status := http.StatusConflict
	switch {
	case run == "" || old:
		p.Refused = flights.StaleForm
	case len(p.Doubts) > 0:
		p.Refused = "Nothing was done: say first whether the crew change moved."
	case asks == nil && r.PostForm.Get("news") != p.News:
		p.Refused = "Nothing was done: the plan changed meanwhile. " + shell.Capital(p.News)
	case asks == nil:
		p.Refused = "Nothing was done: rows changed meanwhile, or need nothing now."
	case len(asks) == 0:
		p.Refused, status = "Nothing is ticked.", http.StatusUnprocessableEntity
	default:
		if err := room.batches.Move(r.Context(), in, v.User, run, ask.key, asks); err != nil {
			return err
		}
		return room.Redirect(w, r, to)
	}
	p.Run = f.Fresh(boardPlace)
	return room.Show(w, r, p.page(status))
}

// boardAsks returns what is asked for by so many rows that are ticked; nil: something is not as it was shown.
func (room *Room) boardAsks(in store.Scoped, b boardView, ticked int) []book.MoveAsk {
	asks := []book.MoveAsk{}
	shown := 0 // of the ticked rows, those that are as they were shown
	for _, m := range b.people {
		k := b.kept[m.Key()]
		_, at, _ := b.keptFor(m)
		if !k.on || k.value == "" || at < 0 || !b.shows(k, m.Options[at]) {
			continue
		}
		shown++
		if o := m.Options[at]; o.Way != "" {
			move := m.Ask(o)
			if n := move.New; n != nil {
				n.Cheapest = room.searches.CheapestAlike(in, b.settings, b.state.Search, n.Member, n.Offer, n.Price)
			}
			asks = append(asks, move)
		}
	}
	if shown < ticked {
		return nil
	}
	return asks
}
