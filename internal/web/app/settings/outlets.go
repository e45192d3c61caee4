package settings

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// An outletsPage is the account's outlets, the oldest first.
type outletsPage struct {
	Rows        []outletRow
	Cut         int // outlets that are not shown
	Environment gangway.Environment
}

// An outletRow is an outlet, and how it is doing.
type outletRow struct {
	Name, Kind, Where, Gets string
	outletHealth
}

// outletHealth says how an outlet is doing.
type outletHealth struct {
	feedState
	How             string // what can be done about Why
	Waiting, Parked string // numbers; empty: none
	Oldest          time.Time
	Timed           int    // of how many deliveries, the latest, the times are
	Median, Tail    string // within which half of them were taken, and 99 of 100
}

// outletsShown is how many outlets the page has at most.
const outletsShown = 50

// Outlets lists the account's outlets in this environment.
func (room *Room) Outlets(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	list, err := in.Outlets(r.Context())
	if err != nil {
		return err
	}
	p, n, unwell := outletsPage{}, len(list), 0
	if v, ok := shell.VisitorOf(r.Context()); ok {
		p.Environment = v.Account.Environment
	}
	for _, o := range list {
		if o.Off || !o.FailingSince.IsZero() {
			unwell++
		}
	}
	if n > outletsShown {
		p.Cut, list = n-outletsShown, list[:outletsShown]
	}
	for _, o := range list {
		health, err := outletHealthOf(r.Context(), in, o)
		if err != nil {
			return err
		}
		p.Rows = append(p.Rows, outletRow{Name: o.Name, Kind: outletKind(o.Transport.Kind), Where: o.Address(),
			Gets: getsWords(o), outletHealth: health})
	}
	return room.Show(w, r, shell.Page{Template: "outlets", Section: "settings", Title: "Settings › Outlets",
		Answer: outletsAnswer(n, unwell), Data: p})
}

func outletsAnswer(n, unwell int) string {
	const about = "Where this account's bookings are sent when something happens to them."
	switch {
	case n == 0:
		return about
	case unwell > 0:
		return shell.Plural(unwell, "outlet does", "outlets do") + " not deliver, of " + shell.Number(n) + ". " + about
	}
	return shell.Plural(n, "outlet", "outlets") + ", none is failing. " + about
}

// outletHealthOf reads how an outlet is doing.
func outletHealthOf(ctx context.Context, in store.Scoped, o gangway.Outlet) (h outletHealth, err error) {
	figures, err := in.OutletHealth(ctx, o.ID)
	if err != nil {
		return h, err
	}
	h.feedState = feedState{Sign: "good", State: "on"}
	switch {
	case o.Off:
		h.feedState = feedState{Sign: "act", State: "switched off", Why: capitalised(o.OffReason)}
		h.How = "What happens meanwhile waits. gangway outlet set switches it on again."
	case !o.FailingSince.IsZero():
		last, err := in.LastFailure(ctx, o.ID)
		if err != nil {
			return h, err
		}
		h.feedState = feedState{Sign: "act", State: "failing", Since: o.FailingSince, Why: failureWords(last, o)}
		h.How = allowWords(last)
	case figures.Timed == 0 && figures.Waiting == 0:
		h.feedState = feedState{Sign: "info", State: "on, nothing sent yet"}
	}
	if o.Paused && !o.Off {
		h.Sign, h.State = "watch", "paused"
		if !o.FailingSince.IsZero() {
			h.State = "paused, and failing"
		}
	}
	h.Waiting, h.Oldest, h.Parked = countedWords(figures.Waiting), figures.Oldest, countedWords(figures.Parked)
	if figures.Timed > 0 {
		h.Timed, h.Median, h.Tail = figures.Timed, tookWords(figures.Median), tookWords(figures.Tail)
	}
	return h, nil
}

// outletPath is the address of an outlet's page.
func outletPath(name string) string { return "/settings/outlets/" + url.PathEscape(name) }
