package store

import (
	"context"
	"fmt"
	"time"

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

// A DeliveryStatus says how far the delivery of an action has come.
type DeliveryStatus struct {
	ID       string // the webhook-id
	Outlet   string
	Booking  string
	Seq      int
	State    string // "due", "done" or "parked"
	Attempts int    // with every webhook-id that it had
	DoneAt   time.Time
	Last     Attempt // the latest with its webhook-id, if any
	Before   Attempt // without one: the latest before it was replayed, if it was
	Place    gangway.DeliveryPlace
}

// DeliveriesListed is how many deliveries a list of them has at most. One more says that there are more.
const DeliveriesListed = 1000

// DeliveryStatuses returns how far each action of a booking was delivered, outlet by outlet, in the
// order of the actions: the first DeliveriesListed, and one more if there are more.
func (s Scoped) DeliveryStatuses(ctx context.Context, booking string) ([]DeliveryStatus, error) {
	return s.statuses(ctx, `d.booking = $2`, booking)
}

// Parked returns the deliveries to an outlet that are no longer retried, oldest first, as many as
// DeliveryStatuses.
func (s Scoped) Parked(ctx context.Context, outlet string) ([]DeliveryStatus, error) {
	return s.statuses(ctx, `d.outlet = $2 AND d.state = 'parked'`, outlet)
}

func (s Scoped) statuses(ctx context.Context, which, arg string) ([]DeliveryStatus, error) {
	list, err := selectAll(ctx, s.db.reader, scanDeliveryStatus, `
		SELECT `+statusColumns+`
		FROM delivery d
		LEFT JOIN attempt t ON t.account = d.account AND t.outlet = d.outlet AND t.booking = d.booking AND t.seq = d.seq
			AND t.at = (SELECT max(at) FROM attempt WHERE account = d.account AND outlet = d.outlet AND booking = d.booking AND seq = d.seq)
		WHERE d.account = $1 AND `+which+`
		ORDER BY d.made_at, d.seq, d.outlet
		LIMIT $3`,
		s.account, arg, DeliveriesListed+1)
	if err != nil {
		return nil, fmt.Errorf("read deliveries: %w", err)
	}
	return list, nil
}

// statusColumns are what scanDeliveryStatus reads, of a delivery d and its latest try t.
var statusColumns = `d.id, d.outlet, d.booking, d.seq, d.state, d.attempts, d.done_at, coalesce(t.at, 0),
	coalesce(t.took_ms, 0), coalesce(t.status, 0), coalesce(t.answer, ''), ` + webhookID + `,` + placeColumns

// webhookID is the webhook-id that a delivery d had when it was tried with t, and its own without any.
const webhookID = `coalesce(nullif(t.webhook_id, ''), d.id)`

func scanDeliveryStatus(row scanner) (d DeliveryStatus, err error) {
	var done, at, took int64
	var last Attempt
	var p placed
	err = row.Scan(append([]any{&d.ID, &d.Outlet, &d.Booking, &d.Seq, &d.State, &d.Attempts, &done, &at, &took,
		&last.Status, &last.Answer, &last.WebhookID}, p.columns()...)...)
	d.Place, d.DoneAt = p.of(d.Seq), instant(done)
	last.At, last.Took = instant(at), time.Duration(took)*time.Millisecond
	switch {
	case at == 0:
	case last.WebhookID == d.ID:
		d.Last = last
	default:
		d.Before = last
	}
	return d, err
}
