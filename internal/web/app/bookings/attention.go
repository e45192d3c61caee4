package bookings

import (
	"net/http"
	"net/url"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// An attentionPage lists the bookings that need a person because of something that happened at
// their supplier.
type attentionPage struct {
	Rows []attentionRow
	More bool // some are not listed
}

// An attentionRow is one booking that needs a person.
type attentionRow struct {
	bookingRow
	Why   string
	Since time.Time
}

// attentionShown bounds the list.
const attentionShown = 50

// Attention lists what needs a person.
func (room *Room) Attention(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	list, err := in.BookingsForPerson(r.Context(), attentionShown)
	if err != nil {
		return err
	}
	waits, err := in.Waits(r.Context())
	if err != nil {
		return err
	}
	p := attentionPage{More: waits.Person > len(list)}
	for _, b := range list {
		p.Rows = append(p.Rows, attentionRow{bookingRow: newBookingRow(b), Why: b.Attention.Why, Since: b.Attention.At})
	}
	answer := "No booking needs a person"
	if len(p.Rows) > 0 {
		since, _ := shell.TimeLeft(in.Now(room.Now()).Sub(p.Rows[0].Since))
		answer = shell.CountedPlural(waits.Person, "booking needs a person", "bookings need a person") +
			" · the first for " + since
	}
	return room.Show(w, r, shell.Page{Template: "attention", Section: "attention", Title: "Needs a person",
		Answer: answer, Data: p})
}

// Handled records that the reader has dealt with what a booking needed a person for, and returns to
// the page where the button was.
func (room *Room) Handled(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	b, err := room.desk.Handled(r.Context(), in, by, id)
	switch {
	case gangway.KindOf(err) == gangway.Conflict:
		room.Sessions.SetFlash(r.Context(), shell.SentenceOf(err))
	case err != nil:
		return err
	default:
		room.Sessions.SetFlash(r.Context(), b.Locator+": marked as seen to.")
	}
	to := "/bookings/" + url.PathEscape(r.PathValue("id"))
	if r.PostFormValue("back") == "list" {
		to = "/attention"
	}
	return room.Redirect(w, r, to)
}
