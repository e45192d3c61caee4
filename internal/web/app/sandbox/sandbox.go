package sandbox

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/sandbox"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A sandboxPage makes things happen in a development account.
type sandboxPage struct {
	Closed string // why the account has no sandbox
	Wrong  string // why nothing was done
	Clock  time.Time
	Ahead  string    // how far that is ahead of real time; empty: it is not
	Heads  time.Time // where it is on its way to; zero: nowhere
	Was    string    // where the advance before ends: the form moves the clock from there alone

	State      string // what is filled in
	Locator    string
	Disruption string
	Forward    string
	Played     gangway.Booking // the one to which something was made happen; its ID is empty: none

	States      []stateChoice
	Disruptions []disruptionChoice
	Magics      []gangway.Magic
}

// A stateChoice is what a booking is to come to, in words.
type stateChoice struct {
	Value gangway.SandboxState
	Words string
}

// stateChoices are all of them.
func stateChoices() (list []stateChoice) {
	for _, s := range gangway.SandboxStates() {
		c := stateChoice{s, strings.ReplaceAll(string(s), "_", " ")}
		switch s {
		case gangway.Changed:
			c.Words += ": change pending, then issued"
		case gangway.Refunded:
			c.Words += ": refund pending, then cancelled"
		}
		list = append(list, c)
	}
	return list
}

// A disruptionChoice is a disruption in words.
type disruptionChoice struct {
	Value gangway.Disruption
	Words string
}

var disruptionChoices = []disruptionChoice{
	{gangway.FlightCancelled, "Cancel a flight"},
	{gangway.FlightDelayed, "Delay a flight by 90 minutes"},
	{gangway.FlightRetimed, "Move a flight to two hours later"},
}

// Sandbox shows what can be done, and the account's clock.
func (room *Room) Sandbox(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := sandboxPage{State: cmp.Or(r.FormValue("state"), string(gangway.Issued)), Forward: "26h"}
	if id := r.FormValue("booking"); id != "" {
		b, err := in.Booking(r.Context(), id)
		if err != nil {
			return err
		}
		p.Played, p.Locator = b, b.Locator
	}
	return room.showSandbox(w, r, p, http.StatusOK)
}

func (room *Room) showSandbox(w http.ResponseWriter, r *http.Request, p sandboxPage, status int) error {
	v, _ := shell.VisitorOf(r.Context())
	if err := v.Account.AdmitsSandbox(); err != nil {
		p.Closed = shell.SentenceOf(err)
	}
	p.Clock = v.Account.Scope().Now(room.Now())
	if v.Account.Ahead > 0 {
		p.Ahead = v.Account.AheadWords()
	}
	if to := v.Account.ForwardFrom(); to > v.Account.Ahead {
		p.Heads = room.Now().Add(to)
	}
	p.Was = v.Account.ForwardFrom().String()
	p.States, p.Disruptions, p.Magics = stateChoices(), disruptionChoices, gangway.Magics
	return room.Show(w, r, shell.Page{Template: "sandbox", Section: "settings", Title: "Settings › Sandbox",
		Answer: "Makes bookings happen, so that your system can be tried without a booker.", Status: status, Data: p})
}

// SendSandbox books an invented journey and brings it to a state.
func (room *Room) SendSandbox(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	p := sandboxPage{State: r.PostFormValue("state"), Forward: "26h"}
	sent, err := room.sandbox.Send(r.Context(), in, room.Actor(r), &v.User, gangway.SandboxState(p.State))
	if err != nil {
		return room.refuseSandbox(w, r, p, err)
	}
	return room.played(w, r, sent, "", url.Values{"state": {p.State}})
}

// DisruptSandbox has an airline disrupt a flight of a booking.
func (room *Room) DisruptSandbox(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := sandboxPage{Locator: strings.TrimSpace(r.PostFormValue("booking")), Disruption: r.PostFormValue("disruption"),
		State: string(gangway.Issued), Forward: "26h"}
	done, err := room.sandbox.Disrupt(r.Context(), in, room.Actor(r), p.Locator, gangway.Disruption(p.Disruption))
	if err != nil {
		return room.refuseSandbox(w, r, p, err)
	}
	return room.played(w, r, done, "the airline was told; nothing has come of it yet", url.Values{})
}

// AdvanceSandbox moves the account's clock forward, unless that was done since the page was shown: a form that is sent
// twice does it once, and the clock arrives though nobody waits for the answer to the first.
func (room *Room) AdvanceSandbox(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := sandboxPage{State: string(gangway.Issued), Forward: strings.TrimSpace(r.PostFormValue("by"))}
	by, err := gangway.ParseForward(p.Forward)
	if err != nil {
		return room.refuseSandbox(w, r, p, err)
	}
	ctx, was, twice := context.WithoutCancel(r.Context()), r.PostFormValue("was"), false
	done, err := room.sandbox.Advance(ctx, in, room.Actor(r), by, was)
	if gangway.KindOf(err) == gangway.Conflict {
		var failed error
		if twice, failed = room.advanced(r, by, was); failed != nil {
			return failed
		}
	}
	if twice {
		done, err = room.sandbox.Arrive(ctx, in)
	}
	if err != nil {
		return room.refuseSandbox(w, r, p, err)
	}
	said := "The account's clock says " + done.Clock.UTC().Format(shell.FullUTC) + "."
	if twice {
		said += " This form was sent before, and sending it again has not moved the clock again."
	}
	for i, b := range done.Bookings {
		if i == bookingsSaid {
			said += " And " + shell.Plural(len(done.Bookings)-i, "more booking", "more bookings") + "."
			break
		}
		said += " " + playedWords(b, "")
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, "/settings/sandbox")
}

// advanced reports whether who asks now has moved the account's clock before, by d from where it was, as the audit log
// has it: a clock never goes back, so that nobody moves it from there again.
func (room *Room) advanced(r *http.Request, d time.Duration, was string) (bool, error) {
	v, _ := shell.VisitorOf(r.Context())
	list, err := room.db.Audit(r.Context(), store.AuditQuery{Customer: v.User.Customer, By: room.Actor(r).ID,
		What: gangway.SandboxAdvanced, Newest: true}, advancesRead)
	return slices.ContainsFunc(list, func(e gangway.AuditEntry) bool {
		return e.Before["ahead"] == was && e.After["by"] == d.Truncate(time.Millisecond).String()
	}), err
}

// advancesRead is among how many advances, the latest, that of a form is looked for that is sent again.
const advancesRead = 20

// bookingsSaid is of how many bookings it is said what happened to them while the clock went forward.
const bookingsSaid = 10

// played leads back to the page, which says what happened to a booking and leads there; again is what is filled in.
func (room *Room) played(w http.ResponseWriter, r *http.Request, b sandbox.Played, otherwise string,
	again url.Values) error {
	room.Sessions.SetFlash(r.Context(), playedWords(b, otherwise))
	again.Set("booking", b.Booking)
	return room.Redirect(w, r, "/settings/sandbox?"+again.Encode())
}

// playedWords says what happened to a booking; otherwise is said where nothing has.
func playedWords(b sandbox.Played, otherwise string) string {
	words := make([]string, len(b.Actions))
	for i, a := range b.Actions {
		words[i] = strings.ReplaceAll(string(a), "_", " ")
	}
	if len(words) == 0 {
		words = []string{otherwise}
	}
	return "Booking " + b.Locator + ": " + strings.Join(words, ", then ") + "."
}

// refuseSandbox shows the page with why nothing was done.
func (room *Room) refuseSandbox(w http.ResponseWriter, r *http.Request, p sandboxPage, err error) error {
	switch gangway.KindOf(err) {
	case gangway.Invalid, gangway.NotFound, gangway.Conflict:
		p.Wrong = shell.SentenceOf(err)
		return room.showSandbox(w, r, p, http.StatusUnprocessableEntity)
	}
	return err
}
