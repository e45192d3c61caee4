package gangway

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A ConditionState is how an outlet or a feed is doing. Pages, commands, mails and figures print it and decide nothing.
type ConditionState string

// The states. Those of an outlet are in the order in which admins look at them.
const (
	IsOff           ConditionState = "off"
	IsUntested      ConditionState = "untested" // a copy
	IsFailing       ConditionState = "failing"
	IsPausedFailing ConditionState = "paused-failing"
	IsBehind        ConditionState = "behind"   // it accepts others, and something has waited too long
	IsRefusing      ConditionState = "refusing" // it accepts others, and not all
	IsParked        ConditionState = "parked"
	IsPaused        ConditionState = "paused"
	IsNew           ConditionState = "new" // nothing was sent or fetched yet
	IsOn            ConditionState = "on"

	IsAsked      ConditionState = "asked"       // a feed that is asked while somebody waits
	IsAllRefused ConditionState = "all-refused" // a feed whose last run stored nothing of what it brought
)

// A Condition says how an outlet or a feed is doing, and what to do about it.
type Condition struct {
	State  ConditionState
	Words  string    // the state in a few words
	Sign   string    // how it looks: "good", "watch", "act" or "info"
	Since  time.Time // since when it fails; zero: it does not
	Why    string    // a sentence; empty: the state says it, or Failures do
	At     time.Time // when what Why tells was answered; zero: it tells of no try
	Before string    // what somebody has done since then, such as "it was resumed"; empty: nothing
	ToDo   string    // a sentence or two

	Held     time.Time // nothing is sent before then; zero: that is not so
	Next     time.Time // when what waits is tried next; zero: now, or nobody knows
	Together bool      // it goes in one document then

	Waiting       int       // deliveries; CountedDeliveries + 1: more than that
	Oldest        time.Time // when the oldest of these was made
	Parked        int       // deliveries, counted as Waiting
	Resting       int       // queues that wait for their next try after they were refused
	OldestResting time.Time // when the oldest delivery of these was made

	One    bool // what fails is one booking, and nothing else was sent since
	Unmade bool // nothing can be made of the records

	Latest   *OutletFailure  // what was answered last to what was not accepted; nil: there is none
	Failures []OutletFailure // some of what is refused while others are accepted, the latest first
	More     int             // how many are not among Failures
}

// CountedDeliveries is up to how many deliveries are counted: what is told of an outlet costs the same however much
// waits there.
const CountedDeliveries = 10_000

// An OutletFailure is a try at an outlet that came to nothing.
type OutletFailure struct {
	Booking, Locator string // empty of an outlet that fails as a whole
	Action           int
	Parked           bool

	At     time.Time
	Status int    // as in HTTP; 0: there was no answer
	Answer string // the beginning of it, or why there was none
	Why    string // a sentence
	Mend   string // how it is mended, where no page can; empty: nobody knows, or it is plain
	Unmade bool   // nothing could be made of the record
	Before string // as of Condition
}

// Said is the beginning of what was answered, up to so many letters; empty: nothing was.
func (f OutletFailure) Said(most int) string {
	if f.Status == 0 {
		return ""
	}
	return Shortened(strings.TrimSpace(Legible(f.Answer)), most)
}

// OutletFacts are what is known of an outlet beside itself, as ConditionOf needs it.
type OutletFacts struct {
	Waiting, Parked, Resting    int // as in Condition
	Oldest, OldestResting, Next time.Time

	Sent bool // something was accepted, or waits

	Tries   []OutletTry     // of an outlet with FailingSince, the latest, newest first
	Last    OutletFailure   // the latest failure since then
	Refused []OutletFailure // some of what waits or is parked after it was not accepted
}

// ConditionOf says how an outlet is doing. It is the only place that decides it.
//
// Decided: docs/choices.md, "When an outlet is failing".
func ConditionOf(o Outlet, f OutletFacts, now time.Time) Condition {
	c := Condition{Waiting: f.Waiting, Oldest: f.Oldest, Parked: f.Parked, Resting: f.Resting,
		OldestResting: f.OldestResting}
	// What held it asks for time for everything.
	fails := !o.FailingSince.IsZero() && (o.HeldUntil.After(now) || !refusesSome(f.Tries, now))
	c.State = stateOf(o, f, fails, now)
	c.Sign, c.Words, c.Why, c.ToDo = outletStates[c.State].sign, outletStates[c.State].words,
		outletStates[c.State].why, outletStates[c.State].toDo
	switch c.State {
	case IsOff, IsUntested:
		c.Why, c.At = Sentence(o.OffReason), f.Last.At
	case IsFailing, IsPausedFailing:
		c.ofFailure(o, f, now)
	case IsBehind, IsRefusing, IsParked:
		c.name(o, f)
	case IsPaused:
		c.Failures, c.More = f.Refused, max(0, f.Resting+f.Parked-len(f.Refused))
	}
	switch c.State {
	case IsRefusing:
		c.Words = "on, but " + refusedWords(f.Resting)
	case IsParked:
		c.Words = "on, but " + ParkedWords(f.Parked)
	}
	switch {
	case fails && !f.Last.At.IsZero():
		c.Latest = &f.Last
	case !fails && len(f.Refused) > 0:
		c.Latest = &f.Refused[0]
	}
	c.wait(o, f, now)
	return c
}

// outletStates are the words of the states, what they mean, and what to do.
var outletStates = map[ConditionState]struct{ sign, words, why, toDo string }{
	IsOff: {"act", "switched off", "",
		"What happens meanwhile waits. It is sent once somebody switches the outlet on again."},
	IsUntested: {"watch", "off, not tested", "",
		"Send a test booking: once it is accepted, the outlet is switched on, and waiting deliveries are sent."},
	IsFailing:       {"act", "failing", "", ""},
	IsPausedFailing: {"watch", "paused, and failing", "", ""},
	IsPaused: {"watch", "paused", "",
		"What happens meanwhile waits. It is sent once somebody resumes the outlet."},
	IsBehind: {"watch", "on, but behind",
		"Some of what waits is more than an hour old, though other deliveries are accepted.", ""},
	IsRefusing: {"watch", "", "Others are accepted. What was not is tried again by itself, for three days.", ""},
	IsParked:   {"watch", "", "What is parked is not tried by itself any more. What comes later is sent as ever.", ""},
	IsNew:      {"info", "on, nothing sent yet", "", ""},
	IsOn:       {"good", "on", "", ""},
}

func stateOf(o Outlet, f OutletFacts, fails bool, now time.Time) ConditionState {
	switch {
	case o.Untested():
		return IsUntested
	case o.Off:
		return IsOff
	case o.Paused && fails:
		return IsPausedFailing
	case o.Paused:
		return IsPaused
	case fails:
		return IsFailing
	case !f.Oldest.IsZero() && now.Sub(f.Oldest) >= o.Batch+failingLong: // refused again and again
		return IsBehind
	case f.Resting > 0:
		return IsRefusing
	case f.Parked > 0:
		return IsParked
	case !f.Sent && f.Waiting == 0:
		return IsNew
	}
	return IsOn
}

// ofFailure says why an outlet fails as a whole.
func (c *Condition) ofFailure(o Outlet, f OutletFacts, now time.Time) {
	c.Since, c.Why, c.At, c.Unmade = o.FailingSince, f.Last.Why, f.Last.At, f.Last.Unmade
	c.Before = o.doneAfter(f.Last.At)
	// An outlet that answers that nothing is wanted any more says so of every booking.
	c.One = f.Resting == 1 && o.Batch == 0 && f.Last.Status != 0 && f.Last.Status != http.StatusGone &&
		!o.HeldUntil.After(now)
	if c.One && len(f.Refused) > 0 {
		c.Why = "" // which is said of the booking
		c.ToDo = "It is one booking, and nothing else was sent since: others may well be accepted."
		c.name(o, f)
		return
	}
	mended := o.Mended(f.Last)
	if !mended {
		c.ToDo = f.Last.Mend
	}
	c.sayParked(mended)
}

// name names what an outlet refuses while it accepts others, and how that is mended.
func (c *Condition) name(o Outlet, f OutletFacts) {
	c.Failures = slices.Clone(f.Refused)
	how, mended := "", false
	for i, refused := range c.Failures {
		c.Failures[i].Before = o.doneAfter(refused.At)
		if o.Mended(refused) {
			mended = true
		} else if !strings.Contains(how, refused.Mend) {
			how = refused.Mend + " " + how
		}
	}
	c.ToDo = strings.TrimSpace(how + c.ToDo)
	c.sayParked(mended && how == "")
	c.More = max(0, f.Resting+f.Parked-len(f.Refused))
	if len(f.Refused) == 0 && c.ToDo == "" { // bookings that go together are not named
		c.ToDo = "What was answered is among the outlet's tries."
	}
}

// sayParked says what to do about what is parked; mended: what it failed on was changed since.
func (c *Condition) sayParked(mended bool) {
	words := "Once the reason is mended, somebody has to deliver again what is parked."
	if mended {
		words = "The outlet was changed since: deliver again what is parked."
	}
	if c.Parked > 0 {
		c.ToDo = strings.TrimSpace(c.ToDo + " " + words)
	}
}

// wait says until when nothing is tried.
func (c *Condition) wait(o Outlet, f OutletFacts, now time.Time) {
	if o.HeldUntil.After(now) {
		c.Held = o.HeldUntil
	}
	switch wait := o.Waits(now); {
	case !wait.Until.IsZero() && f.Waiting > 0:
		c.Next = wait.Until
	case wait == Wait{} && f.Next.After(now):
		c.Next, c.Together = f.Next, o.Batch > 0 && f.Resting == 0
	}
}

// doneAfter says what somebody has done with an outlet since a try; empty: nothing that bears on it.
func (o Outlet) doneAfter(try time.Time) string {
	switch {
	case try.IsZero():
	case o.ResumedAt.After(try) && !o.SetAt.After(o.ResumedAt):
		return "it was resumed"
	case o.SetAt.After(try):
		return "it was changed"
	}
	return ""
}

// Mended reports whether nothing could be made of a record before somebody changed the outlet.
func (o Outlet) Mended(f OutletFailure) bool { return f.Unmade && o.SetAt.After(f.At) }

func refusedWords(n int) string {
	if n == 1 {
		return "one booking was not accepted yet"
	}
	return fmt.Sprintf("%d bookings were not accepted yet", n)
}

// ParkedWords says that n deliveries are parked, or more than are counted.
func ParkedWords(n int) string {
	switch {
	case n == 1:
		return "one delivery is parked"
	case n > CountedDeliveries:
		return fmt.Sprintf("more than %d deliveries are parked", CountedDeliveries)
	}
	return fmt.Sprintf("%d deliveries are parked", n)
}

// FeedFacts are what is known of a feed beside itself.
type FeedFacts struct {
	Failing, Good time.Time // since when it fails; when it last went well; zero: neither
	Asked         bool      // it is asked while somebody waits
	Last          FeedRun   // the zero run: there was none
}

// ConditionOfFeed says how a feed is doing. It is the only place that decides it.
func ConditionOfFeed(f Feed, known FeedFacts) Condition {
	switch {
	case f.Off:
		return Condition{State: IsOff, Sign: "watch", Words: "switched off"}
	case !known.Failing.IsZero():
		return Condition{State: IsFailing, Sign: "act", Words: "failing", Since: known.Failing, Why: known.Last.Error}
	case known.Asked:
		return Condition{State: IsAsked, Sign: "info", Words: "asked when needed"}
	case known.Good.IsZero() && f.ByHand():
		return Condition{State: IsNew, Sign: "info", Words: "no document yet"}
	case known.Good.IsZero():
		return Condition{State: IsNew, Sign: "info", Words: "not fetched yet"}
	case !known.Last.Failed() && known.Last.AllRefused():
		return Condition{State: IsAllRefused, Sign: "watch", Words: "all was refused that came last"}
	}
	return Condition{State: IsOn, Sign: "good", Words: "fine"}
}

// Failing reports whether the condition is that of an outlet or a feed that fails.
func (c Condition) Failing() bool { return c.State == IsFailing || c.State == IsPausedFailing }
