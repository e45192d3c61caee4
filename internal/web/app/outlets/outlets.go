package outlets

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/feeds"
	"gangway/internal/web/app/shell"
)

// An outletsPage is a page of the account's outlets, those first that need somebody.
type outletsPage struct {
	Rows        []outletRow
	Find        string // what the names or addresses have
	Finds       bool   // there are so many that somebody may want to find one
	Place       string // which of them the page has; empty: all
	First, Next url.Values
}

// An outletRow is an outlet, and how it is doing.
type outletRow struct {
	Kind, Where string
	States      []gangway.State // the actions that it gets; none: all
	outletStanding
}

// An outletStanding is how an outlet is doing, and how long deliveries there take.
type outletStanding struct {
	Name string
	gangway.Condition
	store.OutletTimes
}

// Count writes a count of up to gangway.CountedDeliveries.
func (outletStanding) Count(n int) string {
	if n > gangway.CountedDeliveries {
		return "more than " + shell.Number(gangway.CountedDeliveries)
	}
	return shell.Number(n)
}

// List is the query of the list of the outlet's deliveries in a state.
func (s outletStanding) List(state string) url.Values {
	return url.Values{"show": {"deliveries"}, "find": {s.Name}, "state": {state}}
}

// standing reads how an outlet is doing.
func (room *Room) standing(ctx context.Context, in store.Scoped, o gangway.Outlet) (s outletStanding, err error) {
	s.Name = o.Name
	if s.Condition, err = deliver.Condition(ctx, in, o, room.Now()); err == nil {
		s.OutletTimes, err = in.OutletTimes(ctx, o.ID)
	}
	return s, err
}

const (
	// outletsShown is how many outlets a page has at most.
	outletsShown = 50

	// outletsInSight is how many are found by looking.
	outletsInSight = 10
)

// States are the account's outlets, the oldest first, and how each is doing.
func States(ctx context.Context, in store.Scoped, now time.Time) (list []gangway.Outlet,
	states map[string]gangway.ConditionState, err error) {
	if list, err = in.Outlets(ctx); err != nil {
		return nil, nil, err
	}
	glances, err := in.OutletsAtAGlance(ctx, list, now)
	states = map[string]gangway.ConditionState{}
	for _, o := range list {
		states[o.ID] = gangway.ConditionOf(o, glances[o.ID], now).State
	}
	return list, states, err
}

// Outlets lists the account's outlets in this environment.
func (room *Room) Outlets(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	list, states, err := States(r.Context(), in, room.Now())
	if err != nil {
		return err
	}
	orderOutlets(list, states)
	p := outletsPage{Find: strings.TrimSpace(r.FormValue("find")), Finds: len(list) > outletsInSight}
	answer := outletsAnswer(list, states)
	for _, o := range p.choose(list, r.FormValue("after")) {
		standing, err := room.standing(r.Context(), in, o)
		if err != nil {
			return err
		}
		p.Rows = append(p.Rows, outletRow{outletKind(o.Transport.Kind), o.Address(), o.States, standing})
	}
	return room.Show(w, r, shell.Page{Template: "outlets", Section: "settings", Title: "Settings › Outlets",
		Answer: answer, Data: p})
}

// choose returns the outlets of the page: of those that are looked for, the ones after the one of a name.
func (p *outletsPage) choose(list []gangway.Outlet, after string) []gangway.Outlet {
	of := func(after string) url.Values {
		return shell.Pick(url.Values{"find": {p.Find}, "after": {after}}, "find", "after")
	}
	list = slices.DeleteFunc(list, func(o gangway.Outlet) bool { return p.Find != "" && !outletFound(o, p.Find) })
	all, begin := len(list), 1+slices.IndexFunc(list, func(o gangway.Outlet) bool { return o.Name == after })
	if list = list[begin:]; len(list) > outletsShown {
		list = list[:outletsShown]
		p.Next = of(list[outletsShown-1].Name)
	}
	if len(list) < all {
		p.Place = fmt.Sprintf("%s to %s of %s", shell.Number(min(begin+1, all)), shell.Number(begin+len(list)),
			shell.Number(all))
	}
	if begin > 0 {
		p.First = of("")
	}
	return list
}

// Paged reports whether there are outlets on other pages.
func (p outletsPage) Paged() bool { return p.Place != "" }

// Later reports whether the page does not begin with the first outlet.
func (p outletsPage) Later() bool { return p.First != nil }

// outletsAnswer says how outlets are doing: how many do not deliver, and at how many others deliveries are parked.
func outletsAnswer(list []gangway.Outlet, states map[string]gangway.ConditionState) string {
	const about = "Where this account's bookings are sent when something happens to them."
	if len(list) == 0 {
		return about
	}
	unwell, parked := 0, 0
	for _, o := range list {
		switch states[o.ID] {
		case gangway.IsOff, gangway.IsFailing, gangway.IsPausedFailing:
			unwell++
		case gangway.IsParked:
			parked++
		}
	}
	words := shell.Plural(len(list), "outlet", "outlets") + ", none is failing"
	if unwell > 0 {
		words = shell.Plural(unwell, "outlet does", "outlets do") + " not deliver, of " + shell.Number(len(list))
	}
	if parked > 0 {
		words += "; " + shell.Plural(parked, "has", "have") + " parked deliveries"
	}
	return words + ". " + about
}

// outletKind names a kind of transport that bookings leave by.
func outletKind(kind string) string {
	if kind == "mail" {
		return "Mail"
	}
	return feeds.KindWords(kind)
}

// outletsPath is the address of the list of outlets.
const outletsPath = "/settings/outlets"

// OutletPath is the address of the page of an outlet of a name.
func OutletPath(name string) string { return outletsPath + "/" + url.PathEscape(name) }

// Of has h answer about the outlet that a request names.
func Of(h func(http.ResponseWriter, *http.Request, store.Scoped, gangway.Outlet) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		o, err := in.Outlet(r.Context(), r.PathValue("name"))
		if err != nil {
			return err
		}
		return h(w, r, in, o)
	}
}
