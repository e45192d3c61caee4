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
	Environment gangway.Environment
}

// An outletRow is an outlet, and how it is doing.
type outletRow struct {
	Name, Kind, Where, Gets string
	outletHealth
}

// outletHealth says how an outlet is doing.
type outletHealth struct {
	feeds.Badge
	How             string     // what can be done about Why
	At              time.Time  // when what Why tells was answered; zero: it tells of no try
	Earlier         string     // what was done after that, such as "it was resumed"; empty: nothing
	Wait            string     // a sentence: until when nothing is tried; empty: that is known from the state
	Waiting, Parked string     // numbers; empty: none
	Waits, Parks    url.Values // the lists of these
	Oldest          time.Time
	Timed           int    // of how many deliveries, the latest, the times are
	Median, Tail    string // within which half of them were taken, and 99 of 100

	Answer      string       // the beginning of the last one, while all fails
	Refused     []refusedRow // of what was not accepted, what was tried last
	MoreRefused string       // how many are not among these; empty: none
}

// A refusedRow is a delivery that an outlet has not accepted, while it accepts others.
type refusedRow struct {
	Outlet, Locator, Path, Why, Answer string
	At                                 time.Time // when it was tried
	Earlier                            string    // as of outletHealth
	Parked                             bool
}

const (
	refusedShown = 3   // bookings
	answerShown  = 140 // letters
)

// nameRefused names what an outlet has not accepted, with what was answered last, and how that is mended.
func (room *Room) nameRefused(ctx context.Context, in store.Scoped, o gangway.Outlet, figures store.OutletBacklog,
	h *outletHealth) error {
	list, err := in.RefusedDeliveries(ctx, o.ID, refusedShown)
	if err != nil {
		return err
	}
	oldest := room.Now()
	for _, d := range list {
		if d.At.Before(oldest) {
			oldest = d.At
		}
	}
	done, err := room.doneSince(ctx, in, o, oldest)
	how, mended := "", false
	for _, d := range list {
		h.Refused = append(h.Refused, refusedRow{Outlet: o.Name, Locator: d.Locator,
			Path: deliveryPath(o.Name, d.Booking, d.Seq), Why: deliver.FailureWords(d.Attempt, o), At: d.At,
			Earlier: done.after(d.At), Answer: gangway.Shortened(answerOf(d.Attempt), answerShown),
			Parked: d.State == "parked"})
		if done.mended(d.Attempt) {
			mended = true
		} else if words := mendWords(d.Attempt, o); !strings.Contains(how, words) {
			how = words + " " + how
		}
	}
	h.How = strings.TrimSpace(how + h.How)
	h.sayParked(figures.Parked, mended && how == "")
	h.MoreRefused = countedWords(max(0, figures.Refused+figures.Parked-len(list)))
	if len(list) == 0 && h.How == "" { // bookings that go together are no rows
		h.How = "What was answered is among the outlet's tries."
	}
	return err
}

// sayParked says what is to be done about what is parked; mended: what it failed on was changed since.
func (h *outletHealth) sayParked(parked int, mended bool) {
	words := "Once the reason is mended, somebody has to deliver again what is parked."
	if mended {
		words = "The mapping was changed since: deliver again what is parked."
	}
	if parked > 0 {
		h.How = strings.TrimSpace(h.How + " " + words)
	}
}

const (
	// outletsShown is how many outlets a page has at most.
	outletsShown = 50

	// outletsInSight is how many are found by looking.
	outletsInSight = 10
)

// Outlets lists the account's outlets in this environment.
func (room *Room) Outlets(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	list, err := in.Outlets(r.Context())
	if err != nil {
		return err
	}
	parked, err := in.ParkedOutlets(r.Context())
	if err != nil {
		return err
	}
	orderOutlets(list, parked)
	p, n, unwell, park := outletsPage{Find: strings.TrimSpace(r.FormValue("find")), Finds: len(list) > outletsInSight},
		len(list), 0, 0
	if v, ok := shell.VisitorOf(r.Context()); ok {
		p.Environment = v.Account.Environment
	}
	for _, o := range list {
		switch {
		case o.Off || !o.FailingSince.IsZero():
			unwell++
		case parked[o.ID]:
			park++
		}
	}
	for _, o := range p.choose(list, r.FormValue("after")) {
		health, err := room.outletHealthOf(r.Context(), in, o)
		if err != nil {
			return err
		}
		p.Rows = append(p.Rows, outletRow{Name: o.Name, Kind: outletKind(o.Transport.Kind), Where: o.Address(),
			Gets: getsWords(o), outletHealth: health})
	}
	return room.Show(w, r, shell.Page{Template: "outlets", Section: "settings", Title: "Settings › Outlets",
		Answer: outletsAnswer(n, unwell, park), Data: p})
}

// choose returns the outlets of the page: of those that are looked for, the ones after the one of a name.
func (p *outletsPage) choose(list []gangway.Outlet, after string) []gangway.Outlet {
	of := func(after string) url.Values {
		q := url.Values{}
		if p.Find != "" {
			q.Set("find", p.Find)
		}
		if after != "" {
			q.Set("after", after)
		}
		return q
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

// outletsAnswer says how n outlets are doing: how many do not deliver, and at how many others deliveries are parked.
func outletsAnswer(n, unwell, parked int) string {
	const about = "Where this account's bookings are sent when something happens to them."
	if n == 0 {
		return about
	}
	words := shell.Plural(n, "outlet", "outlets") + ", none is failing"
	if unwell > 0 {
		words = shell.Plural(unwell, "outlet does", "outlets do") + " not deliver, of " + shell.Number(n)
	}
	if parked > 0 {
		words += "; " + shell.Plural(parked, "has", "have") + " parked deliveries"
	}
	return words + ". " + about
}

// outletHealthOf reads how an outlet is doing.
func (room *Room) outletHealthOf(ctx context.Context, in store.Scoped, o gangway.Outlet) (h outletHealth, err error) {
	figures, err := in.OutletHealth(ctx, o.ID)
	if err != nil {
		return h, err
	}
	h.Badge = feeds.Badge{Sign: "good", State: "on"}
	switch {
	case o.Off:
		last, err := in.LastFailure(ctx, o.ID)
		if err != nil {
			return h, err
		}
		h.Badge = feeds.Badge{Sign: "act", State: "switched off", Why: deliver.Sentence(o.OffReason)}
		h.At = last.At
		h.How = "What happens meanwhile waits. It is sent once somebody switches the outlet on again."
	case !o.FailingSince.IsZero():
		last, err := in.LastFailure(ctx, o.ID)
		if err != nil {
			return h, err
		}
		h.Badge = feeds.Badge{Sign: "act", State: "failing", Since: o.FailingSince,
			Why: deliver.FailureWords(last, o)}
		done, err := room.doneSince(ctx, in, o, last.At)
		if err != nil {
			return h, err
		}
		h.At, h.Earlier = last.At, done.after(last.At)
		// What answers that nothing is wanted any more says so of every booking.
		one := figures.Refused == 1 && o.Batch == 0 && last.Status != 0 && last.Status != http.StatusGone &&
			!o.HeldUntil.After(room.Now())
		if one {
			h.How = "It is one booking, and nothing else was sent since: others may well be accepted."
			if err := room.nameRefused(ctx, in, o, figures.OutletBacklog, &h); err != nil {
				return h, err
			}
			if len(h.Refused) > 0 {
				h.Why = "" // which is said of the booking
			}
		} else {
			h.Answer = gangway.Shortened(answerOf(last), answerShown)
			mended := done.mended(last)
			if !mended {
				h.How = mendWords(last, o)
			}
			h.sayParked(figures.Parked, mended)
		}
	case o.Behind(figures.Oldest, room.Now()):
		h.Badge = feeds.Badge{Sign: "watch", State: "on, but behind",
			Why: "Some of what waits is more than an hour old, though other deliveries are accepted."}
		err = room.nameRefused(ctx, in, o, figures.OutletBacklog, &h)
	case figures.Refused > 0:
		h.Badge = feeds.Badge{Sign: "watch", State: "on, but " + deliver.RefusedWords(figures.Refused),
			Why: "Others are accepted. What was not is tried again by itself, for three days."}
		err = room.nameRefused(ctx, in, o, figures.OutletBacklog, &h)
	case figures.Parked > 0:
		h.Badge = feeds.Badge{Sign: "watch", State: "on, but " + deliver.ParkedWords(figures.Parked),
			Why: "What is parked is not tried by itself any more. What comes later is sent as ever."}
		err = room.nameRefused(ctx, in, o, figures.OutletBacklog, &h)
	case figures.Timed == 0 && figures.Waiting == 0:
		h.Badge = feeds.Badge{Sign: "info", State: "on, nothing sent yet"}
	}
	if err != nil {
		return h, err
	}
	if o.Paused && !o.Off {
		h.Sign, h.State = "watch", "paused"
		if o.FailingSince.IsZero() {
			h.Why, h.How = "", "What happens meanwhile waits. It is sent once somebody resumes the outlet."
		} else {
			h.State = "paused, and failing"
		}
	}
	now := room.Now()
	switch wait := o.Waits(now); {
	case !wait.Until.IsZero():
		h.Wait = "What waits is not tried yet: " + wait.String() + "."
	case wait == gangway.Wait{} && figures.Next.After(now) && o.Batch > 0 && figures.Refused == 0:
		h.Wait = gangway.Wait{Why: "What waits goes together at", Until: figures.Next}.String() + "."
	case wait == gangway.Wait{} && figures.Next.After(now):
		h.Wait = gangway.Wait{Why: "The next try is at", Until: figures.Next}.String() + "."
	}
	h.Waits, h.Parks = deliveriesOf(o, "waiting"), deliveriesOf(o, "parked")
	h.Waiting, h.Oldest, h.Parked = countedWords(figures.Waiting), figures.Oldest, countedWords(figures.Parked)
	if figures.Timed > 0 {
		h.Timed, h.Median, h.Tail = figures.Timed, shell.TookWords(figures.Median), shell.TookWords(figures.Tail)
	}
	return h, nil
}

// outletsPath is the address of the list of outlets.
const outletsPath = "/settings/outlets"

// OutletPath is the address of the page of an outlet of a name.
func OutletPath(name string) string { return outletsPath + "/" + url.PathEscape(name) }

// deliveriesOf is the query of the address of a list: an outlet's deliveries in a state.
func deliveriesOf(o gangway.Outlet, state string) url.Values {
	return url.Values{"show": {"deliveries"}, "find": {o.Name}, "state": {state}}
}
