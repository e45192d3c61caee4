package sandbox

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/samplebookings"
	"gangway/internal/store"
)

// A way is how a booking comes to a state: by these steps, one after the other.
type way struct {
	asks  bool          // it waits for an approver
	magic gangway.Magic // the traveller; empty: somebody
	steps []step
}

// A step makes the next move of a booking.
type step func(context.Context, *trip) error

// ways are how bookings come to each state that can be asked for.
var ways = map[gangway.SandboxState]way{
	gangway.SandboxState(gangway.ApprovalRequired): {asks: true},
	gangway.SandboxState(gangway.Confirmed):        {steps: []step{approve}},
	gangway.SandboxState(gangway.Issued):           {steps: []step{approve, issue}},
	gangway.SandboxState(gangway.ChangePending):    {steps: []step{approve, issue, askChange}},
	gangway.SandboxState(gangway.RefundPending):    {magic: gangway.MagicRefund, steps: []step{approve, issue, cancel}},
	gangway.SandboxState(gangway.Cancelled):        {steps: []step{approve, cancel}},
	gangway.SandboxState(gangway.Declined):         {asks: true, steps: []step{decline}},
	gangway.Changed:                                {steps: []step{approve, issue, askChange, confirmChange}},
	gangway.Refunded: {magic: gangway.MagicRefunded,
		steps: []step{approve, issue, cancel, look}},
}

// A trip is a booking on its way to a state.
type trip struct {
	*Sandbox
	in       store.Scoped
	booker   gangway.User
	approver gangway.User
	b        gangway.Booking
}

// Send books a journey that is made up and brings it to a state, by every action that leads there. person is who
// wants it, as the booker of the journey; nil: somebody who is made up too. Invalid: there is no such state.
func (s *Sandbox) Send(ctx context.Context, in store.Scoped, by gangway.Actor, person *gangway.User,
	state gangway.SandboxState) (Played, error) {
	to, ok := ways[state]
	if !ok {
		return Played{}, gangway.Errorf(gangway.Invalid, "there is no state %q: choose one of %s", state, states())
	}
	in, err := s.open(ctx, in)
	if err != nil {
		return Played{}, err
	}
	t := &trip{Sandbox: s, in: in}
	if err := t.book(ctx, person, to); err != nil {
		return Played{}, err
	}
	if err := in.Record(ctx, by, gangway.SandboxSent, map[string]any{"state": string(state), "booking": t.b.ID,
		"locator": t.b.Locator}, s.now()); err != nil {
		return Played{}, err
	}
	for _, next := range to.steps {
		if err := next(ctx, t); err != nil {
			return Played{}, err
		}
	}
	return since(ctx, in, t.b, 0)
}

// states are the states that can be asked for, in words.
func states() string {
	names := gangway.Texts(gangway.SandboxStates())
	return strings.Join(names, ", ")
}

// tries is how often another journey is made up where the network sells nothing that will do.
const tries = 20

// book makes up journeys until one can be booked.
func (t *trip) book(ctx context.Context, person *gangway.User, to way) error {
	err := errNothing
	for range tries {
		var s gangway.Search
		s, t.booker, t.approver = samplebookings.Journey(rand.Uint64(), t.in.Now(t.now()))
		if person != nil {
			t.booker = *person
		}
		s.ID, s.By = book.NewID(), t.booker.Email
		if to.magic != "" {
			s.Members[0].Traveller.LastName = string(to.magic)
		}
		if err = t.bookOne(ctx, s, to); err == nil || !refused(err) {
			return err
		}
	}
	return err
}

var errNothing = gangway.Errorf(gangway.Conflict, "the simulated network sells no flights that can be changed and "+
	"refunded: try again")

// bookOne books the best offer that can be changed and refunded.
func (t *trip) bookOne(ctx context.Context, s gangway.Search, to way) error {
	var offers []flight.Offer
	var failed error
	err := t.desk.Search(ctx, t.in, s, func(f book.FoundOffers) {
		offers, failed = append(offers, f.Offers...), cmp.Or(failed, f.Err)
	})
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	account, err := t.in.Account(ctx)
	if err != nil {
		return err
	}
	offers = slices.DeleteFunc(offers, func(o flight.Offer) bool {
		return o.Terms.Changes == gangway.NoChange || o.Terms.Cancellations == gangway.NonRefundable ||
			account.Settings.Bars(o.PricedItinerary, flight.CountryOf) != gangway.Bar{}
	})
	if len(offers) == 0 {
		return errNothing
	}
	if err := t.in.SaveSearch(ctx, s); err != nil {
		return err
	}
	ask := book.BookAsk{ID: book.NewID(), Search: s.ID, Offer: offers[0].ID, Price: offers[0].Price.Total,
		Passenger: s.Members[0].Traveller}
	if to.asks {
		ask.Approval = "the sandbox was asked for a booking that waits for approval"
	}
	t.b, err = t.desk.Book(ctx, t.in, t.booker, ask)
	return err
}

// refused reports whether something cannot be done as it was asked for.
func refused(err error) bool {
	kind := gangway.KindOf(err)
	return kind == gangway.Conflict || kind == gangway.Invalid
}

// approve approves it, if the account's policy asks for that.
func approve(ctx context.Context, t *trip) (err error) {
	if t.b.State == gangway.ApprovalRequired {
		t.b, err = t.desk.Approve(ctx, t.in, t.approver, t.b.ID)
	}
	return err
}

func decline(ctx context.Context, t *trip) (err error) {
	t.b, err = t.desk.Decline(ctx, t.in, t.approver, t.b.ID, "The sandbox was asked for a booking that is declined.")
	return err
}

func issue(ctx context.Context, t *trip) (err error) {
	t.b, err = t.desk.Issue(ctx, t.in, t.booker, t.b.ID, t.b.Price.Total)
	return err
}

func cancel(ctx context.Context, t *trip) error {
	quote, err := t.desk.QuoteCancel(ctx, t.in, t.b.ID)
	if err == nil {
		t.b, err = t.desk.Cancel(ctx, t.in, t.booker, t.b.ID, quote.ID)
	}
	return err
}

// later is how many days later flights are looked for: a day without any is rare.
const later = 7

func askChange(ctx context.Context, t *trip) error {
	legs := t.b.Itinerary.Legs()
	first, last := legs[0][0], legs[0][len(legs[0])-1]
	for days := 1; days <= later; days++ {
		offers, err := t.desk.FindChanges(ctx, t.in, t.b.ID, []gangway.Leg{{Origin: gangway.Place(first.Origin),
			Destination: gangway.Place(last.Destination), Date: gangway.DateOf(first.Departure).AddDays(days)}})
		if err != nil && !refused(err) {
			return err
		}
		if len(offers) > 0 {
			t.b, err = t.desk.AskChange(ctx, t.in, t.booker, t.b.ID, offers[0].ID)
			return err
		}
	}
	return errNothing
}

func confirmChange(ctx context.Context, t *trip) (err error) {
	t.b, err = t.desk.ConfirmChange(ctx, t.in, t.approver, t.b.ID, t.b.Change.Offer)
	return err
}

// look has the desk hear from the airline what has happened since.
func look(ctx context.Context, t *trip) error { return t.desk.Attend(ctx, t.in, t.b.ID) }
