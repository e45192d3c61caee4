package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/wire"
)

// outletArg names one of an account's outlets.
type outletArg struct {
	Outlet string `arg:"" optional:"" name:"name-or-id" help:"The outlet (default, or the only one)."`
	accountFlags
}

// outlet opens the database and finds the outlet.
func (c outletArg) outlet(t *terminal) (in store.Scoped, o gangway.Outlet, err error) {
	in, _, err = c.scoped(t)
	if err != nil {
		return in, o, err
	}
	o, err = in.FindOutlet(t.ctx, c.Outlet)
	return in, o, err
}

// namedOutlet is outlet where it is not enough that one of several is called default.
func (c outletArg) namedOutlet(t *terminal) (in store.Scoped, o gangway.Outlet, err error) {
	if in, o, err = c.outlet(t); err != nil || c.Outlet != "" {
		return in, o, err
	}
	list, err := in.Outlets(t.ctx)
	if err == nil && len(list) > 1 {
		err = wrongUsage("there are several outlets: name the one that is meant")
	}
	return in, o, err
}

type outletShow struct {
	outletArg
}

// An outletState says how an outlet is doing. It stands beside what the outlet is, and outlet set passes it over.
type outletState struct {
	Outlet    string         `json:"outlet"` // its identifier
	To        string         `json:"to"`
	Off       bool           `json:"off"`
	Reason    string         `json:"reason,omitzero"`
	CreatedAt time.Time      `json:"created_at"`
	Failing   time.Time      `json:"failing_since,omitzero"`
	Held      time.Time      `json:"held_until,omitzero"` // as its system asked, or its mapping rests
	Next      time.Time      `json:"next_try,omitzero"`
	LastError *deliveryError `json:"last_error,omitzero"`
	Waiting   int            `json:"waiting"`
	Oldest    time.Time      `json:"oldest_waiting,omitzero"`
	Parked    int            `json:"parked"`
}

// Run shows the outlet as outlet set --file takes it, without its secrets, and how it is doing.
func (c *outletShow) Run(t *terminal) error {
	in, o, err := c.outlet(t)
	if err != nil {
		return err
	}
	is, err := deliver.Condition(t.ctx, in, o, t.now())
	if err != nil {
		return err
	}
	last, lastWords := lastError(is)
	state := outletState{Outlet: o.ID, To: o.Address(), Off: o.Off, Reason: o.OffReason, CreatedAt: o.CreatedAt,
		Failing: o.FailingSince, Held: is.Held, Next: is.Next, Waiting: is.Waiting, Oldest: is.Oldest,
		Parked: is.Parked, LastError: last}
	if c.JSON {
		return printJSON(t.out, wire.Outlet(o, state))
	}
	var text bytes.Buffer
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	line := func(what string, value any) { fmt.Fprintf(table, "%s\t%v\n", what, value) }
	line("outlet", fmt.Sprintf("%s (%s)", o.Name, o.ID))
	line("state", conditionWords(is))
	line("transport", o.Transport.Kind)
	for _, s := range shownSettings(o.Transport) {
		line("  "+s[0], s[1])
	}
	line("states", cmp.Or(listWords(o.States), "all"))
	line("mapping", cmp.Or(strings.ReplaceAll(strings.TrimSpace(o.Mapping), "\n", "\n\t"),
		"none: the record as the interface has it"))
	line("format", o.Format)
	if o.Batch > 0 {
		line("batch", wire.Interval(o.Batch))
	}
	line("actions since", agoWords(o.CreatedAt))
	line("waiting", is.Waiting)
	if !is.Oldest.IsZero() {
		line("oldest made", agoWords(is.Oldest))
	}
	if !state.Next.IsZero() {
		line("next try", state.Next.Format(time.RFC3339))
	}
	line("parked", is.Parked)
	if last != nil {
		line("last error", lastWords)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = t.out.Write(text.Bytes())
	return err
}

// conditionWords says in a line how an outlet or a feed is doing.
func conditionWords(c gangway.Condition) string {
	words := c.Words
	if !c.Since.IsZero() {
		words += " since " + c.Since.Format(time.RFC3339)
	}
	if c.Why != "" && (c.State == gangway.IsOff || c.State == gangway.IsFailing && c.Latest == nil) {
		words += ": " + printable(c.Why)
	}
	if !c.Held.IsZero() {
		words += ", nothing is sent there until " + c.Held.UTC().Format(time.RFC3339)
	}
	return words
}

type outletDelete struct {
	outletArg
	Discard bool `help:"Also if deliveries wait there or are parked: they are lost, but actions can still be pulled."`
}

// A deletedOutlet is the answer of outlet delete.
type deletedOutlet struct {
	Deleted   string `json:"deleted"`   // its identifier
	Discarded int    `json:"discarded"` // how many actions waited or were parked there
}

// Run deletes the outlet, and says what went with it.
func (c *outletDelete) Run(t *terminal) error {
	in, o, err := c.namedOutlet(t)
	if err != nil {
		return err
	}
	lost, err := in.DeleteOutlet(t.ctx, t.actor(), o.ID, c.Discard, t.now())
	if gangway.KindOf(err) == gangway.Conflict {
		return gangway.Errorf(gangway.Conflict, "%v: --discard deletes it all the same", err)
	}
	if err != nil {
		return err
	}
	deleted := deletedOutlet{o.ID, lost.Waiting + lost.Parked}
	with := "nothing waited there"
	if n := deleted.Discarded; n > 0 {
		with = countOf(n, "waiting or parked action") + " will not be delivered there"
	}
	return c.print(t, deleted, fmt.Sprintf("Outlet %s was deleted; %s. What was delivered there stays in the history, "+
		"what was answered does not.\n", o.Name, with))
}

type outletPause struct{ outletArg }

// Run pauses the outlet.
func (c *outletPause) Run(t *terminal) error {
	return c.steer(t, store.Scoped.PauseOutlet, true, "is paused: what happens waits until outlet resume")
}

type outletResume struct{ outletArg }

// Run lets the outlet go on, and tries what waits there.
func (c *outletResume) Run(t *terminal) error {
	return c.steer(t, store.Scoped.ResumeOutlet, false, "resumed; waiting deliveries are being sent")
}

// A steeredOutlet is the answer of outlet pause and outlet resume.
type steeredOutlet struct {
	Outlet string `json:"outlet"`
	Paused bool   `json:"paused"`
}

func (c outletArg) steer(t *terminal, steer func(store.Scoped, context.Context, gangway.Actor, string, time.Time) error,
	paused bool, words string) error {
	in, o, err := c.outlet(t)
	if err != nil {
		return err
	}
	if err := steer(in, t.ctx, t.actor(), o.Name, t.now()); err != nil {
		return err
	}
	return c.print(t, steeredOutlet{o.ID, paused}, fmt.Sprintf("Outlet %s %s.\n", o.Name, words))
}

type outletAttempts struct {
	outletArg
	Limit int `default:"100" help:"How many, at most 1000 (${default})."`
}

func (c *outletAttempts) check() error {
	if c.Limit < 1 || c.Limit > 1000 {
		return wrongUsage("--limit is from 1 to 1000")
	}
	return nil
}

// A listedAttempt is a try to deliver an action.
type listedAttempt struct {
	At      time.Time `json:"at"`
	Booking string    `json:"booking"`
	Action  int       `json:"action"`
	Took    int64     `json:"took_ms"`
	Status  int       `json:"status,omitzero"`
	Answer  string    `json:"answer"`
	ID      string    `json:"webhook_id"` // that it had: a replay has another one
}

// Run lists the latest tries, newest first.
func (c *outletAttempts) Run(t *terminal) error {
	in, o, err := c.outlet(t)
	if err != nil {
		return err
	}
	attempts, err := in.Attempts(t.ctx, o.ID, store.AttemptPlace{}, c.Limit)
	if err != nil {
		return err
	}
	list, rows := []listedAttempt{}, [][]any{{"AT", "BOOKING", "ACTION", "WEBHOOK-ID", "TOOK", "ANSWER"}}
	for _, a := range attempts {
		list = append(list, listedAttempt{a.At, a.Booking, a.Seq, a.Took.Milliseconds(), a.Status, a.Answer,
			a.WebhookID})
		rows = append(rows, []any{a.At.Format(time.RFC3339), a.Booking, a.Seq, a.WebhookID, a.Took,
			answerWords(a.Status, a.Answer)})
	}
	return c.printList(t, list, rows)
}

type outletTest struct {
	Outlet string `arg:"" optional:"" name:"name-or-id" help:"The outlet (default, or the only one)."`
	outletFlags
	State string `default:"confirmed" placeholder:"STATE" help:"The invented booking's state (${default})."`
}

func (c *outletTest) check() error {
	if (gangway.Outlet{Name: "x", Format: gangway.JSONFormat, States: []gangway.State{gangway.State(c.State)}}).
		Check(true) != nil {
		return wrongUsage("--state is none of the states of a booking")
	}
	return nil
}

// outletTrial is the answer of outlet test.
type outletTrial struct {
	Outlet   string `json:"outlet"`
	Accepted bool   `json:"accepted"`
	LeftOut  bool   `json:"left_out,omitzero"` // by the mapping: nothing was sent
	Status   int    `json:"status,omitzero"`
	Answer   string `json:"answer"`
	Took     int64  `json:"took_ms"`
	Name     string `json:"file,omitzero"` // what it is called as a file
	Sent     string `json:"sent,omitzero"` // the body
}

// Run sends an invented booking. It fails if that is not accepted.
func (c *outletTest) Run(t *terminal) error {
	setter, err := c.setter(t)
	if err != nil {
		return err
	}
	in, o, err := outletArg{c.Outlet, c.accountFlags}.outlet(t)
	if err != nil {
		return err
	}
	trial, err := setter.TryOut(t.ctx, in, t.actor(), o.Name, gangway.State(c.State))
	if err != nil {
		return err
	}
	a := trial.Attempt
	accepted := a.Status >= 200 && a.Status <= 299
	answer := outletTrial{Outlet: o.ID, Accepted: accepted, LeftOut: trial.LeftOut, Status: a.Status,
		Answer: strings.ToValidUTF8(a.Answer, "\uFFFD"),
		Took:   a.Took.Milliseconds(), Name: trial.Sent.Name, Sent: string(trial.Sent.Body)}
	words := fmt.Sprintf("The invented booking was accepted by %s after %s: %s\n", o.Address(),
		a.Took.Round(time.Millisecond), answerWords(a.Status, a.Answer))
	if trial.SwitchedOn {
		words += "Outlet " + o.Name + " is switched on.\n"
	}
	if trial.LeftOut {
		words = "The mapping leaves the invented booking out: nothing was sent.\n"
	}
	if !accepted && !trial.LeftOut {
		words = fmt.Sprintf("An invented booking was tried at %s.\n", o.Address())
	}
	if err := c.print(t, answer, words); err != nil || accepted || trial.LeftOut {
		return err
	}
	return gangway.Errorf(gangway.Unavailable, "it was not accepted: %s", answerWords(a.Status, a.Answer))
}
