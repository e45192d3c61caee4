package crew

import (
	"net/http"
	"net/url"

	"gangway/internal/store"
	"gangway/internal/web/app/flights"
)

// AnswerMoved stores whether a crew change is another one, moved.
func (room *Room) AnswerMoved(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	older, same := r.PostFormValue("older"), r.PostFormValue("same") == "yes"
	err := in.AnswerQuestion(r.Context(), room.Actor(r), older, r.PostFormValue("newer"), same, room.Now())
	if err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), map[bool]string{true: "The crew change moved. Bookings keep their flights.",
		false: "These are two crew changes."}[same])
	if search := r.PostFormValue("search"); search != "" {
		return room.Redirect(w, r, "/searches/"+url.PathEscape(search))
	}
	return room.Redirect(w, r, flights.CrewChangePath(older))
}

// UndoMove undoes the latest move of a crew change to another date.
func (room *Room) UndoMove(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	key := r.PostFormValue("key")
	if err := in.UndoMove(r.Context(), room.Actor(r), key, room.Now()); err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), "The move was undone. Bookings made since then are with the other date.")
	return room.Redirect(w, r, flights.CrewChangePath(key))
}
