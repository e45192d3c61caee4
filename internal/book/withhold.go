package book

import (
	"context"
	"errors"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// withheld starts the sentence about a booking that is not issued automatically
// because it does not fit the plan, or its price has ended or risen.
const withheld = "Not issued automatically: "

// planCheck is how often, at most, a booking that is not issued because of the
// plan is compared with it again once its time has come. Before that, each change
// of the plan triggers a check.
const planCheck = 15 * time.Minute

// utc is the format of instants in sentences.
const utc = "Mon 2 Jan 15:04 UTC"

// withhold keeps a booking from being issued automatically if it does not fit
// today's plan, and asks for a person, however early that is. It does the same for
// a booking whose price has ended, which only a person may issue. It reports
// whether it did; then it has scheduled the next check. A booking that fits again
// no longer needs that person.
//
// Decided: docs/choices.md, "When does `system` issue?".
func (d *Desk) withhold(ctx context.Context, in store.Scoped, b gangway.Booking) (_ gangway.Booking, kept bool,
	_ error) {
	now := d.now(in)
	plans, err := PlansOf(ctx, in, []gangway.Booking{b})
	if err != nil {
		return b, true, errors.Join(err, in.LookAgain(context.WithoutCancel(ctx), b, now.Add(retake)))
	}
	why := ""
	words := plans.Misfit(b)
	if j := plans.Judge(b, now); words == "" && !j.MayIssue() {
		words = standsOtherwise(j)
	}
	if words == "" && b.ReplacedBy != "" {
		if words, err = d.isReplaced(ctx, in, b); err != nil {
			return b, true, errors.Join(err, in.LookAgain(context.WithoutCancel(ctx), b, now.Add(retake)))
		}
	}
	if words != "" {
		why = withheld + words + ". " + heldWords(b)
	} else if !b.MayIssueItself(now) {
		why = withheld + "its price was good until " + b.PriceGood().UTC().Format(utc) + ". Seats are held until " +
			b.HoldUntil.UTC().Format(utc) +
			": issue it at the price of now, change it or cancel it."
	}
	next, err := d.noteWithheld(ctx, in, b, why)
	switch {
	case err != nil:
		return b, true, d.soon(ctx, in, b, err)
	case why == "":
		return next, false, nil
	}
	again := now.Add(planAgain(next, now))
	if at := next.IssuesAt(); now.Before(at) {
		again = at
	}
	return next, true, in.LookAgain(ctx, next, d.untilPair(in, next, again))
}

// standsOtherwise says why a booking that fits the plan is not issued by itself.
func standsOtherwise(j gangway.Judgement) string {
	for _, s := range []struct {
		gangway.Standing
		words string
	}{
		{gangway.NameChanged, renamedWords},
		{gangway.AirlineChanged, "the airline changed its flights, and nobody has answered"},
		{gangway.Changing, "its change is not confirmed"},
		{gangway.UnderWay, "its flights have begun"}, {gangway.Arrived, "its flights are over"},
		{gangway.BookedTwice, "the traveller is booked twice for this"},
	} {
		if j.Holds(s.Standing) {
			return s.words
		}
	}
	return "it does not fit today's plan" // what does not fit, Misfit says
}

// isReplaced says that b, which fits the plan, is not issued because another booking that takes its place has tickets.
func (d *Desk) isReplaced(ctx context.Context, in store.Scoped, b gangway.Booking) (string, error) {
	other, err := in.Booking(ctx, b.ReplacedBy)
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		return "", err
	}
	if err == nil && other.Ticketed() && other.Replaces.Open() {
		return "booking " + other.Locator + " takes its place", nil
	}
	return "", nil
}

// renamedWords say how a ticket would not be in the name of the plan.
const renamedWords = "the plan names the traveller otherwise than the booking"

// noteRise asks for a person if a booking was to be issued automatically and its
// price has risen before that.
func (d *Desk) noteRise(ctx context.Context, in store.Scoped, b gangway.Booking,
	price gangway.Money) (gangway.Booking, error) {
	if b.State != gangway.Confirmed || !b.AutoIssue {
		return b, nil
	}
	return d.noteWithheld(ctx, in, b, withheld+"the price has risen from "+b.Price.Total.Words()+" to "+price.Words()+
		". "+heldWords(b))
}

// noteWithheld records why b is not issued, or clears that if it may be.
func (d *Desk) noteWithheld(ctx context.Context, in store.Scoped, seen gangway.Booking,
	why string) (gangway.Booking, error) {
	a := seen.Attention
	if why != "" && a != nil && a.Why == why || why == "" && !saysWithheld(a) {
		return seen, nil
	}
	return in.UpdateBooking(ctx, seen.ID, "", func(b *gangway.Booking) (gangway.Action, error) {
		switch {
		case b.Version != seen.Version || !b.CheckAt.Equal(seen.CheckAt):
			return gangway.Action{}, errStale
		case why != "":
			d.raise(b, why, d.now(in))
		case saysWithheld(b.Attention):
			b.Attention = nil
		}
		return gangway.Action{}, nil
	})
}

func saysWithheld(a *gangway.Attention) bool { return a != nil && strings.HasPrefix(a.Why, withheld) }

// heldWords says how long a person can still decide, and at what price.
func heldWords(b gangway.Booking) string {
	words := "Seats are held until " + b.HoldUntil.UTC().Format(utc)
	if good := b.PriceGood(); !good.Equal(b.HoldUntil) {
		words += ", the price until " + good.UTC().Format(utc)
	}
	return words + ": issue it by hand, change it or cancel it."
}

// planAgain returns how long to wait until a withheld booking is compared with the
// plan again: shorter as the end of its price, or later of its hold, comes closer.
func planAgain(b gangway.Booking, now time.Time) time.Duration {
	if !b.MayIssueItself(now) {
		return min(max(b.HoldUntil.Sub(now), time.Minute), planCheck)
	}
	left := b.TicketBy.Sub(now)
	if good := b.PriceGood().Sub(now); good > 0 {
		left = min(left, good)
	}
	return min(max(left/4, time.Minute), planCheck)
}

// firstLook returns when a booking that was just made, approved or changed is
// first checked: the plan may have changed meanwhile, and a booking that is to be
// issued automatically is compared with it soon.
func firstLook(b gangway.Booking, now time.Time) time.Time {
	if b.PairMoves() && b.State != gangway.ApprovalRequired && b.State != gangway.ChangePending {
		return now
	}
	next := b.NextCheck(now)
	if soon := now.Add(planCheck); b.State == gangway.Confirmed && !b.IssuesAt().IsZero() && soon.Before(next) {
		return soon
	}
	return next
}
