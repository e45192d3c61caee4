package integrator

import (
	"context"
	"fmt"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// deliveriesShown is how many deliveries of an account are listed.
const deliveriesShown = 100

// A deliveryRow is an action on its way to an outlet.
type deliveryRow struct {
	ID, Outlet, Locator, Action string
	Sign, State                 string // the badge
	Wait                        string // why it waits; empty: it does not
	When                        string // of the last attempt, or when it was made; UTC
	Tries                       int
	Took                        string
	Answer                      string // of an attempt that failed
}

// deliveries reads the latest deliveries to an account's outlets.
func (room *Room) deliveries(ctx context.Context, in store.Scoped) (log accountLog, err error) {
	list, err := in.LatestDeliveries(ctx, deliveriesShown+1)
	if err != nil {
		return log, err
	}
	if log.Cut = len(list) > deliveriesShown; log.Cut {
		list = list[:deliveriesShown]
	}
	outlets, err := in.Outlets(ctx)
	if err != nil {
		return log, err
	}
	by := map[string]gangway.Outlet{}
	for _, o := range outlets {
		by[o.ID] = o
	}
	for _, d := range list {
		if d.State != "done" {
			log.Failed++
		}
		log.Deliveries = append(log.Deliveries, newDeliveryRow(d, by[d.Outlet], room.Now()))
	}
	return log, nil
}

func newDeliveryRow(d store.LatestDelivery, o gangway.Outlet, now time.Time) deliveryRow {
	row := deliveryRow{ID: d.ID, Outlet: d.OutletName, Locator: d.Locator, Action: d.Action, Tries: d.Attempts}
	at := d.MadeAt
	if !d.Last.At.IsZero() {
		at, row.Took = d.Last.At, tookWords(d.Last.Took)
	}
	row.When = momentWords(at)
	switch {
	case d.State == "done" && d.DoneAt.IsZero():
		row.Sign, row.State = "info", "left out"
		row.Answer = "The outlet's mapping leaves this action out."
		return row
	case d.State == "done":
		row.Sign, row.State = "good", "delivered"
		return row
	case d.State == "parked":
		row.Sign, row.State = "act", "parked"
	default:
		row.Sign, row.State, row.Wait = "info", "waiting", o.DeliveryWaits(d.Place, now).String()
		if d.Attempts > 0 {
			row.Sign = "watch"
		}
	}
	if d.Attempts == 0 {
		return row
	}
	row.Answer = gangway.Legible(d.Last.Answer)
	if d.Last.Status > 0 {
		row.Answer = fmt.Sprintf("%d %s", d.Last.Status, row.Answer)
	}
	row.Answer = gangway.Shortened(row.Answer, problemShown)
	return row
}

func (l accountLog) deliveriesAnswer() string {
	if len(l.Deliveries) == 0 {
		return "Nothing was to be delivered yet."
	}
	waiting := "all of them were accepted"
	if l.Failed > 0 {
		waiting = shell.Number(l.Failed) + " of them " + wasWere(l.Failed) + " not accepted yet"
	}
	return "the latest " + shell.Plural(len(l.Deliveries), "delivery", "deliveries") + ", " + waiting +
		". Times are UTC."
}
