package bookings

import (
	"net/http"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A beingBookedPage is shown until the airline answers whether a booking was made, and afterwards if
// none was.
type beingBookedPage struct {
	Open   bool
	Wrong  string // a sentence: why nothing was booked
	Search string // the search to go back to; may be empty
}

// beingBooked answers at the address of a booking that does not exist yet.
func (room *Room) beingBooked(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	intent, err := in.Intent(r.Context(), r.PathValue("id"))
	if gangway.KindOf(err) == gangway.NotFound {
		here, there := gangway.Production, gangway.Development
		if v, _ := shell.VisitorOf(r.Context()); v.Account.Environment == there {
			here, there = there, here
		}
		return gangway.Errorf(gangway.NotFound, "there is no such booking in %s: what was booked in %s is found once "+
			"you switch to it at the top of the page", here, there)
	}
	if err != nil {
		return err
	}
	if intent.Booking != intent.ID {
		return gangway.Errorf(gangway.NotFound, "there is no such booking")
	}
	p := beingBookedPage{Open: intent.Open, Search: r.URL.Query().Get("search")}
	title, answer := "Being booked", "The airline was asked to hold the seats and has not answered yet"
	if !p.Open {
		p.Wrong = shell.Capital(intent.Outcome) + "."
		title, answer = "Not booked", "Nothing was booked and nothing is to be paid"
	}
	return room.Show(w, r, shell.Page{Template: "being_booked", Section: "bookings", Title: title, Answer: answer,
		Data: p})
}
