package bookings

import (
	"net/http"
	"net/url"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A bookingView shows a page about b. wrong is a sentence that says why something was not done; it
// is empty when nothing was tried.
type bookingView = func(w http.ResponseWriter, r *http.Request, in store.Scoped, b gangway.Booking, wrong string,
	status int) error

// open shows the booking in the address.
func (room *Room) open(w http.ResponseWriter, r *http.Request, in store.Scoped, show bookingView) error {
	b, err := in.Booking(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return show(w, r, in, b, "", http.StatusOK)
}

// asker returns who asks for an action, and the booking it is for.
func asker(r *http.Request) (by gangway.User, id string) {
	v, _ := shell.VisitorOf(r.Context())
	return v.User, r.PathValue("id")
}

// acted goes to the booking once an action is done, or while the airline is still working on it. A
// refusal is shown by again, which is the page that asked for the action, with the booking as it is
// now.
func (room *Room) acted(w http.ResponseWriter, r *http.Request, in store.Scoped, err error, done string,
	again bookingView) error {
	id := r.PathValue("id")
	if err == nil {
		room.Sessions.SetFlash(r.Context(), done)
		return room.Redirect(w, r, "/bookings/"+url.PathEscape(id))
	}
	status := http.StatusConflict
	switch shell.KindOf(err) {
	case gangway.Unavailable:
		return room.Redirect(w, r, "/bookings/"+url.PathEscape(id))
	case gangway.Invalid:
		status = http.StatusUnprocessableEntity
	case gangway.Conflict, gangway.NotFound: // NotFound: the quote is gone; if the booking is, reading it fails below
	default:
		return err
	}
	now, readErr := in.Booking(r.Context(), id)
	if readErr != nil {
		return readErr
	}
	if was := r.PostFormValue(wasField); was != "" && was != string(now.State) {
		err = &gangway.StateError{} // the supplier only said that the order has changed
	}
	sentence, readErr := room.whyNotNow(r.Context(), in, now, err)
	if readErr != nil {
		return readErr
	}
	return again(w, r, in, now, sentence, status)
}

// notNow shows the booking with the reason why its state does not allow event.
func (room *Room) notNow(w http.ResponseWriter, r *http.Request, in store.Scoped, b gangway.Booking,
	event gangway.Event) error {
	trial := b
	_, err := trial.Move(event, "", in.Now(room.Now()))
	sentence := ""
	if err != nil {
		if sentence, err = room.whyNotNow(r.Context(), in, b, err); err != nil {
			return err
		}
	}
	return room.showBooking(w, r, in, b, sentence, http.StatusConflict)
}
