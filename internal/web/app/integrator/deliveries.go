package integrator

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// deliveriesShown is how many deliveries of an account are listed.
const deliveriesShown = 100

// The states of deliveries that may be asked for.
const (
	waitingDeliveries = "waiting"
	parkedDeliveries  = "parked"
	doneDeliveries    = "delivered"
	leftDeliveries    = "left out"
)

var deliveryStates = []string{waitingDeliveries, parkedDeliveries, doneDeliveries, leftDeliveries}

// A deliveryRow is an action on its way to an outlet.
type deliveryRow struct {
	ID, Outlet, Locator, Action string
	Sign, State                 string // the badge
	Wait                        string // why it waits; empty: it does not
	When                        string // of the last attempt, or when it was made; UTC
	Tries                       int
	Took                        string
	Answer                      string     // of an attempt that failed
	Path                        string     // of its page; empty: it has none that the reader may see
	Alone                       url.Values // the list with it alone
}

// A tryRow is one try of a delivery.
type tryRow struct {
	store.Attempt
	When, Sign, State, Answer string
}

// triesShown is how many tries of a delivery are listed.
const triesShown = 50

// deliveries reads the deliveries to an account's outlets that are asked for, the latest first. linked says that they
// have pages that the reader may see.
func (room *Room) deliveries(ctx context.Context, in store.Scoped, f finding, linked bool) (log accountLog, err error) {
	outlets, err := in.Outlets(ctx)
	if err != nil {
		return log, err
	}
	q, err := deliveryQuery(ctx, in, f, outlets)
	if gangway.KindOf(err) == gangway.NotFound {
		return log, nil
	}
	if err != nil {
		return log, err
	}
	list, err := in.LatestDeliveries(ctx, q, deliveriesShown+1)
	if err != nil {
		return log, err
	}
	if log.Cut = len(list) > deliveriesShown; log.Cut {
		list = list[:deliveriesShown]
	}
	by := map[string]gangway.Outlet{}
	for _, o := range outlets {
		by[o.ID] = o
	}
	for _, d := range list {
		row := newDeliveryRow(d, by[d.Outlet], room.Now())
		if linked {
			row.Path = "/settings/outlets/" + url.PathEscape(d.OutletName) + "/deliveries/" +
				url.PathEscape(d.Booking) + "/" + strconv.Itoa(d.Seq)
		}
		log.Deliveries = append(log.Deliveries, row)
	}
	if q.ID == "" || len(list) != 1 {
		return log, nil
	}
	d := list[0]
	log.Replayed = d.ID != f.Find
	tries, err := in.DeliveryAttempts(ctx, d.Outlet, d.Booking, d.Seq, triesShown)
	for _, a := range tries {
		log.Tries = append(log.Tries, newTryRow(a))
	}
	log.MoreTries = max(0, d.Attempts-len(tries))
	return log, err
}

// deliveryQuery returns what a list of deliveries is asked for: a webhook-id, also one from before a replay, the name
// of an outlet or the locator of a booking, and a state. NotFound: the account has none such.
func deliveryQuery(ctx context.Context, in store.Scoped, f finding,
	outlets []gangway.Outlet) (q store.DeliveryQuery, err error) {
	switch f.State {
	case waitingDeliveries:
		q.State = "due"
	case parkedDeliveries:
		q.State = "parked"
	case doneDeliveries, leftDeliveries:
		q.State, q.LeftOut = "done", f.State == leftDeliveries
	}
	switch at := slices.IndexFunc(outlets, func(o gangway.Outlet) bool { return o.Name == f.Find || o.ID == f.Find }); {
	case f.Find == "":
	case isWebhookID(f.Find):
		q.ID = f.Find
		booking, id, missing := in.Replayed(ctx, f.Find)
		if gangway.KindOf(missing) == gangway.NotFound {
			return q, nil
		}
		q.Booking, q.ID, err = booking, id, missing
	case at >= 0:
		q.Outlet = outlets[at].ID
	default:
		var b gangway.Booking
		b, err = in.BookingByLocator(ctx, strings.ToUpper(f.Find))
		q.Booking = b.ID
	}
	return q, err
}

// isWebhookID reports whether somebody has typed the identifier of a delivery.
func isWebhookID(text string) bool { return strings.HasPrefix(text, "msg_") }

func newTryRow(a store.Attempt) tryRow {
	row := tryRow{Attempt: a, When: momentWords(a.At), Answer: gangway.Legible(a.Answer)}
	row.Sign, row.State = gangway.TryWords(a.Status, !a.NeverLeft())
	return row
}

func newDeliveryRow(d store.LatestDelivery, o gangway.Outlet, now time.Time) deliveryRow {
	row := deliveryRow{ID: d.ID, Outlet: d.OutletName, Locator: d.Locator,
		Action: shell.Plain(d.Action), Tries: d.Place.Tries,
		Alone: url.Values{"show": {allDeliveries}, "find": {d.ID}}}
	at := d.MadeAt
	if !d.Last.At.IsZero() {
		at, row.Took = d.Last.At, shell.TookWords(d.Last.Took)
	}
	row.When = momentWords(at)
	is := gangway.ConditionOfDelivery(o, d.State, d.DoneAt, d.Place, now)
	row.Sign, row.State, row.Wait = is.Sign, is.State, is.Wait
	switch is.State {
	case leftDeliveries:
		row.Answer = "The outlet's mapping leaves this action out."
		return row
	case doneDeliveries:
		return row
	}
	if d.Before.Accepted() {
		row.Answer = "It was accepted before, as " + d.Before.WebhookID + "."
		return row
	}
	row.Answer = gangway.Legible(d.Last.Answer)
	if d.Last.Status > 0 {
		row.Answer = fmt.Sprintf("%d %s", d.Last.Status, row.Answer)
	}
	row.Answer = gangway.Shortened(row.Answer, problemShown)
	return row
}

// countedDeliveries is how many deliveries are listed, and how far they have come.
func (l accountLog) countedDeliveries() string {
	words := shell.Plural(len(l.Deliveries), "delivery", "deliveries")
	if l.Cut {
		words = "the latest " + words
	}
	states := gangway.Each(l.Deliveries, func(d deliveryRow) string { return d.State })
	switch different := slices.Compact(slices.Clone(states)); {
	case len(states) == 1:
		return words + ", " + states[0]
	case len(different) == 1:
		return words + ", all " + states[0]
	}
	return words + ": " + shell.Tally(states)
}
