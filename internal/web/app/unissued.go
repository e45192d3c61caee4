package app

import (
	"context"
	"net/http"
	"time"

	"gangway"
	"gangway/internal/store"
)

// What becomes of a hold that nobody issues is chosen by the button that
// holds: its seats are let go, or the system issues it.
//
// Decided: docs/choices.md, "Who issues a hold that nobody issued?".
const (
	letGo   = "let-go"
	issueIt = "issue"
)

// autoIssue reads which button was pressed. A form that was sent by none, as
// by a script, gets what the account's policy says.
func autoIssue(r *http.Request) bool {
	switch r.PostFormValue("unissued") {
	case issueIt:
		return true
	case letGo:
		return false
	}
	return settings(r.Context()).AutoIssue
}

// settings returns those of the account that is worked in.
func settings(ctx context.Context) gangway.Settings {
	v, _ := visitorOf(ctx)
	return v.Account.Settings
}

// issuesAt returns when an offer would be issued automatically if it were held
// now; the zero time when it would not.
func (a *App) issuesAt(ticketBy, priceUntil time.Time) time.Time {
	return gangway.Booking{CreatedAt: a.now(), TicketBy: ticketBy, PriceUntil: priceUntil}.IssueAt()
}

// outlook says in a sentence, without its full stop, what becomes of a booking
// by itself that has no ticket yet; nothing when that is not for the clock.
func (a *App) outlook(b gangway.Booking) string {
	if b.State != gangway.Confirmed && b.State != gangway.ApprovalRequired || b.HoldUntil.IsZero() {
		return ""
	}
	at, gone := b.IssuesAt(), "Seats are let go on "+b.HoldUntil.UTC().Format(longUTC)
	switch {
	case at.IsZero():
		return gone + " unless tickets are issued before; nothing is paid until then"
	case b.State == gangway.ApprovalRequired:
		return "Once approved, will be issued automatically on " + at.UTC().Format(longUTC) + " for " + amount(b.Price.Total) + " unless released"
	case a.now().Before(at):
		return "Will be issued automatically on " + at.UTC().Format(longUTC) + " for " + amount(b.Price.Total) + " unless released"
	case a.now().Before(b.PriceGood()):
		return "Will be issued automatically any moment for " + amount(b.Price.Total)
	}
	return "It was not issued automatically while its price stood: somebody has to decide. " + gone
}

// longUTC is how an instant is written in a sentence.
const longUTC = "Mon 2 Jan 15:04 UTC"

// chooseUnissued changes what becomes of a hold that nobody issues.
func (a *App) chooseUnissued(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := visitorOf(r.Context())
	b, err := a.desk.SetAutoIssue(r.Context(), in, v.User, r.PathValue("id"), autoIssue(r))
	return a.acted(w, r, in, b, err, a.outlook(b)+".", a.showBooking)
}
