package bookings

import (
	"context"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// pairWords say what becomes of a booking and of the one whose place it takes.
type pairWords struct {
	Words    string           // sentences; empty: there is nothing to say
	End      *gangway.Booking // that a person may end now, or not; nil: nobody is needed
	Old      string           // the locator of the one whose place it takes
	Approval bool             // it waits for an approver
	Moving   bool             // more happens by itself within seconds
}

// pairOf says what a booking waits for, and the one whose place it takes.
func (room *Room) pairOf(ctx context.Context, in store.Scoped, b gangway.Booking) (p pairWords, err error) {
	waits := ""
	switch c := b.Change; {
	case b.State == gangway.ApprovalRequired:
		waits = "Approval needed by " + b.HoldUntil.UTC().Format(shell.LongUTC)
	case b.State == gangway.ChangePending && c != nil && c.Approval != "":
		waits = "Approval of the change needed by " + c.Expires.UTC().Format(shell.LongUTC)
	}
	if p.Approval = waits != ""; p.Approval {
		whose, err := room.desk.Whose(ctx, in, b)
		if err != nil {
			return p, err
		}
		if len(whose) > 0 {
			waits += ", from " + strings.Join(whose, " or ")
		}
		waits += ". "
	}
	r := b.Replaces
	if r == nil {
		p.Words = strings.TrimSpace(waits)
		return p, nil
	}
	switch p.Old = r.Locator; {
	case !r.Open():
		p.Words = r.Settled
	case r.Person != "":
		end, err := room.desk.Surplus(ctx, in, b)
		if err != nil && gangway.KindOf(err) != gangway.NotFound {
			return p, err
		}
		p.Words, p.End = r.Person, &end
	case r.Ticketed:
		p.Words = waits + r.Locator + " stays live until this booking is ticketed."
	default:
		p.Words = waits + r.Locator + " stays live until this booking is held as long, or ticketed."
	}
	p.Moving = r.GoesOn() && !b.Attention.Open() &&
		(!b.Live() || b.State == gangway.Issued || b.State == gangway.Confirmed && b.PaysFirst() && b.AutoIssue)
	return p, nil
}

// replacement is the booking that takes b's place, or was to; nil: there is none.
func (room *Room) replacement(ctx context.Context, in store.Scoped, b gangway.Booking) (*gangway.Booking, error) {
	if b.ReplacedBy == "" {
		return nil, nil
	}
	by, err := in.Booking(ctx, b.ReplacedBy)
	if gangway.KindOf(err) == gangway.NotFound {
		return nil, nil
	}
	return &by, err
}
