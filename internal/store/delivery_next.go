package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"gangway/internal/gangway"
)

// A Delivery is one action to be sent to one outlet.
type Delivery struct {
	ID      string // the webhook-id, the same on every try until it is replayed
	Seq     int    // of the action
	Outlet  gangway.Outlet
	Booking gangway.Booking // as it was right after the action
	Action  gangway.Action
	Request string // that caused the action; empty: none did
	Body    []byte // what was made of the record before; nil: nothing was yet, or it is sent as it is
}

// oldestDue is the number of the oldest delivery that is due in the queue of an account, outlet and booking. It
// is found by the queue's key: an index of what is due would be read from its beginning.
func oldestDue(account, outlet, booking string) string {
	return `(
		SELECT min(CASE state WHEN 'due' THEN seq END)
		FROM delivery
		WHERE account = ` + account + ` AND outlet = ` + outlet + ` AND booking = ` + booking + `)`
}

// queueColumns are a queue as the statement of NextDeliveries is given it, with its place in the list.
var queueColumns = givenColumns{{"place", numberColumn}, {"of_account", textColumn}, {"of_outlet", textColumn},
	{"of_booking", textColumn}}

// nextDeliveries is the statement of NextDeliveries, on queues as a table.
func nextDeliveries(queues string) string {
	return `
		SELECT g.place, d.id, d.seq, a.name, a.at, a.by_whom, a.request, a.snapshot, d.body
		FROM ` + queues + ` g
		CROSS JOIN delivery d
		CROSS JOIN action a
		WHERE d.account = g.of_account AND d.outlet = g.of_outlet AND d.booking = g.of_booking
			AND d.seq = ` + oldestDue("g.of_account", "g.of_outlet", "g.of_booking") + `
			AND a.account = d.account AND a.booking = d.booking AND a.seq = d.seq`
}

// A NextDelivery is what is next in a queue.
type NextDelivery struct {
	*Delivery       // nil: nothing is due, or the outlet takes nothing now
	Err       error // why it cannot be read
}

// NextDeliveries returns the oldest delivery that is due in each of queues that were just taken, in their order.
func (db *DB) NextDeliveries(ctx context.Context, queues []DeliveryQueue) ([]NextDelivery, error) {
	if len(queues) == 0 {
		return nil, nil
	}
	outlets, err := db.openOutlets(ctx, queues)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for i, l := range queues {
		if outlets[outletKey{l.Scope.Account, l.Outlet}] != nil {
			rows = append(rows, []any{int64(i), l.Scope.Account, l.Outlet, l.Booking})
		}
	}
	list := make([]NextDelivery, len(queues))
	for part := range db.dialect.parts(rows) {
		given, args := db.dialect.given(queueColumns, part)
		err := eachRow(ctx, db.reader, nextDeliveries(given), args, func(row scanner) error {
			var place int
			var snapshot, body string
			d := &Delivery{}
			if err := row.Scan(&place, &d.ID, &d.Seq, &d.Action.Name, when(&d.Action.At), &d.Action.By, &d.Request,
				&snapshot, &body); err != nil {
				return err
			}
			d.Action.Seq = d.Seq
			if body != "" {
				d.Body = []byte(body)
			}
			l := queues[place]
			o := outlets[outletKey{l.Scope.Account, l.Outlet}]
			d.Outlet = o.Outlet
			var err error
			if d.Booking, err = readSnapshot(snapshot); err != nil {
				err = fmt.Errorf("read snapshot of delivery %s: %w", d.ID, err)
			}
			list[place] = NextDelivery{d, cmp.Or(o.err, err)}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read deliveries: %w", err)
		}
	}
	return list, nil
}

// An openedOutlet is an outlet with its secrets, or why they cannot be opened.
type openedOutlet struct {
	gangway.Outlet
	err error
}

// An outletKey identifies an outlet.
type outletKey struct{ account, outlet string }

// outletKeyColumns are an outlet as the statement of openOutlets is given it.
var outletKeyColumns = givenColumns{{"of_account", textColumn}, {"of_outlet", textColumn}}

// openOutlets returns the outlets of queues, but for those that are switched off or paused.
func (db *DB) openOutlets(ctx context.Context, queues []DeliveryQueue) (map[outletKey]*openedOutlet, error) {
	found := map[outletKey]*openedOutlet{}
	var rows [][]any
	for _, l := range queues {
		key := outletKey{l.Scope.Account, l.Outlet}
		if _, known := found[key]; !known {
			found[key] = nil
			rows = append(rows, []any{key.account, key.outlet})
		}
	}
	for part := range db.dialect.parts(rows) {
		given, args := db.dialect.given(outletKeyColumns, part)
		err := eachRow(ctx, db.reader, outletsOfQueues(given), args, func(row scanner) error {
			var key outletKey
			var settings, hidden, secrets string
			o := &openedOutlet{}
			if err := row.Scan(&key.account, &key.outlet, &o.Name, &o.Transport.Kind, &settings, &hidden, &o.Mapping,
				&o.Format, &secrets, when(&o.FailingSince)); err != nil {
				return err
			}
			in := db.In(gangway.Scope{Account: key.account})
			o.ID, o.Transport.Settings = key.outlet, json.RawMessage(settings)
			if o.Secrets, o.err = in.openOutletSecrets(o.ID, secrets); o.err == nil {
				o.Transport.Secrets, o.err = in.openOutletSettings(o.ID, hidden)
			}
			found[key] = o
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read outlets: %w", err)
		}
	}
	return found, nil
}

// outletsOfQueues is the statement of openOutlets, on outlets as a table.
func outletsOfQueues(outlets string) string {
	return `
		SELECT o.account, o.id, o.name, o.kind, o.settings, o.credentials, o.mapping, o.format, o.secrets, o.failing_since
		FROM ` + outlets + ` g
		CROSS JOIN outlet o
		WHERE o.account = g.of_account AND o.id = g.of_outlet AND o.off = 0 AND o.paused = 0`
}
