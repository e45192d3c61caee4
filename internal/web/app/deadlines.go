package app

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/store"
)

// A deadlinesPage lists every hold, and every change that waits for an answer,
// by the time that is left.
type deadlinesPage struct{ Rows []deadlineRow }

// A deadlineRow is a booking whose seats are held and not ticketed, or whose
// flights are being changed.
type deadlineRow struct {
	ID, Locator      string
	State            gangway.State
	Traveller        string
	Vessel           string
	From, To         gangway.Airport
	Departure        time.Time
	Price            gangway.Money
	PriceUntil, Seat time.Time // until when the price is good, and the seat is kept
	Next             string    // what becomes of it by itself, a sentence
	Misfit           string    // in what it is not what is planned today; empty: it fits, or nothing is planned
	Answer           string    // what is waited for, where it is an answer
}

// holdsShown bounds the list: more holds than these are beyond one desk.
const holdsShown = 500

func (a *App) deadlines(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	var p deadlinesPage
	soon := 0
	for _, state := range []gangway.State{gangway.ApprovalRequired, gangway.Confirmed, gangway.ChangePending} {
		list, _, err := in.Bookings(r.Context(), store.BookingQuery{State: state, Limit: holdsShown})
		if err != nil {
			return err
		}
		plans, err := book.PlansOf(r.Context(), in, list)
		if err != nil {
			return err
		}
		for _, b := range list {
			row := hold(b)
			row.Misfit = plans.Misfit(b)
			row.Next = a.outlook(b, row.Misfit)
			if row.ends().Sub(a.now()) < 24*time.Hour {
				soon++
			}
			p.Rows = append(p.Rows, row)
		}
	}
	slices.SortFunc(p.Rows, func(x, y deadlineRow) int {
		return cmp.Or(x.ends().Compare(y.ends()), cmp.Compare(x.Locator, y.Locator))
	})
	answer := "Nothing is held"
	if len(p.Rows) > 0 {
		words, _ := timeLeft(p.Rows[0].ends().Sub(a.now()))
		answer = plural(len(p.Rows), "booking waits", "bookings wait") + " · " + number(soon) + " within a day · the next ends in " + words
	}
	return a.show(w, r, page{Template: "deadlines", Section: "deadlines", Title: "Deadlines", Answer: answer, Data: p})
}

func hold(b gangway.Booking) deadlineRow {
	row := deadlineRow{
		ID: b.ID, Locator: b.Locator, State: b.State, Traveller: b.Passenger.LastName + ", " + b.Passenger.FirstName,
		Vessel: b.Purpose.Vessel, Departure: b.Itinerary.Departure(), Price: b.Price.Total, PriceUntil: b.PriceGood(), Seat: b.HoldUntil,
	}
	if c := b.Change; b.State == gangway.ChangePending && c != nil {
		row.PriceUntil, row.Seat, row.Answer = time.Time{}, c.Expires, "confirm or give it up"
		if c.ByAirline {
			row.Seat, row.Answer = earlier(b.HoldUntil, row.Departure), "answer the airline"
			if c.Was == gangway.Issued {
				row.Seat = row.Departure
			}
		}
	}
	if route := b.Itinerary.Route(); len(route) > 0 {
		row.From, row.To = route[0], route[len(route)-1]
	}
	return row
}

// ends returns which of the two deadlines comes first.
func (r deadlineRow) ends() time.Time {
	if r.Seat.IsZero() || !r.PriceUntil.IsZero() && r.PriceUntil.Before(r.Seat) {
		return r.PriceUntil
	}
	return r.Seat
}

// Apart reports whether price and seat end at different times.
func (r deadlineRow) Apart() bool { return !r.PriceUntil.Equal(r.Seat) }
