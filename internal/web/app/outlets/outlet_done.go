package outlets

import (
	"context"
	"slices"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// outletDone is what people did with an outlet, by which an answer from before is an old one; in no order.
type outletDone []outletDeed

type outletDeed struct {
	at      time.Time
	what    string // such as "it was resumed"
	mapping bool   // its mapping was changed
}

// doneRead is among how many changes of outlets, and among how many replays, the latest, those of one are looked for.
const doneRead = 100

// doneSince reads what people did with an outlet since a try, other than pausing it.
func (room *Room) doneSince(ctx context.Context, in store.Scoped, o gangway.Outlet,
	try time.Time) (done outletDone, err error) {
	account, err := in.Account(ctx)
	if err != nil {
		return nil, err
	}
	for _, event := range []gangway.AuditEvent{gangway.OutletSet, gangway.DeliveriesReplayed} {
		list, err := room.db.Audit(ctx, store.AuditQuery{Customer: account.Customer.ID,
			Environment: account.Environment, What: event, Since: try, Newest: true}, doneRead)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if what := doneWords(e); what != "" && e.After["outlet"] == o.ID {
				done = append(done, outletDeed{e.At, what, e.Before["mapping"] != e.After["mapping"]})
			}
		}
	}
	return done, nil
}

// doneWords says what was done by what the audit log has of it; empty: nothing that comes after a try, as the outlet
// was added or paused.
func doneWords(e gangway.AuditEntry) string {
	n, _ := e.After["deliveries"].(float64)
	switch {
	case n == 1:
		return "1 delivery was sent once more"
	case e.What == gangway.DeliveriesReplayed:
		return shell.Number(int(n)) + " deliveries were sent once more"
	case e.Before == nil || e.After["paused"] == true:
		return ""
	case e.Before["off"] == true:
		return "it was switched on"
	case e.Before["paused"] == true:
		return "it was resumed"
	case e.After["tried_now"] == true:
		return "somebody had it tried again"
	}
	return "it was changed"
}

// after says what was done last after a time; empty: nothing.
func (done outletDone) after(at time.Time) (what string) {
	for _, d := range done {
		if d.at.After(at) {
			at, what = d.at, d.what
		}
	}
	return what
}

// mended reports whether a try came to nothing because of the outlet's mapping, which was changed after it.
func (done outletDone) mended(a store.Attempt) bool {
	return a.Unsent() && slices.ContainsFunc(done, func(d outletDeed) bool { return d.mapping && d.at.After(a.At) })
}
