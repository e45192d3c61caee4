package book

import (
	"context"
	"encoding/json"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// An Act is something that can be done to many bookings at once.
type Act string

// The acts.
const (
	ActIssue   Act = "issue"   // pay, and have tickets issued
	ActRelease Act = "release" // give up seats for which nothing was paid
	ActCancel  Act = "cancel"  // cancel, for whatever that brings back
	ActAgain   Act = "again"   // hold the seats of one that is over again
)

// ActTerms are the money and the rule of an act.
type ActTerms = gangway.ActTerms

// sameTerms reports whether a says what b says, also after either was stored.
func sameTerms(a, b ActTerms) bool {
	x, err := json.Marshal(a)
	y, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && string(x) == string(y)
}

// An ActQuote is what an act on a booking costs or brings now.
type ActQuote struct {
	ActTerms
	Until time.Time // until when that holds; zero: not known
	id    string    // the supplier's
}

// An ActAsk is a request for an act on a booking, on terms that a person was shown.
type ActAsk struct {
	ID      string   `json:"id"` // of its intent: what is asked for twice is done once
	Act     Act      `json:"act"`
	Booking string   `json:"booking"`
	Terms   ActTerms `json:"terms"`
}

// QuoteActs quotes an act on many bookings, several side by side. It calls quoted for each as soon
// as its answer is known, never twice at once, and returns after the last. A booking on which by
// cannot act, or not together with others, has an error that says why.
func (d *Desk) QuoteActs(ctx context.Context, in store.Scoped, by gangway.User, act Act, list []gangway.Booking,
	quoted func(i int, q ActQuote, err error)) error {
	plans, err := PlansOf(ctx, in, list)
	if err != nil {
		return err
	}
	misfits := make([]string, len(list)) // plans are asked before, since they remember roads as they are asked
	for i, b := range list {
		misfits[i] = plans.Misfit(b)
	}
	sideBySide(d, "quote one of many", len(list), func(i int) (ActQuote, error) {
		return d.quoteAct(ctx, in, by, act, list[i], misfits[i])
	}, quoted)
	return nil
}

func (d *Desk) quoteAct(ctx context.Context, in store.Scoped, by gangway.User, act Act, b gangway.Booking,
	misfit string) (ActQuote, error) {
	if b.Supplier == flight.Elsewhere {
		return ActQuote{}, gangway.Errorf(gangway.Conflict, "it was made elsewhere: act on its own page")
	}
	switch act {
	case ActIssue:
		return d.quoteIssue(ctx, in, by, b, misfit)
	case ActRelease:
		if b.Ticketed() {
			return ActQuote{}, gangway.Errorf(gangway.Conflict, "it has tickets: cancel it")
		}
	case ActAgain:
		again, err := d.FindAgain(ctx, in, b.ID)
		if err == nil && again.Misfit != "" {
			err = doesNotFit(again.Misfit)
		} else if err == nil && again.Unmet != (gangway.FareRule{}) {
			err = &FareError{again.Unmet}
		}
		return ActQuote{id: again.Offer.ID, Until: again.Offer.Expires, ActTerms: ActTerms{
			Amount: again.Offer.Price.Total, Fare: again.Offer.Terms}}, err
	case ActCancel:
	default:
		return ActQuote{}, gangway.Errorf(gangway.Invalid, "choose what to do with the bookings")
	}
	cancel, err := d.QuoteCancel(ctx, in, b.ID)
	if err == nil && act == ActRelease && (!cancel.Refund.IsZero() || cancel.Unknown) {
		err = gangway.Errorf(gangway.Conflict, "money comes back for it: cancel it")
	}
	return ActQuote{id: cancel.ID, Until: cancel.Expires, ActTerms: ActTerms{Amount: cancel.Refund,
		Unknown: cancel.Unknown, Void: cancel.Void, Rule: cancel.Rule}}, err
}

func doesNotFit(words string) error {
	return gangway.Errorf(gangway.Conflict, "it does not fit the plan: %s", words)
}

// quoteIssue quotes the tickets of a booking. One that does not fit the plan is issued on its own
// page only, which says so.
func (d *Desk) quoteIssue(ctx context.Context, in store.Scoped, by gangway.User, b gangway.Booking,
	misfit string) (ActQuote, error) {
	if b.State == gangway.ApprovalRequired {
		return ActQuote{}, gangway.Errorf(gangway.Conflict, "it waits for an approver")
	}
	if trial := b; !b.Can(gangway.Issue) {
		_, err := trial.Move(gangway.Issue, by.Email, d.now(in))
		return ActQuote{}, err
	}
	if misfit != "" {
		return ActQuote{}, doesNotFit(misfit)
	}
	price, err := d.PriceToIssue(ctx, in, b)
	if err == nil {
		err = d.mayIssueAt(ctx, in, by, b, price.Total)
	}
	until := b.PriceGood()
	if b.PriceEnded(d.now(in)) {
		until = b.HoldUntil
	}
	return ActQuote{Until: until, ActTerms: ActTerms{Amount: price.Total, Fare: b.Terms}}, err
}

// Act does what was asked for to a booking, if its terms are still those that were shown. Asked for
// twice under one identifier, it is done once, and the second answer is that to the first.
//
// Conflict: the terms differ now, or the booking or its supplier does not allow it. Denied: by may
// not. Unavailable: the airline has not answered yet.
func (d *Desk) Act(ctx context.Context, in store.Scoped, by gangway.User, ask ActAsk) (gangway.Booking, error) {
	if _, err := in.Intent(ctx, ask.ID); gangway.KindOf(err) != gangway.NotFound {
		return d.repeated(ctx, in, ask.ID, err)
	}
	b, err := in.Booking(ctx, ask.Booking)
	if err != nil {
		return b, err
	}
	plans, err := PlansOf(ctx, in, []gangway.Booking{b})
	if err != nil {
		return b, err
	}
	quote, err := d.quoteAct(ctx, in, by, ask.Act, b, plans.Misfit(b))
	if err != nil {
		return b, err
	}
	if !sameTerms(quote.ActTerms, ask.Terms) {
		return b, ask.differs(quote.ActTerms)
	}
	switch ask.Act {
	case ActIssue:
		b, err = d.issue(ctx, in, by, ask.ID, b.ID, quote.Amount)
	case ActAgain:
		b, err = d.HoldAgain(ctx, in, by, BookAsk{ID: ask.ID, Again: b.ID, Offer: quote.id, Price: quote.Amount})
	default:
		b, err = d.cancel(ctx, in, by, ask.ID, b.ID, quote.id, "")
	}
	if gangway.KindOf(err) == gangway.Conflict { // perhaps another process has begun it under the same identifier
		return d.repeated(ctx, in, ask.ID, err)
	}
	return b, err
}

// differs says how the terms of an act are not those that were shown.
func (ask ActAsk) differs(now ActTerms) error {
	does, priced := "brings back", ask.Act == ActIssue || ask.Act == ActAgain
	if priced {
		does = "costs"
	}
	switch shown := ask.Terms; {
	case now.Unknown != shown.Unknown:
		return gangway.Errorf(gangway.Conflict, "what comes back is not what was shown: look at it again")
	case now.Amount != shown.Amount:
		return gangway.Errorf(gangway.Conflict, "it %s %s now, not %s", does, now.Amount.Words(), shown.Amount.Words())
	case priced:
		return gangway.Errorf(gangway.Conflict, "its fare rules have changed: look at it again")
	}
	return gangway.Errorf(gangway.Conflict, "its rule is another one now: %s", now.Rule)
}
