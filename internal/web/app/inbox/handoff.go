package inbox

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
	"gangway/internal/wire"
)

// HandoffPath is where customers' applications post the form.
const HandoffPath = "/integrations/search"

// A handoffPage says why a hand-off cannot continue, to somebody who may never have seen Gangway.
type handoffPage struct{ Sentences []string }

// ReceiveHandoff receives the form that a customer's own application posts from the user's browser.
// Browsers send none of our cookies with a form of another site, so none is read: the form is kept
// under a token that works once, and the browser is redirected to a page of ours, where it does send
// them.
//
// Spec: A6 Start a search from the customer's browser application.
func (room *Room) ReceiveHandoff(w http.ResponseWriter, r *http.Request) error {
	if isFramed(r) {
		return refuseFrame(w)
	}
	network := web.Network(web.Client(r))
	if left, ends := room.handoffs.Use(network); left < 0 {
		w.Header().Set("Retry-After", web.Seconds(ends))
		return room.explain(w, r, http.StatusTooManyRequests,
			"Too many hand-offs came from your network at once. Please try again in a minute.")
	}
	form, err := readHandoffForm(r)
	if err != nil {
		if errors.As(err, new(*http.MaxBytesError)) {
			return room.explain(w, r, http.StatusRequestEntityTooLarge,
				"The crew that your system sent is more than one hand-off can hold: at most 1 MiB and 200 people.")
		}
		if web.Limited(err) {
			return err
		}
		return room.explain(w, r, http.StatusBadRequest, "What your system sent cannot be read as a form.")
	}
	h, err := wire.ReadHandoff(form.Values, gangway.TodayAt(room.Now()))
	if err != nil {
		return room.explain(w, r, http.StatusRequestEntityTooLarge, shell.SentenceOf(err))
	}
	if h.Change.Size() == 0 {
		return room.explain(w, r, http.StatusBadRequest,
			"Your system sent nobody who joins or leaves a vessel, so there is nobody to look for flights for.",
			"If you chose somebody there, please tell those who look after your system: the fields are named "+
				"onsigners[0][last_name] and so on.")
	}
	h.Notes = slices.Concat(form.Notes, h.Notes)
	doc, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("keep hand-off: %w", err)
	}
	token := rand.Text()
	err = room.db.SaveHandoff(r.Context(), handoffHash(token), network, doc, store.DefaultHandoffCapacity, room.Now())
	if errors.Is(err, store.ErrHandoffsWait) {
		w.Header().Set("Retry-After", "300")
		return room.explain(w, r, http.StatusTooManyRequests, "More hand-offs wait for somebody to sign in than "+
			"there is room for. Please send the crew once more in a few minutes.")
	}
	if err != nil {
		return err
	}
	at := "/integrations/search/" + token
	if h.Environment != "" {
		at += "?environment=" + url.QueryEscape(string(h.Environment))
	}
	return room.Redirect(w, r, at)
}

// readHandoffForm reads a form in either encoding that browsers use.
func readHandoffForm(r *http.Request) (wire.Form, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return wire.Form{}, err
	}
	return wire.ReadForm(r.Header.Get("Content-Type"), body)
}

// explain says why a hand-off cannot continue.
func (room *Room) explain(w http.ResponseWriter, r *http.Request, status int, sentences ...string) error {
	return room.Show(w, r, shell.Page{Template: "handoff", Title: "This hand-off cannot continue", Status: status,
		Data: handoffPage{sentences}})
}

// isFramed reports whether the answer would be shown in a frame of another page.
func isFramed(r *http.Request) bool {
	return slices.Contains([]string{"iframe", "frame", "embed", "object", "fencedframe"},
		r.Header.Get("Sec-Fetch-Dest"))
}

// refuseFrame answers a form that was posted into a frame. Our pages may not be framed, so the
// browser would show the user nothing at all; this text is the only thing of ours that may be.
func refuseFrame(w http.ResponseWriter) error {
	head := w.Header()
	head.Set("Content-Security-Policy", "default-src 'none'")
	head.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusBadRequest)
	_, err := io.WriteString(w, "Gangway does not open inside another page. The form must open it in the whole "+
		"window or in a new tab: "+
		"<form method=\"post\" target=\"_blank\" …>. Please tell those who look after your system.\n")
	return err
}

// ClaimHandoff claims a hand-off for the user's account and goes to its results, in the environment
// that it names or else in the one that the user works in. The address keeps working for the same
// account afterwards, so that somebody who goes back in their browser is not turned away.
func (room *Room) ClaimHandoff(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	token := r.PathValue("token")
	id := handoffSearch(token)
	e := gangway.Environment(r.FormValue("environment")) // the one that the hand-off named
	if e != "" && e != v.Account.Environment {
		var err error
		if in, err = room.inEnvironment(r.Context(), e); err != nil {
			return err
		}
	}
	s, err := in.ClaimHandoff(r.Context(), handoffHash(token), room.Now(), func(doc []byte) (gangway.Search, error) {
		var h wire.Handoff
		if err := json.Unmarshal(doc, &h); err != nil {
			return gangway.Search{}, fmt.Errorf("read hand-off: %w", err)
		}
		return searchForHandoff(h, id, v.User.Email, room.Now()), nil
	})
	if gangway.KindOf(err) == gangway.NotFound {
		if _, err := in.Search(r.Context(), id); err != nil {
			return room.explainGone(w, r, err)
		}
		err = nil
	}
	if err != nil {
		return err
	}
	if s.Airport != "" && s.Date.Valid() { // a hand-off is the customer's latest statement of where the ship is
		if err := room.flights.PutShip(r.Context(), in, s); err != nil {
			return err
		}
	}
	if e != "" && e != v.Account.Environment {
		room.Sessions.Switch(r.Context(), e)
		room.Sessions.SetFlash(r.Context(), "Your system sent this to the "+string(e)+
			" environment, so you work there now.")
	}
	return room.Redirect(w, r, "/searches/"+id)
}

func (room *Room) explainGone(w http.ResponseWriter, r *http.Request, err error) error {
	if gangway.KindOf(err) != gangway.NotFound {
		return err
	}
	return room.explain(w, r, http.StatusNotFound,
		"It was used already, or has waited for more than an hour.",
		"Please go back to your own system and send the crew once more.")
}

// searchForHandoff prepares the search that a hand-off asks for. Each member lists what is missing, to
// be corrected by hand.
func searchForHandoff(h wire.Handoff, id, by string, now time.Time) gangway.Search {
	s := book.SearchForCrewChange(h.Change, gangway.Place(h.Change.ChangeAirport), by, now)
	s.ID, s.Notes, s.Unplaced = id, h.Notes, h.Environment == ""
	for _, words := range h.Warnings {
		s.Notes = append(s.Notes, shell.AsSentence(words))
	}
	for i, warnings := range slices.Concat(h.OnSigners, h.OffSigners) {
		for _, words := range warnings {
			s.Members[i].Warnings = append(s.Members[i].Warnings, shell.AsSentence(words))
		}
	}
	return s
}

// handoffHash is what the database keeps of a token.
func handoffHash(token string) string {
	sum := sha256.Sum256([]byte("hand-off " + token))
	return hex.EncodeToString(sum[:])
}

// handoffSearch is the identifier of the search that a hand-off becomes. It is as hard to guess as the
// token, and does not reveal it.
func handoffSearch(token string) string {
	sum := sha256.Sum256([]byte("search " + token))
	return hex.EncodeToString(sum[:16])
}
