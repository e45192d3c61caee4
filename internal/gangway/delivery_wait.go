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

// A DeliveryCondition says how far a delivery has come.
type DeliveryCondition struct {
	State string // "waiting", "parked", "delivered" or "left out": by the outlet's mapping
	Sign  string // as of Condition
	Fails bool   // it was not accepted, and is tried again by itself; at an outlet that is off or paused it only waits
	Wait  string // why it waits; empty: nothing keeps it
}

// ConditionOfDelivery says how far a delivery to o has come that is stored in a state, and was done at a time.
func ConditionOfDelivery(o Outlet, state string, done time.Time, p DeliveryPlace, now time.Time) DeliveryCondition {
	switch {
	case state == "done" && done.IsZero():
		return DeliveryCondition{State: "left out", Sign: "info"}
	case state == "done":
		return DeliveryCondition{State: "delivered", Sign: "good"}
	case state == "parked":
		return DeliveryCondition{State: "parked", Sign: "act"}
	}
	c := DeliveryCondition{State: "waiting", Sign: "info", Fails: p.Tries > 0 && !o.Off && !o.Paused,
		Wait: o.deliveryWaits(p, now).String()}
	if c.Fails {
		c.Sign = "watch"
	}
	return c
}

// deliveryWaits says why a delivery to o waits.
func (o Outlet) deliveryWaits(p DeliveryPlace, now time.Time) Wait {
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
