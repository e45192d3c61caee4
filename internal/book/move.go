package book

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A Way is what is done for one person when a crew change moves.
type Way string

// The ways.
const (
	WayChange  Way = "change"  // other flights on the same ticket or hold
	WayAnew    Way = "anew"    // a new booking in place of the old one, which ends once the new one is sure
	WayHold    Way = "hold"    // a first booking
	WayRelease Way = "release" // give up seats for which nothing was paid
	WayCancel  Way = "cancel"  // void or cancel tickets
)

// A MoveAsk is one person's part, on terms that a person was shown.
type MoveAsk struct {
	ID      string   `json:"id"` // of the new booking, or of the intent on the old one
	Way     Way      `json:"way"`
	Booking string   `json:"booking,omitempty"` // that is changed or ends; empty for WayHold
	Terms   ActTerms `json:"terms"`             // of WayChange: ChangeTerms; else what ending Booking brings back
	Offer   string   `json:"offer,omitempty"`   // of WayChange: the supplier's change offer
	New     *BookAsk `json:"new,omitempty"`     // of WayAnew and WayHold; its Price is what was shown
	// why the person was not needed when that was shown, if nobody needed them: else nothing ends
	Unneeded gangway.Unneeded `json:"unneeded,omitempty"`
}

// Move does what was asked for one person, if its terms are still those that were shown. Asked for twice under one
// identifier, it is done once, and the second answer is that to the first. It returns the booking that was made or
// acted on. What needs approval waits: a new booking is then approval_required, and a change change_pending. Until the
// new booking is sure nothing happens to the one whose place it takes; what remains to be done then is done by Run.
//
// Conflict: the terms differ now, the flights do not serve today's plan or a person is needed again, or the booking or
// its supplier does not allow it. OneADayError, TwiceError,
// FareError: the booker was not told. Denied: by may not. Unavailable: the airline has not answered yet.
//
// Decided: docs/choices.md, "Changed together".
func (d *Desk) Move(ctx context.Context, in store.Scoped, by gangway.User, ask MoveAsk) (gangway.Booking, error) {
	b, err := d.moveOne(ctx, in, by, ask)
	if state := new(gangway.StateError); errors.As(err, &state) && state.State == gangway.ChangePending {
		if now, readErr := in.Booking(ctx, ask.Booking); readErr == nil && now.Change != nil {
			return b, d.isChanged(ctx, *now.Change)
		}
	}
	return b, err
}

// isChanged says who is changing a booking.
func (d *Desk) isChanged(ctx context.Context, c gangway.PendingChange) error {
	if c.ByAirline {
		return gangway.Errorf(gangway.Conflict, "the airline is changing it: answer that first")
	}
	who, err := d.person(ctx, c.AskedBy)
	if err != nil {
		return err
	}
	return gangway.Errorf(gangway.Conflict, "%s is changing it", cmp.Or(who.Name, c.AskedBy))
}

func (d *Desk) moveOne(ctx context.Context, in store.Scoped, by gangway.User, ask MoveAsk) (gangway.Booking, error) {
	if _, err := in.Intent(ctx, ask.ID); gangway.KindOf(err) != gangway.NotFound {
		return d.repeated(ctx, in, ask.ID, err)
	}
	var old gangway.Booking
	if ask.Way != WayHold {
		var err error
		if old, err = in.Booking(ctx, ask.Booking); err != nil {
			return old, err
		}
		plans, err := PlansOf(ctx, in, []gangway.Booking{old})
		if err == nil {
			err = onTheWay(plans.Judge(old, d.now(in)))
		}
		if err == nil && ask.Unneeded != "" && (plans.Of(old).Unneeded == "" || plans.Asked(old)) {
			err = gangway.Errorf(gangway.Conflict, "%s", cmp.Or(map[bool]string{true: Undecided}[plans.Asked(old)],
				"the plan was changed: "+old.Passenger.LastName+" is needed again"))
		}
		if err != nil {
			return old, err
		}
	}
	switch {
	case ask.Way == WayRelease:
		return d.Act(ctx, in, by, ActAsk{ask.ID, ActRelease, ask.Booking, ask.Terms})
	case ask.Way == WayCancel:
		return d.Act(ctx, in, by, ActAsk{ask.ID, ActCancel, ask.Booking, ask.Terms})
	case ask.Way == WayChange:
		return d.moveFlights(ctx, in, by, ask)
	case ask.New == nil || ask.Way != WayAnew && ask.Way != WayHold:
		return gangway.Booking{}, gangway.Errorf(gangway.Invalid, "choose what to do for the traveller")
	}
	anew := *ask.New
	anew.ID, anew.Moves = ask.ID, true
	if ask.Way == WayAnew {
		quote, err := d.quoteAct(ctx, in, by, EndingAct(old), old, "")
		if err = cmp.Or(old.MayBeReplaced(), err); err != nil {
			return old, err
		}
		if !sameTerms(quote.ActTerms, ask.Terms) {
			return old, ActAsk{Act: ActCancel, Terms: ask.Terms}.differs(quote.ActTerms)
		}
		back := ask.Terms.Amount
		if !old.Ticketed() {
			back = old.Price.Total
		}
		anew.Replaces = &gangway.Replacing{Booking: old.ID, Locator: old.Locator, Ticketed: old.Ticketed(),
			Terms: ask.Terms, Back: back, By: by.Email, ByID: by.ID, ByName: by.Name, At: d.now(in)}
	}
	return d.Book(ctx, in, by, anew)
}

// onTheWay returns why nothing is changed together with others for somebody who has left for the airport.
func onTheWay(j gangway.Judgement) error {
	switch j.Standing {
	case gangway.UnderWay:
		return gangway.Errorf(gangway.Conflict, "they are on the way and land at %s",
			j.Booking.Itinerary.Arrival().Format("Mon 2 Jan 15:04"))
	case gangway.Arrived:
		return gangway.Errorf(gangway.Conflict, "they have arrived")
	}
	return nil
}

// serves returns why b with the flights that are about to be bought is not what is planned now: the plan may not be the
// one that they were shown for.
func serves(ctx context.Context, in store.Scoped, b gangway.Booking, flights gangway.Itinerary) error {
	b.Itinerary = flights
	plans, err := PlansOf(ctx, in, []gangway.Booking{b})
	switch words, fit := plans.Misfit(b), plans.Of(b).Fit(flights); {
	case err != nil || words == "":
		return err
	case fit.OK() || fit.Unneeded != "":
		return doesNotFit(words)
	default:
		return gangway.Errorf(gangway.Conflict, "the ship was moved: %s", words)
	}
}

// replaces is the booking whose place is taken; empty: none.
func (ask BookAsk) replaces() string {
	if ask.Replaces == nil {
		return ""
	}
	return ask.Replaces.Booking
}

// moveFlights changes the flights of a booking for what was shown. If somebody else has to agree to the price, the
// change waits for that.
func (d *Desk) moveFlights(ctx context.Context, in store.Scoped, by gangway.User,
	ask MoveAsk) (gangway.Booking, error) {
	b, err := in.Booking(ctx, ask.Booking)
	if err != nil {
		return b, err
	}
	if b.State != gangway.ChangePending || b.Change == nil || b.Change.Offer != ask.Offer { // else it was chosen before
		o, err := d.PriceChange(ctx, in, b.ID, ask.Offer)
		if err != nil {
			return b, err
		}
		if now := ChangeTerms(b, o); !sameTerms(now, ask.Terms) {
			return b, ActAsk{Act: ActIssue, Terms: ask.Terms}.differs(now)
		}
		if err := serves(ctx, in, b, o.Itinerary); err != nil {
			return b, err
		}
		if b, err = in.UpdateBooking(ctx, b.ID, "", func(b *gangway.Booking) (gangway.Action, error) {
			return d.askChange(b, by, ask.Offer, o, "", d.now(in))
		}); err != nil {
			return b, err
		}
	} else if err := serves(ctx, in, b, b.Change.Itinerary); err != nil {
		_, given := d.abandon(ctx, in, b.ID, gangway.System, err.Error())
		return b, errors.Join(err, given)
	}
	var spend *store.Spend
	if err := d.MayConfirm(ctx, in, by, b); gangway.KindOf(err) == gangway.Denied {
		account, err := in.Account(ctx)
		if err != nil {
			return b, err
		}
		cost := ChangeCost(b, b.Change.NewPrice.Total, b.Change.Due)
		if spend = d.spendOf(account.Settings.Moves, by, b.Purpose.Change, b.ID, cost, d.now(in)); spend == nil {
			return d.awaitApproval(ctx, in, b) // until its offer ends
		}
	} else if err != nil {
		return b, err
	}
	done, err := d.confirmChange(ctx, in, by.Email, ask.ID, b.ID, ask.Offer, spend)
	switch {
	case errors.Is(err, store.ErrOverLimit):
		return d.awaitApproval(ctx, in, b)
	case gangway.KindOf(err) == gangway.Conflict: // perhaps another process has begun it under the same identifier
		return d.repeated(ctx, in, ask.ID, err)
	}
	return done, err
}

// ChangeTerms are the terms of a change.
func ChangeTerms(b gangway.Booking, o flight.ChangeOffer) ActTerms {
	return ActTerms{Amount: ChangeCost(b, o.Price.Total, o.Due), Fare: o.Terms}
}

// ChangeCost is what is due for other flights, or what a hold costs more with them.
func ChangeCost(b gangway.Booking, price, due gangway.Money) gangway.Money {
	if held := len(b.Tickets) == 0 && len(b.Payments) == 0; held && price.Currency == b.Price.Total.Currency {
		return price.Sub(b.Price.Total)
	}
	return due
}

// spendOf returns what a move at a cost spends of a limit, instead of waiting for approval; nil: the limit does not
// allow for it. of is the booking that the move changes or replaces, if any.
func (d *Desk) spendOf(l gangway.MoveLimit, by gangway.User, change, of string, cost gangway.Money,
	now time.Time) *store.Spend {
	cost.Minor = max(cost.Minor, 0)
	if change == "" || !l.Covers(cost, now) {
		return nil
	}
	return &store.Spend{Limit: l, Change: change, Of: of, Amount: cost, By: gangway.ByPerson(by, "gangway")}
}

// withinLimit is what the history says of a booking that needed no approval because of a limit.
func withinLimit(l gangway.MoveLimit) string {
	return "no approval needed: within the limit for moves that " + l.By + " approved in advance"
}

// toldOneADay returns an OneADayError if an airline may cancel one of a booking with the flights it and the one whose
// place it takes, and the booker was not told.
func (d *Desk) toldOneADay(ctx context.Context, in store.Scoped, ask BookAsk, it gangway.Itinerary) error {
	if ask.Replaces == nil {
		return nil
	}
	old, err := in.Booking(ctx, ask.Replaces.Booking)
	if err != nil {
		return err
	}
	if code := OneADay(old.Itinerary, it); code != "" && code != ask.OneADay {
		return &OneADayError{code}
	}
	return nil
}
