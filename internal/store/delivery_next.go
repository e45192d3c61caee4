package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"gangway/internal/gangway"
)

// A Delivery is one action to be sent to one outlet.
type Delivery struct {
	ID      string // the webhook-id, the same on every try until it is replayed
	Seq     int    // of the action
	Outlet  gangway.Outlet
	Booking gangway.Booking // as it was right after the action
	Action  gangway.Action
	Body    []byte // what was made of the record before; nil: nothing was yet, or it is sent as it is
}

// deliveryColumns are the columns of a delivery d and its action a that a StoredDelivery is read from.
const deliveryColumns = `d.id, d.seq, a.name, a.at, a.by_whom, a.snapshot, d.body`

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
		SELECT g.place, ` + deliveryColumns + `
		FROM ` + queues + ` g
		CROSS JOIN delivery d
		CROSS JOIN action a
		WHERE d.account = g.of_account AND d.outlet = g.of_outlet AND d.booking = g.of_booking
			AND d.seq = ` + oldestDue("g.of_account", "g.of_outlet", "g.of_booking") + `
			AND a.account = d.account AND a.booking = d.booking AND a.seq = d.seq`
}

// NextDeliveries returns the oldest delivery that is due in each of queues that were just taken, in their order;
// nil where there is none.
func (db *DB) NextDeliveries(ctx context.Context, queues []DeliveryQueue) ([]*StoredDelivery, error) {
	if len(queues) == 0 {
		return nil, nil
	}
	outlets, err := db.sealedOutlets(ctx, queues)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for i, l := range queues {
		if outlets[outletKey{l.Scope.Account, l.Outlet}] != nil {
			rows = append(rows, []any{int64(i), l.Scope.Account, l.Outlet, l.Booking})
		}
	}
	list := make([]*StoredDelivery, len(queues))
	for part := range db.dialect.parts(rows) {
		given, args := db.dialect.given(queueColumns, part)
		err := eachRow(ctx, db.reader, nextDeliveries(given), args, func(row scanner) error {
			var place int
			r := &StoredDelivery{}
			if err := row.Scan(append([]any{&place}, r.columns()...)...); err != nil {
				return err
			}
			l := queues[place]
			r.outlet = outlets[outletKey{l.Scope.Account, l.Outlet}]
			list[place] = r
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read deliveries: %w", err)
		}
	}
	return list, nil
}

// A StoredDelivery is a delivery as it was read.
type StoredDelivery struct {
	outlet         *sealedOutlet
	delivery       Delivery
	at             int64
	snapshot, body string
}

// columns are where deliveryColumns are read to.
func (r *StoredDelivery) columns() []any {
	d := &r.delivery
	return []any{&d.ID, &d.Seq, &d.Action.Name, &r.at, &d.Action.By, &r.snapshot, &r.body}
}

// Open unseals what is secret, and returns the delivery.
func (r *StoredDelivery) Open() (Delivery, error) {
	d := r.delivery
	d.Action.Seq, d.Action.At = d.Seq, instant(r.at)
	if r.body != "" {
		d.Body = []byte(r.body)
	}
	var err error
	if d.Booking, err = readSnapshot(r.snapshot); err != nil {
		return d, fmt.Errorf("read snapshot of delivery %s: %w", d.ID, err)
	}
	d.Outlet, err = r.outlet.open()
	return d, err
}

// sealedOutletColumns are the columns of an outlet o that a sealedOutlet is read from.
const sealedOutletColumns = `o.name, o.kind, o.settings, o.credentials, o.mapping, o.format, o.secrets, o.failing_since`

// A sealedOutlet is what has to be known of an outlet to send to it, as it was read: its secrets are sealed. It is
// opened once, also by several who deliver to it at the same time.
type sealedOutlet struct {
	gangway.Outlet
	in                        Scoped
	settings, hidden, secrets string
	failing                   int64

	once   sync.Once
	opened gangway.Outlet
	err    error
}

func (s Scoped) sealedOutlet(id string) *sealedOutlet {
	return &sealedOutlet{in: s, Outlet: gangway.Outlet{ID: id}}
}

// columns are where sealedOutletColumns are read to.
func (o *sealedOutlet) columns() []any {
	return []any{&o.Name, &o.Transport.Kind, &o.settings, &o.hidden, &o.Mapping, &o.Format, &o.secrets, &o.failing}
}

// open returns the outlet with its secrets.
func (o *sealedOutlet) open() (gangway.Outlet, error) {
	o.once.Do(func() {
		o.opened = o.Outlet
		o.opened.Transport.Settings, o.opened.FailingSince = json.RawMessage(o.settings), instant(o.failing)
		if o.opened.Secrets, o.err = o.in.openOutletSecrets(o.ID, o.secrets); o.err == nil {
			o.opened.Transport.Secrets, o.err = o.in.openOutletSettings(o.ID, o.hidden)
		}
	})
	return o.opened, o.err
}

// An outletKey identifies an outlet.
type outletKey struct{ account, outlet string }

// outletKeyColumns are an outlet as the statement of sealedOutlets is given it.
var outletKeyColumns = givenColumns{{"of_account", textColumn}, {"of_outlet", textColumn}}

// sealedOutlets returns the outlets of queues, but for those that are switched off or paused.
func (db *DB) sealedOutlets(ctx context.Context, queues []DeliveryQueue) (map[outletKey]*sealedOutlet, error) {
	found := map[outletKey]*sealedOutlet{}
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
			o := &sealedOutlet{}
			if err := row.Scan(append([]any{&key.account, &key.outlet}, o.columns()...)...); err != nil {
				return err
			}
			o.ID, o.in = key.outlet, db.In(gangway.Scope{Account: key.account})
			found[key] = o
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read outlets: %w", err)
		}
	}
	return found, nil
}

// outletsOfQueues is the statement of sealedOutlets, on outlets as a table.
func outletsOfQueues(outlets string) string {
	return `
		SELECT o.account, o.id, ` + sealedOutletColumns + `
		FROM ` + outlets + ` g
		CROSS JOIN outlet o
		WHERE o.account = g.of_account AND o.id = g.of_outlet AND o.off = 0 AND o.paused = 0`
}
