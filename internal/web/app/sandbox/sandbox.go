package sandbox

import (
	"cmp"
	"net/http"
	"net/url"
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

	State      string // what is filled in
	Locator    string
	Disruption string
	Forward    string
	Played     gangway.Booking // the one to which something was made happen; its ID is empty: none

	States []stateChoice
	Magics []gangway.Magic
}

// A stateChoice is what a booking is to come to, in words.
type stateChoice struct {
	Value gangway.SandboxState
	Words string
}

// stateChoices are all of them.
func stateChoices() (list []stateChoice) {
	for _, s := range gangway.SandboxStates() {
		c := stateChoice{s, shell.Plain(s)}
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

// Sandbox shows what can be done, and the account's clock.
func (room *Room) Sandbox(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := sandboxPage{State: r.FormValue("state")}
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
	p.State, p.Forward = cmp.Or(p.State, string(gangway.Issued)), cmp.Or(p.Forward, "26h")
	p.States, p.Magics = stateChoices(), gangway.Magics
	return room.Show(w, r, shell.Page{Template: "sandbox", Section: "settings", Title: "Settings › Sandbox",
		Answer: "Makes bookings happen, so that your system can be tried without a booker.", Status: status, Data: p})
}

// SendSandbox books an invented journey and brings it to a state.
func (room *Room) SendSandbox(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	p := sandboxPage{State: r.PostFormValue("state")}
	return room.act(w, r, in, p, func(r *http.Request) (shell.Done, error) {
		sent, err := room.sandbox.Send(r.Context(), in, room.Actor(r), &v.User, gangway.SandboxState(p.State))
		return played(sent, "", url.Values{"state": {p.State}}), err
	})
}

// DisruptSandbox has an airline disrupt a flight of a booking.
func (room *Room) DisruptSandbox(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := sandboxPage{Locator: strings.TrimSpace(r.PostFormValue("booking")), Disruption: r.PostFormValue("disruption")}
	return room.act(w, r, in, p, func(r *http.Request) (shell.Done, error) {
		done, err := room.sandbox.Disrupt(r.Context(), in, room.Actor(r), p.Locator, gangway.Disruption(p.Disruption))
		return played(done, "the airline was told; nothing has come of it yet", url.Values{}), err
	})
}

// AdvanceSandbox moves the account's clock forward. The clock arrives though nobody waits for the answer.
func (room *Room) AdvanceSandbox(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := sandboxPage{Forward: strings.TrimSpace(r.PostFormValue("by"))}
	return room.act(w, r, in, p, func(r *http.Request) (shell.Done, error) {
		by, err := gangway.ParseForward(p.Forward)
		if err != nil {
			return shell.Done{}, err
		}
		done, err := room.sandbox.Advance(r.Context(), in, room.Actor(r), by)
		said := "The account's clock says " + done.Clock.UTC().Format(shell.FullUTC) + "."
		for i, b := range done.Bookings {
			if i == bookingsSaid {
				said += " And " + shell.Plural(len(done.Bookings)-i, "more booking", "more bookings") + "."
				break
			}
			said += " " + playedWords(b, "")
		}
		return shell.Done{To: "/settings/sandbox", Said: said}, err
	})
}

// act carries out a form, and shows it again with why nothing was done.
func (room *Room) act(w http.ResponseWriter, r *http.Request, in store.Scoped, p sandboxPage,
	do func(*http.Request) (shell.Done, error)) error {
	done, err := room.CarryOut(r, in, do)
	switch gangway.KindOf(err) {
	case gangway.Invalid, gangway.NotFound, gangway.Conflict:
		p.Wrong = shell.SentenceOf(err)
		return room.showSandbox(w, r, p, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	return room.Finish(w, r, done)
}

// bookingsSaid is of how many bookings it is said what happened to them while the clock went forward.
const bookingsSaid = 10

// played says what happened to a booking, on the page that leads there; again is what is filled in.
func played(b sandbox.Played, otherwise string, again url.Values) shell.Done {
	again.Set("booking", b.Booking)
	return shell.Done{To: "/settings/sandbox?" + again.Encode(), Said: playedWords(b, otherwise)}
}

// playedWords says what happened to a booking; otherwise is said where nothing has.
func playedWords(b sandbox.Played, otherwise string) string {
	words := gangway.Each(b.Actions, shell.Plain)
	if len(words) == 0 {
		words = []string{otherwise}
	}
	return "Booking " + b.Locator + ": " + strings.Join(words, ", then ") + "."
}
