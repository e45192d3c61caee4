package flights

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A Question is what a page wants to know from customers' systems before it shows
// what is stored.
type Question struct {
	Flow gangway.Flow
	// Picked says that the address names the day, or what else is asked for. A page
	// without is shown at once, and asks afterwards at the address with Query.
	Picked bool
	Query  url.Values
	Note   string // what else there is to say, a sentence
	Ask    func(ctx context.Context, in store.Scoped) ([]gangway.FeedAnswer, error)
}

// partly is the header of a request by which a script brings a part of a page up
// to date: it asks again for what customers' systems say.
const partly = "Gangway-Part"

// askNow is the value of "ask" in the address at which a page asks, whatever was picked.
const askNow = "now"

// AskPatience is how long a page waits for customers' systems before it is shown without them.
const AskPatience = time.Second

// AskFirst has h show its page after customers' systems were asked. If that takes longer than
// the room's patience, the page is shown, and asks afterwards; so does one for a script, and for everybody who
// has picked no day yet. A page that asks afterwards waits for all answers, 3 s at most, and holds no place in
// which pages are made meanwhile.
//
// Decided: docs/choices.md, "Travel requests and crew changes by call (B3, B4)".
func (room *Room) AskFirst(question func(r *http.Request) Question,
	h func(http.ResponseWriter, *http.Request, store.Scoped) error) func(http.ResponseWriter, *http.Request,
	store.Scoped) error {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		q := question(r)
		if q.Ask == nil || shell.IsLive(r) { // once for each page, not for all of its news
			return h(w, r, in)
		}
		asks, err := room.desk.Asks(r.Context(), in, q.Flow)
		if err != nil {
			return err
		}
		if !asks {
			return h(w, r, in)
		}
		a := Asking{System: systemOf(r.Context()), Note: q.Note}
		script, now := r.Header.Get(partly) != "", r.FormValue("ask") == askNow
		if (q.Picked || now) && !script {
			if err := room.ask(r.Context(), in, q, now, &a); err != nil {
				return err
			}
		}
		if a.Known.IsZero() {
			q.Query.Set("ask", askNow)
			a.Later = r.URL.Path + "?" + q.Query.Encode()
		}
		return h(w, r.WithContext(context.WithValue(r.Context(), askingKey{}, a)), in)
	}
}

// ask asks, and tells a what was answered. If that takes long and is not to be waited for, a says so.
func (room *Room) ask(ctx context.Context, in store.Scoped, q Question, wait bool, a *Asking) error {
	type outcome struct {
		answers []gangway.FeedAnswer
		err     error
	}
	told := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = background.Guard(room.Log, "ask customers' systems", func() (err error) {
			o.answers, err = q.Ask(ctx, in)
			return err
		})
		told <- o
	}()
	var long <-chan time.Time
	if !wait {
		long = time.After(room.patience)
	}
	select {
	case o := <-told:
		if o.err == nil {
			a.tell(o.answers, room.Now())
		}
		return o.err
	case <-long:
		a.Slow = true
		return nil
	}
}

type askingKey struct{}

// AskingOf returns what the page says of customers' systems that were asked for it.
func AskingOf(ctx context.Context) Asking {
	a, _ := ctx.Value(askingKey{}).(Asking)
	return a
}

// An Asking is what a page says of the customer's systems. The zero Asking says nothing.
type Asking struct {
	System  string    // "Harbour Crewing’s crew system"
	Later   string    // the address where they are asked; empty: they were
	Slow    bool      // they were, and have not answered yet
	Line    string    // that some do not answer, in words; empty: all have
	Silence string    // how Line begins: which do not answer
	Known   time.Time // when the oldest of their answers came
	Note    string
}

// tell fills in what the systems have answered.
func (a *Asking) tell(answers []gangway.FeedAnswer, now time.Time) {
	var silent []string
	var does gangway.Silence // where all that are silent do the same
	var days []string        // that were not answered, where others were
	known, heard := now, now // of those that are silent, and of the others
	last := now              // when all that are silent had answered anything
	for _, answer := range answers {
		of := &heard
		if answer.Error != "" {
			silent = append(silent, "“"+answer.Feed+"”")
			if said := cmp.Or(answer.Silence, gangway.Silent); does == "" || does == said {
				does = said
			} else {
				does = gangway.Silent
			}
			for _, d := range answer.Missing {
				days = append(days, shell.DateInWords(d))
			}
			of = &known
			if answer.Last.Before(last) {
				last = answer.Last
			}
		}
		if answer.At.Before(*of) {
			*of = answer.At
		}
	}
	if a.Known = heard.UTC(); len(silent) == 0 {
		return
	}
	feeds := ""
	if len(silent) < len(answers) {
		feeds = " (" + strings.Join(silent, ", ") + ")"
	}
	a.Silence = a.System + feeds + " " + string(does)
	if len(days) > 0 {
		a.Line = a.Silence + " about " + strings.Join(days, ", ") + " so far. Look again in a moment."
		return
	}
	silence := "; "
	if known.IsZero() && !last.IsZero() {
		silence = "; it last did " + onDay(last.UTC(), now) + ", and "
	}
	a.Line = a.Silence + silence + saidAt(known.UTC(), now) + " is shown. Type by hand if somebody is missing."
}

// saidAt says in words what is shown of a system that does not answer.
func saidAt(known, now time.Time) string {
	if known.IsZero() {
		return "what was received before"
	}
	return "what it said " + onDay(known, now)
}

// onDay says when something was: "at 14:02 UTC" if that is today.
func onDay(at, now time.Time) string {
	if gangway.DateOf(at) == gangway.DateOf(now.UTC()) {
		return "at " + at.Format("15:04") + " UTC"
	}
	return "on " + at.Format("2 Jan") + " at " + at.Format("15:04") + " UTC"
}

// systemOf names the system of the customer whose people look at the page.
func systemOf(ctx context.Context) string {
	v, _ := shell.VisitorOf(ctx)
	return v.Account.Customer.Name + "’s crew system"
}
