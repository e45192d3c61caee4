package bookings

import (
	"context"
	"errors"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A page that was open for a while offers what cannot be done any more since
// somebody else has done something: whoever presses is told who did what, and when.

// whyNotNow says in a sentence why something was not done with b, as it stands now.
func (room *Room) whyNotNow(ctx context.Context, in store.Scoped, b gangway.Booking, why error) (string, error) {
	if state := new(gangway.StateError); !errors.As(why, &state) {
		return shell.SentenceOf(why), nil
	}
	actions, err := in.History(ctx, b.ID)
	if err != nil || len(actions) == 0 {
		return shell.SentenceOf(why), err
	}
	last := actions[len(actions)-1]
	words, ok := stateChanges[b.State]
	if b.State == gangway.Confirmed && b.Approval != nil && b.Previous == gangway.ApprovalRequired {
		words, ok = stateChange{"approved it", "It was approved", "."}, true
	}
	if !ok {
		return "Booking " + b.Locator + " is " + flights.StateWords(b.State) + ", so this cannot be done.", nil
	}
	at := " at " + clockOr(last.At, room.Now())
	if last.By == gangway.System {
		return words.itself + at + words.now, nil
	}
	return room.NameOf(ctx, last.By) + " " + words.done + at + words.now, nil
}

// whyNotDecided says why one of several bookings was not decided, and which.
func (room *Room) whyNotDecided(ctx context.Context, in store.Scoped, id string, why error) (string, error) {
	if state := new(gangway.StateError); !errors.As(why, &state) {
		return shell.SentenceOf(why), nil
	}
	b, err := in.Booking(ctx, id)
	if err != nil {
		return "", err
	}
	sentence, err := room.whyNotNow(ctx, in, b, why)
	return "Booking " + b.Locator + ": " + sentence, err
}

// A stateChange says how a booking has come into its state: by somebody, or by itself.
type stateChange struct{ done, itself, now string }

var stateChanges = map[gangway.State]stateChange{
	gangway.Issued: {"had the tickets issued", "The tickets were issued", "."},
	gangway.ChangePending: {"asked for other flights", "Other flights were asked for",
		": confirm that change or give it up first."},
	gangway.RefundPending: {"cancelled it", "It was cancelled", "; the refund is on its way."},
	gangway.Cancelled:     {"cancelled it", "It was cancelled", "."},
	gangway.Declined:      {"declined it", "It was declined", "."},
}

// clockOr is the time of day where t is today, and otherwise the day too.
func clockOr(t, now time.Time) string {
	if gangway.DateOf(t.UTC()) == gangway.DateOf(now.UTC()) {
		return t.UTC().Format("15:04 UTC")
	}
	return t.UTC().Format("15:04 UTC on 2 Jan")
}
