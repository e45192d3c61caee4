package outlets

import (
	"net/http"
	"strings"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// triesLimit is how many outlets are tried at a time: of an account, and in all.
var triesLimit = web.Concurrency{
	Each: 2, All: 8, After: 3 * time.Second,
	OfClient: "as many outlets of this account are being tried as can be at once; try again in a moment",
	OfAll:    "as many outlets are being tried as can be at once; try again in a moment",
}

// A testPage is what became of a test booking.
type testPage struct {
	deliver.Trial
	Name, Where string
	Sign, State string
	Why         string // it was not accepted; empty: its answer says it
	Status      string // of a push
	Said        string // the beginning of what was answered
	Body        shownBody
}

// TestOutlet sends an invented booking, and shows what was answered. Nothing of it is kept.
func (room *Room) TestOutlet(w http.ResponseWriter, r *http.Request, in store.Scoped, o gangway.Outlet) error {
	release, err := room.tries.Acquire(in.Scope().Account)
	if err != nil {
		return err
	}
	defer release()
	state := append(o.States, gangway.Confirmed)[0]
	trial, err := room.setter.TryOut(r.Context(), in, room.Actor(r), o.Name, state)
	p := testPage{Trial: trial, Name: o.Name, Where: o.Address(), Body: newShownBody(trial.Sent.Body)}
	p.Sign, p.State = gangway.TryWords(trial.Attempt.Status, true)
	switch {
	case gangway.KindOf(err) == gangway.Invalid:
		p.Sign, p.State, p.Why, err = "act", "not sent", gangway.Sentence(shell.SentenceOf(err)), nil
	case trial.LeftOut:
		p.Sign, p.State = "watch", "left out"
	case trial.Attempt.Status == 0:
		p.Why = deliver.FailureWords(trial.Attempt, o)
	default:
		if o.Pushes() {
			p.Status = gangway.HTTPStatusWords(trial.Attempt.Status)
		}
		p.Said = strings.TrimSpace(gangway.Legible(trial.Attempt.Answer))
	}
	if err != nil {
		return err
	}
	answer := "It was not accepted."
	switch {
	case p.SwitchedOn:
		answer = "It was accepted: outlet " + o.Name + " is switched on, and waiting deliveries are being sent."
	case p.Attempt.Accepted():
		answer = "It was accepted."
	case p.LeftOut:
		answer = "The mapping leaves it out: nothing was sent."
	}
	return room.Show(w, r, shell.Page{Template: "outlet_test", Section: "settings",
		Title: "Test booking to outlet " + o.Name, Answer: answer, Data: p})
}
