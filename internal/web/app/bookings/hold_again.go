package bookings

import (
	"errors"
	"net/http"
	"net/url"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A holdAgainPage offers the seats of a booking that is over, at today's price.
type holdAgainPage struct {
	bookingCard
	New       string // the identifier that the booking will have, as the form carries it
	Offer     flights.OfferRow
	Ref       string // the offer, as the form carries it
	Was       gangway.Money
	Differs   bool // the times, the rules or the baggage are not as they were
	Misfit    string
	Unmet     gangway.FareRule // what the fare lacks of what crew need
	Twice     []flights.TwiceRow
	AutoIssue bool
	Wrong     string // why nothing was held, a sentence
	Gone      string // why the seats cannot be held any more, a sentence
	Search    string // where other flights are found; empty: nowhere
	Member    int
}

// againPlace is the place in a form of the booking that holds the seats of another one again.
func againPlace(booking string) string { return "again " + booking }

// HoldAgainPage shows what holding the seats of a booking again means now.
func (room *Room) HoldAgainPage(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.open(w, r, in, room.showHoldAgain)
}

func (room *Room) showHoldAgain(w http.ResponseWriter, r *http.Request, in store.Scoped, b gangway.Booking,
	wrong string, status int) error {
	if b.Live() {
		return room.showBooking(w, r, in, b, "Booking "+b.Locator+" is still live.", http.StatusConflict)
	}
	p := holdAgainPage{bookingCard: newBookingCard(b), Was: b.Price.Total, AutoIssue: b.AutoIssue, Wrong: wrong,
		Search: room.searchOf(in, b), Member: b.Purpose.Member}
	again, err := room.desk.FindAgain(r.Context(), in, b.ID)
	answer := "The price is the same"
	switch {
	case shell.KindOf(err) == gangway.Internal:
		return err
	case err != nil:
		p.Gone, answer = shell.SentenceOf(err), "These seats cannot be held again"
	default:
		f := room.flights.Forms(r.Context(), in, gangway.Search{})
		p.New, p.Ref = f.Fresh(againPlace(b.ID)), f.Quoted(againPlace(b.ID), again.Offer.ID)
		p.Offer = flights.NewOfferRow(again.Offer, gangway.SearchMember{})
		p.Differs, p.Misfit, p.Unmet = !again.SameTerms, again.Misfit, again.Unmet
		if p.Twice, err = room.flights.Twice(r, in, b.Passenger, flights.FlownLegs(b.Itinerary)); err != nil {
			return err
		}
		if p.Moved() {
			answer = "It cost " + shell.Amount(p.Was) + " and costs " + shell.Amount(p.Offer.Price.Total) + " now"
		}
	}
	return room.Show(w, r, shell.Page{Template: "hold_again", Section: "bookings", Stripe: flights.StripeOf(b),
		Title: "Hold again: " + b.Locator, Answer: answer, Status: status, Data: p})
}

// Moved reports whether the price is not what it was.
func (p holdAgainPage) Moved() bool { return p.Was != p.Offer.Price.Total }

// HoldAgain holds the seats of a booking that is over again, as another booking. A form without an offer holds them
// only if they are the same at the same price.
func (room *Room) HoldAgain(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	was, err := in.Booking(r.Context(), id)
	if err != nil {
		return err
	}
	again := func(wrong string) error { return room.showHoldAgain(w, r, in, was, wrong, http.StatusConflict) }
	f := room.flights.Forms(r.Context(), in, gangway.Search{})
	ask := book.BookAsk{Again: id, Others: flights.ReadOthers(r, "other"), Unmet: flights.ReadUnmet(r)}
	if ask.ID, err = room.flights.BookingID(r.Context(), in, f, againPlace(id), r.PostFormValue("id")); err != nil {
		return err
	}
	carried := r.PostFormValue("offer")
	ask.Offer = f.FoundQuote(againPlace(id), carried)
	if ask.ID == "" || ask.Offer == "" && carried != "" {
		return again(flights.StaleForm)
	}
	if ask.Price, err = gangway.ParseMoney(r.PostFormValue("price")); err != nil {
		return err
	}
	if r.PostForm.Has("unissued") {
		if ask.AutoIssue, err = flights.ReadAutoIssue(r); err != nil {
			return err
		}
	}
	b, err := room.desk.HoldAgain(r.Context(), in, by, ask)
	if err == nil {
		if _, err := room.see(r, in, id, gangway.StampOf(by, in.Now(room.Now()))); err != nil {
			return err
		}
		room.Sessions.SetFlash(r.Context(), room.flights.Held(r.Context(), in, b))
		return room.Redirect(w, r, "/bookings/"+url.PathEscape(b.ID))
	}
	var fare *book.FareError
	switch kind := shell.KindOf(err); {
	case errors.As(err, new(*book.TwiceError)):
		return again("Nothing is held yet: is this another journey?")
	case errors.As(err, &fare):
		return again("Nothing is held yet: is this fare meant?")
	case kind == gangway.Conflict || kind == gangway.Invalid || kind == gangway.NotFound:
		return again(shell.SentenceOf(err))
	case kind == gangway.Unavailable:
		return room.Redirect(w, r, "/bookings/"+url.PathEscape(ask.ID)+"?search="+
			url.QueryEscape(room.searchOf(in, was)))
	}
	return err
}
