package flights

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A holdPage is one offer at today's price, with the passenger's details and one
// button. A booking that could not be made ends here too, with what was typed and a
// way to go on.
type holdPage struct {
	Search    string
	Member    int
	Who       string
	Offer     OfferRow
	Gone      string // why the offer cannot be booked any more, a sentence
	Wrong     string // why it was not booked, a sentence
	Was       gangway.Money
	Moved     bool   // the price has changed
	Booking   string // the identifier that the booking will have, as forms carry it
	AutoIssue bool
	Passenger PassengerForm
	Booked    *MemberBooking

	SamePassport string // that the passport was sent under another identifier too, a sentence

	Twice []TwiceRow // what is booked around the same days

	Unmet gangway.FareRule // what the fare lacks of what crew need

	Far *book.FarError // that the destination is on another continent than what is planned; nil: it is not

	Doubts []store.ChangeQuestion // whether the crew change is another one, moved
}

// Asks reports whether there is something to read or to answer before the flight is held.
func (p holdPage) Asks() bool {
	return p.Wrong != "" || p.Moved || len(p.Twice) > 0 || p.Far != nil || p.Unmet != gangway.FareRule{} ||
		p.Passenger.Passport() != ""
}

// HoldPage shows an offer at today's price.
func (room *Room) HoldPage(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search) error {
	member, err := MemberOf(s, r.FormValue("member"))
	if err != nil {
		return err
	}
	ask := book.BookAsk{ID: book.NewID(), Search: s.ID, Member: member, Offer: room.Forms(r.Context(), in,
		s).FoundOffer(member, r.FormValue("offer"))}
	return room.showHold(w, r, in, s, ask, PassengerOf(s.Members[member].Traveller, room.desk.LongestName(r.Context(),
		in)), "", http.StatusOK)
}

// BookOffer holds an offer for a member of a search. Where something prevents that,
// the page says so and asks again with what was typed.
func (room *Room) BookOffer(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search) error {
	v, _ := shell.VisitorOf(r.Context())
	member, err := MemberOf(s, r.PostFormValue("member"))
	if err != nil {
		return err
	}
	f := room.Forms(r.Context(), in, s)
	ask := book.BookAsk{Search: s.ID, Member: member, Offer: f.FoundOffer(member, r.PostFormValue("offer"))}
	if ask.ID, err = room.BookingID(r.Context(), in, f, MemberPlace(member), r.PostFormValue("id")); err != nil {
		return err
	}
	if ask.Price, err = gangway.ParseMoney(r.PostFormValue("price")); err != nil {
		return err
	}
	if ask.AutoIssue, err = ReadAutoIssue(r); err != nil {
		return err
	}
	ask.Others, ask.Far = ReadOthers(r, "other"), gangway.Place(r.PostFormValue("far"))
	ask.Unmet = ReadUnmet(r)
	typed := ReadPassenger(r, s.Members[member].Traveller, "", room.desk.LongestName(r.Context(), in),
		room.Today(r.Context()))
	typed.Travel = LastDate(s.Members[member].Legs)
	again := func(wrong string, status int) error { return room.showHold(w, r, in, s, ask, typed, wrong, status) }
	if ask.ID == "" || ask.Offer == "" {
		ask.ID = book.NewID()
		return again(StaleForm, http.StatusConflict)
	}
	if WantsDocument(r) {
		if err := room.RecordShown(r, in, s, member, typed.DocNumber); err != nil {
			return err
		}
		typed.Shown, typed.Wrong = true, nil // nothing was asked for yet
		return again("", http.StatusOK)
	}
	if len(typed.Wrong) > 0 {
		return again(typed.whatIsWrong(), http.StatusUnprocessableEntity)
	}
	if typed.Unagreed() {
		return again("Nothing is held yet. "+typed.Passport()+
			" Correct it, or tick “Hold anyway” below.", http.StatusConflict)
	}
	ask.Passenger = typed.TypedDetails.Traveller()
	ask.Cheapest = room.searches.CheapestAlike(in, shell.Settings(r.Context()), s, member, ask.Offer, ask.Price)
	b, err := room.desk.Book(r.Context(), in, v.User, ask)
	if err == nil {
		room.Sessions.SetFlash(r.Context(), room.Held(r.Context(), in, b))
		return room.Redirect(w, r, "/bookings/"+url.PathEscape(b.ID))
	}
	var far *book.FarError
	var fare *book.FareError
	switch shell.KindOf(err) {
	case gangway.Conflict, gangway.Invalid, gangway.NotFound:
		if errors.As(err, new(*book.TwiceError)) {
			return again("Nothing is held yet: is this a separate trip?", http.StatusConflict)
		}
		if errors.As(err, &fare) {
			return again("Nothing is held yet: is this fare meant?", http.StatusConflict)
		}
		if errors.As(err, &far) {
			return again("Nothing is held yet: is "+PlaceInCountry(far.To)+" meant?", http.StatusConflict)
		}
		return again(shell.SentenceOf(err), http.StatusConflict)
	case gangway.Unavailable:
		return room.Redirect(w, r, bookingPath(ask.ID, s.ID))
	}
	return err
}

// ReadOthers reads the bookings around the same days that a form acknowledges by
// saying that this is another journey.
func ReadOthers(r *http.Request, field string) []string {
	return strings.Fields(strings.Join(r.PostForm[field], " "))
}

// ReadUnmet reads what a form acknowledges that a fare lacks of what crew need.
func ReadUnmet(r *http.Request) gangway.FareRule {
	unmet, err := gangway.ParseFareRule(r.PostFormValue("unmet"))
	if err != nil {
		return gangway.FareRule{} // nothing is acknowledged
	}
	return unmet
}

// Held says what was done, and what will happen to the booking if nobody acts.
func (room *Room) Held(ctx context.Context, in store.Scoped, b gangway.Booking) string {
	if b.State == gangway.Declined { // at once, in the sandbox
		return "Booking " + b.Locator + " was declined: " + b.Approval.Reason + ". Its seats are not held."
	}
	said := "Held as " + b.Locator + "."
	if b.State == gangway.ApprovalRequired {
		said += " It waits for an approver: " + b.Approval.Why + "."
	}
	if next := room.NextStepToday(ctx, in, b); next != "" {
		return said + " " + next + "."
	}
	return said + " Nothing is paid until tickets are issued."
}

// bookingPath is where a booking will be, with the search to go back to if it fails.
func bookingPath(id, search string) string {
	return "/bookings/" + url.PathEscape(id) + "?search=" + url.QueryEscape(search)
}

// showHold asks for the offer's price now and shows it; wrong says what prevented the booking.
func (room *Room) showHold(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search, ask book.BookAsk,
	passenger PassengerForm, wrong string, status int) error {
	m := s.Members[ask.Member]
	p := holdPage{
		Search: s.ID, Member: ask.Member, Who: m.Traveller.LastName + ", " + m.Traveller.FirstName, Wrong: wrong,
		Was:     ask.Price,
		Booking: ask.ID, AutoIssue: shell.Settings(r.Context()).AutoIssue, Passenger: passenger,
	}
	p.Passenger.Travel = LastDate(m.Legs)
	booked, err := ReadMemberBookings(r.Context(), in, s, room.Now())
	if err != nil {
		return err
	}
	p.Booked = booked.BookingOf(ask.Member)
	if p.SamePassport, err = samePassport(r.Context(), in, m.Traveller); err != nil {
		return err
	}
	if p.Doubts, err = in.ChangeQuestions(r.Context(), s.Change); err != nil {
		return err
	}
	if p.Far, err = room.desk.Far(r.Context(), in, s, ask.Member); err != nil {
		return err
	}
	f := room.Forms(r.Context(), in, s)
	id, err := freshBooking(r.Context(), in, ask.ID)
	if err != nil {
		return err
	}
	p.Booking = f.Carry(MemberPlace(ask.Member), id)
	o := flight.Offer{}
	if ask.Offer != "" {
		o, err = room.desk.Price(r.Context(), in, ask.Offer)
	}
	switch {
	case ask.Offer == "":
		p.Gone = staleOffer
	case gangway.KindOf(err) == gangway.Internal:
		return err
	case err != nil:
		p.Gone = shell.SentenceOf(err)
	default:
		p.Offer = NewOfferRow(o, m)
		p.Offer.Ref = f.Offer(ask.Member, ask.Offer)
		if p.Twice, err = room.Twice(r, in, m.Traveller, FlownLegs(o.Itinerary)); err != nil {
			return err
		}
		p.Unmet = shell.Settings(r.Context()).Fares.Unmet(o.Terms, o.Baggage)
		p.Moved = ask.Price.Currency != "" && ask.Price != o.Price.Total
	}
	title := "Hold a flight for " + p.Who
	answer := "Priced just now"
	switch {
	case p.Booked != nil:
		answer = "Booked already as " + p.Booked.Locator
	case p.Gone != "":
		answer = "This flight is no longer available"
	case p.Moved:
		answer = "The price has changed from " + shell.Amount(p.Was) + " to " + shell.Amount(p.Offer.Price.Total)
	}
	return room.Show(w, r, shell.Page{Template: "hold", Section: "book", Title: title, Answer: answer, Status: status,
		Data: p})
}

// freshBooking returns an identifier under which no booking was begun: id itself,
// unless an attempt to book under it failed.
func freshBooking(ctx context.Context, in store.Scoped, id string) (string, error) {
	intent, err := in.Intent(ctx, id)
	if gangway.KindOf(err) == gangway.NotFound || err == nil && intent.Open {
		return id, nil
	}
	return book.NewID(), err
}
