package bookings

import (
	"context"
	"errors"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A page that was open for a while may offer an action that is no longer possible because somebody
// else has acted. Whoever presses the button reads who did what, and when.

// whyNotNow says in a sentence why something was not done with b, which is the booking as it is now.
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
	at := " at " + clockOr(last.At, in.Now(room.Now()))
	if last.By == gangway.System {
		return words.itself + at + words.now, nil
	}
	return room.NameOf(ctx, last.By) + " " + words.done + at + words.now, nil
}

// whyNotDecided says which of several bookings was not decided, and why.
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

// A stateChange says how a booking came into its state: done by somebody, or automatically.
type stateChange struct{ done, itself, now string }

var stateChanges = map[gangway.State]stateChange{
	gangway.Issued: {"had the tickets issued", "The tickets were issued", "."},
	gangway.ChangePending: {"asked for other flights", "Other flights were asked for",
		": confirm or discard that change first."},
	gangway.RefundPending: {"cancelled it", "It was cancelled", "; the refund is on its way."},
	gangway.Cancelled:     {"cancelled it", "It was cancelled", "."},
	gangway.Declined:      {"declined it", "It was declined", "."},
}

// clockOr is the time of day of t, with the day unless that is today.
func clockOr(t, now time.Time) string {
	if gangway.DateOf(t.UTC()) == gangway.DateOf(now.UTC()) {
		return t.UTC().Format("15:04 UTC")
	}
	return t.UTC().Format("15:04 UTC on 2 Jan")
}
