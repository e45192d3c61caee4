package bookings

import (
	"cmp"
	"context"
	"net/url"
	"regexp"
	"slices"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// actionDeliveries are the deliveries of one action, by the names of their outlets.
type actionDeliveries []deliveryRow

// A deliveryRow is how far the delivery of one action to one outlet has come.
type deliveryRow struct {
	Outlet string // its name
	Where  string
	State  string // in a word, by which deliveries are counted
	Class  string
	Sign   string
	Words  string
	At     time.Time
	Answer string // to the last try, or why there was none
	Sent   bool   // something was
	ID     string // the webhook-id
}

// deliveriesInSight is how many deliveries of an action are in sight before somebody unfolds them.
const deliveriesInSight = 3

// Folded reports whether they are more than are in sight.
func (d actionDeliveries) Folded() bool { return len(d) > deliveriesInSight }

// Summary counts them by state: "301 outlets: 299 delivered, 2 waiting".
func (d actionDeliveries) Summary() string {
	states := gangway.Each(d, func(row deliveryRow) string { return row.State })
	return shell.Plural(len(d), "outlet", "outlets") + ": " + shell.Tally(states)
}

// bookingDeliveries returns how far each action of a booking was delivered, by the action's number. any reports whether
// there are outlets, and cut whether only the first store.DeliveriesListed are returned. admin is for one, who is told
// how the operator allows what Gangway refuses to do.
func bookingDeliveries(ctx context.Context, in store.Scoped, booking string, admin bool,
	now time.Time) (by map[int]actionDeliveries, any, cut bool, err error) {
	statuses, err := in.DeliveryStatuses(ctx, booking)
	if err != nil {
		return nil, false, false, err
	}
	if cut = len(statuses) > store.DeliveriesListed; cut {
		statuses = statuses[:store.DeliveriesListed]
	}
	outlets, err := in.Outlets(ctx)
	if err != nil {
		return nil, false, false, err
	}
	of := map[string]gangway.Outlet{}
	for _, o := range outlets {
		of[o.ID] = o
	}
	by = map[int]actionDeliveries{}
	for _, d := range statuses {
		row := deliveryWords(d, of[d.Outlet], now)
		if row.Answer != "" && !admin && d.Last.Status == 0 && operatorFlag.MatchString(d.Last.Answer) {
			row.Answer = "nothing was sent: ask your Gangway operator"
		}
		by[d.Seq] = append(by[d.Seq], row)
	}
	for _, rows := range by {
		slices.SortFunc(rows, func(a, b deliveryRow) int { return cmp.Compare(a.Outlet, b.Outlet) })
	}
	return by, len(outlets) > 0, cut, nil
}

// operatorFlag is a flag of a command, in a reason of our own.
var operatorFlag = regexp.MustCompile(`\B--[a-z]`)

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "your system"
	}
	return u.Host
}

// answerShown is how many letters of an answer the history has: the delivery's own page has all that is kept.
const answerShown = 140

// deliveryWords describes the state of a delivery to an outlet.
func deliveryWords(d store.DeliveryStatus, o gangway.Outlet, now time.Time) deliveryRow {
	row := deliveryRow{Outlet: o.Name, Where: hostOf(o.Address()), At: d.DoneAt, Sent: d.Attempts > 0 && o.Name != "",
		ID:     d.ID,
		Answer: gangway.Shortened(o.AnswerWords(d.Last.Status, d.Last.Answer), answerShown)}
	switch {
	case o.Name == "":
		row.Where = "a deleted outlet"
	case !o.Pushes():
		row.Where = o.Name
	case o.Name != gangway.DefaultOutlet:
		row.Where = o.Name + ", " + row.Where
	}
	is := gangway.ConditionOfDelivery(o, d.State, d.DoneAt, d.Place, now)
	row.State, row.Words, row.Sign = is.State, is.State, "…"
	switch {
	case is.State == "left out":
		row.Sign, row.Words, row.Answer = "–", "left out by its mapping", ""
	case is.State == "delivered":
		row.Class, row.Sign = "good", "✓"
	case is.State == "parked":
		row.Class, row.Sign = "act", "✕"
		row.Words = "parked after " + shell.Plural(d.Place.Tries, "try", "tries")
	case d.Place.Tries > 0:
		if is.Fails {
			row.State, row.Class, row.Sign = "failing", "watch", "↻"
		}
		row.Words = withWait(shell.Plural(d.Place.Tries, "try", "tries")+" so far", "; ", is.Wait)
	default:
		row.Words = withWait("waiting", ": ", is.Wait)
		if d.Before.Accepted() {
			row.Words += "; accepted before"
		}
	}
	return row
}

// withWait is words with why something waits, if anything keeps it.
func withWait(words, by, wait string) string {
	if wait == "" {
		return words
	}
	return words + by + wait
}
