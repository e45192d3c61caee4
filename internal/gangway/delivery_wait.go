package gangway

import (
	"fmt"
	"time"
)

// A DeliveryPlace says where a delivery stands at its outlet.
type DeliveryPlace struct {
	Seq   int       // of its action
	Tries int       // with its webhook-id: not those before it was replayed
	First int       // of the action of the booking that goes first: Seq, unless an earlier one waits there as well
	Due   time.Time // when it, or what goes before it, is tried next; this and First only of one that waits
}

// waitTime is how a Wait writes an instant.
const waitTime = "2 Jan 15:04:05 UTC"

// A Wait is why something that is to be delivered was not delivered yet. The zero Wait: nothing keeps it, it is on its
// way.
type Wait struct {
	Why   string    // in words; with Until, words that a time follows
	Until time.Time // zero: nobody knows
}

// Waits says why what is at o waits; for all of it alike.
func (o Outlet) Waits(now time.Time) Wait {
	switch {
	case o.Off:
		return Wait{Why: "the outlet is switched off"}
	case o.Paused:
		return Wait{Why: "the outlet is paused"}
	case o.HeldUntil.After(now):
		return Wait{Why: "nothing is sent there until", Until: o.HeldUntil}
	}
	return Wait{}
}

// SentFrom says when what is delivered again goes out, as the end of a sentence; empty: at once.
func (o Outlet) SentFrom(now time.Time) string {
	switch wait := o.Waits(now); {
	case o.Off:
		return "once the outlet is switched on again"
	case o.Paused:
		return "once the outlet is resumed"
	case !wait.Until.IsZero():
		return "from " + wait.Until.UTC().Format(waitTime) + " on: " + wait.Why + " then"
	}
	return ""
}

// DeliveryFails reports whether a delivery that waits at o fails: it was tried and not accepted, and is tried again by
// itself. At an outlet that somebody has to switch on again or resume it only waits.
func (o Outlet) DeliveryFails(p DeliveryPlace) bool { return p.Tries > 0 && !o.Off && !o.Paused }

// DeliveryWaits says why a delivery to o waits.
func (o Outlet) DeliveryWaits(p DeliveryPlace, now time.Time) Wait {
	switch wait := o.Waits(now); {
	case wait != Wait{} && wait.Until.IsZero():
		return wait
	case o.Batch == 0 && p.First > 0 && p.First < p.Seq:
		return Wait{Why: fmt.Sprintf("action %d comes first", p.First)}
	case wait != Wait{}:
		return wait
	case p.Tries > 0 && p.Due.After(now):
		return Wait{Why: "it is tried again at", Until: p.Due}
	case p.Due.After(now): // what waits for a document of several
		return Wait{Why: "it goes with others at", Until: p.Due}
	}
	return Wait{}
}

// String is the reason with the time; empty for the zero Wait.
func (w Wait) String() string {
	if w.Until.IsZero() {
		return w.Why
	}
	return w.Why + " " + w.Until.UTC().Format(waitTime)
}
