package flights

import (
	"context"
	"net/http"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// The button that holds an offer chooses what happens if nobody issues it: its seats
// are let go, or the system issues it.
//
// Decided: docs/choices.md, "Who issues a hold that nobody issued?".
const (
	letGo   = "let-go"
	issueIt = "issue"
)

// ReadAutoIssue reads which button was pressed. A form sent without a button, as by a
// script, follows the account's policy; an unknown choice is refused, because it may
// mean the opposite.
func ReadAutoIssue(r *http.Request) (bool, error) {
	if choice := r.PostFormValue("unissued"); r.PostForm.Has("unissued") {
		return ReadUnissued(choice)
	}
	return shell.Settings(r.Context()).AutoIssue, nil
}

// ReadUnissued reads what is to happen to a hold that nobody issues.
func ReadUnissued(choice string) (bool, error) {
	switch choice {
	case issueIt:
		return true, nil
	case letGo:
		return false, nil
	}
	return false, gangway.Errorf(gangway.Invalid, "choose what becomes of a booking that nobody issues: %s or %s",
		letGo, issueIt)
}

// IssuesAt returns when an offer held now would be issued automatically, or the zero
// time when it would not, because its price is not guaranteed or has ended.
func IssuesAt(now, ticketBy, priceUntil time.Time) time.Time {
	held := gangway.Booking{CreatedAt: now, TicketBy: ticketBy, PriceUntil: priceUntil}
	if held.PriceEnded(now) {
		return time.Time{}
	}
	return held.IssueAt()
}

// NextStep says in a sentence, without its full stop, what will happen to a booking
// without tickets if nobody acts, or nothing where nothing will. misfit says how the
// booking differs from the plan; it is then not issued.
func NextStep(now time.Time, b gangway.Booking, misfit string) string {
	if b.State != gangway.Confirmed && b.State != gangway.ApprovalRequired || b.HoldUntil.IsZero() {
		return ""
	}
	at, gone := b.IssuesAt(), "Released "+b.HoldUntil.UTC().Format(shell.LongUTC)+" if not ticketed"
	switch {
	case at.IsZero() && b.PriceEnded(now):
		return gone + "; issuing costs the fare of that day"
	case at.IsZero():
		return gone
	case b.PriceEnded(now) && b.State == gangway.ApprovalRequired:
		return "Will not be issued automatically: its fare guarantee has ended. Once approved, somebody must issue " +
			"it at the fare of that day. " + gone
	case b.PriceEnded(now):
		return "Not issued automatically before its fare guarantee ended: somebody must decide. " + gone +
			"; issuing costs the fare of that day"
	case misfit != "":
		return "Will not be issued automatically: " + misfit + ". If it fits the plan again, it is issued from " +
			at.UTC().Format(shell.LongUTC) + " on for " + shell.Amount(b.Price.Total) + ". " + gone
	case b.State == gangway.ApprovalRequired && b.PaysFirst():
		return "Once approved, will be issued at once for " + shell.Amount(b.Price.Total)
	case b.State == gangway.ApprovalRequired:
		return "Once approved, will be issued automatically on " + at.UTC().Format(shell.LongUTC) + " for " +
			shell.Amount(b.Price.Total) + " unless released"
	case now.Before(at):
		return "Will be issued automatically on " + at.UTC().Format(shell.LongUTC) + " for " +
			shell.Amount(b.Price.Total) + " unless released"
	}
	return "Will be issued automatically any moment for " + shell.Amount(b.Price.Total)
}

// NextStepToday is NextStep by today's plan, or nothing when the plan cannot be read.
func (room *Room) NextStepToday(ctx context.Context, in store.Scoped, b gangway.Booking) string {
	plans, err := book.PlansOf(ctx, in, []gangway.Booking{b})
	if err != nil {
		return ""
	}
	return NextStep(in.Now(room.Now()), b, plans.Misfit(b))
}
