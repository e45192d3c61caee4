package main

import (
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

type outletParked struct {
	outletArg
}

// A parkedAction is an action that Gangway has stopped delivering by itself.
type parkedAction struct {
	Booking  string    `json:"booking"`
	Action   int       `json:"action"`
	Attempts int       `json:"attempts"`
	Last     time.Time `json:"last"`
	Status   int       `json:"status,omitzero"`
	Answer   string    `json:"answer"`
	ID       string    `json:"webhook_id"` // that it was tried with last
}

// Run prints what was tried for three days and never accepted.
func (c *outletParked) Run(t *terminal) error {
	in, o, err := c.outlet(t)
	if err != nil {
		return err
	}
	parked, err := in.Parked(t.ctx, o.ID)
	if err != nil {
		return err
	}
	if len(parked) > store.DeliveriesListed {
		parked = parked[:store.DeliveriesListed]
		fmt.Fprintf(t.err, "gangway: warning: more than %d actions are parked; these are the oldest\n", len(parked))
	}
	list, rows := []parkedAction{}, [][]any{{"BOOKING", "ACTION", "ATTEMPTS", "LAST", "ANSWER"}}
	for _, p := range parked {
		list = append(list, parkedAction{p.Booking, p.Seq, p.Place.Tries, p.Last.At, p.Last.Status, p.Last.Answer,
			p.ID})
		rows = append(rows, []any{p.Booking, p.Seq, p.Place.Tries, p.Last.At.Format(time.RFC3339),
			answerWords(p.Last.Status, p.Last.Answer)})
	}
	return c.printList(t, list, rows)
}

// answerWords describes the outcome of a delivery attempt, in a line that says what is wrong and what to do about
// it. Nothing but letters of what a customer's system answers reaches the terminal.
func answerWords(status int, text string) string {
	answer, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if status > 0 {
		answer = strings.TrimSpace(fmt.Sprintf("%d %s", status, answer))
	}
	if status >= 300 && status <= 399 {
		answer += " (redirects are not followed)"
	}
	return gangway.Shortened(printable(strings.TrimSpace(answer)), longestAnswer)
}

// longestAnswer is how many letters of an answer a line has room for. Our own reasons are shorter.
const longestAnswer = 400

type outletReplay struct {
	outletArg
	Booking string `placeholder:"LOCATOR" help:"One booking's action, also one that was delivered. Or its identifier."`
	Action  int    `placeholder:"N" help:"With --booking: which of its actions, counted from 1."`
	From    string `placeholder:"TIME" help:"All from this instant on, also what was delivered: 2026-11-22T09:00:00Z."`
	To      string `placeholder:"TIME" help:"With --from: before this instant."`
}

func (c *outletReplay) check() error {
	switch {
	case c.Action < 0:
		return wrongUsage("--action is a number from 1")
	case (c.Booking == "") != (c.Action == 0):
		return wrongUsage("--booking and --action go together")
	case c.From != "" && c.To == "":
		return wrongUsage("--to is missing: the instant before which what is delivered again was made")
	case c.From == "" && c.To != "":
		return wrongUsage("--from is missing: the instant from which on what is delivered again was made")
	case c.Booking != "" && c.From != "":
		return wrongUsage("--booking and --from are two things to deliver again: one at a time")
	}
	return nil
}

// replayedActions is the answer of outlet replay.
type replayedActions struct {
	Replayed int `json:"replayed"`
}

// Run delivers again everything parked, one action, or those of a span of time.
func (c *outletReplay) Run(t *terminal) error {
	from, err := readInstant("--from", c.From)
	if err != nil {
		return err
	}
	to, err := readInstant("--to", c.To)
	if err != nil {
		return err
	}
	if !from.Before(to) && c.From != "" {
		return wrongUsage("--to must be later than --from")
	}
	in, o, err := c.outlet(t)
	if err != nil {
		return err
	}
	n := 1
	switch {
	case c.From != "":
		n, err = in.ReplaySpan(t.ctx, t.actor(), o.ID, from, to, t.now())
	case c.Booking != "":
		err = c.one(t, in, o)
	default:
		n, err = in.ReplayAll(t.ctx, t.actor(), o.ID, t.now())
	}
	if err != nil {
		return err
	}
	what := fmt.Sprintf("%d actions are delivered again", n)
	if n == 1 {
		what = "1 action is delivered again"
	}
	if n == 0 && c.From != "" && from.Before(o.CreatedAt) {
		what += ": outlet " + o.Name + " has existed since " + o.CreatedAt.UTC().Format(time.RFC3339) +
			", and gets no older action"
	}
	if from := o.SentFrom(t.now()); from != "" && n > 0 {
		what += ", " + from
	}
	return c.print(t, replayedActions{n}, what+".\n")
}

// one delivers one action again. Its error says why that cannot be.
func (c *outletReplay) one(t *terminal, in store.Scoped, o gangway.Outlet) error {
	b, err := in.BookingByLocator(t.ctx, c.Booking)
	if gangway.KindOf(err) == gangway.NotFound {
		b, err = in.Booking(t.ctx, c.Booking)
	}
	if gangway.KindOf(err) == gangway.NotFound {
		return gangway.Errorf(gangway.NotFound, "there is no booking %q", c.Booking)
	}
	if err != nil {
		return err
	}
	err = in.Replay(t.ctx, t.actor(), o.ID, b.ID, c.Action, "", t.now())
	if gangway.KindOf(err) != gangway.NotFound {
		return err
	}
	switch d, gone := in.Delivery(t.ctx, o.Name, b.ID, c.Action); {
	case gangway.KindOf(gone) == gangway.NotFound:
		return gangway.Errorf(gangway.NotFound, "outlet %s never had action %d of booking %s", o.Name, c.Action,
			b.Locator)
	case gone == nil && d.State == "due":
		return gangway.Errorf(gangway.Conflict, "action %d of booking %s waits at outlet %s as it is", c.Action,
			b.Locator, o.Name)
	}
	return err
}
