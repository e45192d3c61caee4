package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
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

// nextDelivery is the statement of NextDelivery.
var nextDelivery = `
	SELECT ` + deliveryColumns + `, ` + sealedOutletColumns + `
	FROM lane l
	JOIN outlet o ON o.account = l.account AND o.id = l.outlet AND o.off = 0 AND o.paused = 0
	JOIN delivery d ON d.account = l.account AND d.outlet = l.outlet AND d.booking = l.booking
		AND d.seq = ` + oldestDue("l.account", "l.outlet", "l.booking") + `
	JOIN action a ON a.account = d.account AND a.booking = d.booking AND a.seq = d.seq
	WHERE l.account = $1 AND l.outlet = $2 AND l.booking = $3 AND l.holder = $4`

// NextDelivery returns the oldest delivery that is due in a queue. NotFound: there is none, the
// outlet is switched off or paused, or another worker has taken the queue.
func (s Scoped) NextDelivery(ctx context.Context, l DeliveryQueue) (Delivery, error) {
	r := StoredDelivery{outlet: s.sealedOutlet(l.Outlet)}
	err := s.db.reader.QueryRowContext(ctx, nextDelivery, s.account, l.Outlet, l.Booking, l.holder).
		Scan(append(r.columns(), r.outlet.columns()...)...)
	if err != nil {
		return Delivery{}, notFoundOr(err, "nothing is due")
	}
	return r.Open()
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

// Unshaped reports whether its outlet's mapping has still to make its body.
func (r *StoredDelivery) Unshaped() bool { return r.outlet.Mapping != "" && r.body == "" }

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

// An Attempt is one try to deliver.
type Attempt struct {
	At        time.Time
	Took      time.Duration
	Status    int    // HTTP status; 0 when there was no answer
	Answer    string // the beginning of it, or why there was none
	WebhookID string // that its delivery had then; empty in one that is not stored yet
}

// Delivered is RecordDelivered for one delivery.
func (s Scoped) Delivered(ctx context.Context, l DeliveryQueue, d Delivery, a Attempt,
	until time.Time) (more bool, err error) {
	done := s.db.RecordDelivered(ctx, []Outcome{{l, d, a, until}})[0]
	return done.More, done.Err
}

// A DeliveryFailure says what to do after a failed attempt.
type DeliveryFailure struct {
	Park  bool      // it is no longer retried by itself, and later deliveries go ahead
	Next  time.Time // otherwise: when it is tried next
	Probe time.Time // when the outlet is tried at the latest, even if everything there is due later
	Quiet time.Time // the customer wants nothing before then; zero: it did not say
	Off   string    // why the outlet is switched off; empty: it is not
	Ours  bool      // it says nothing of the customer's system, and counts as no try
}

// Failed records that d could not be delivered and releases the queue. off reports whether the outlet was switched off
// by it, and not before.
func (s Scoped) Failed(ctx context.Context, l DeliveryQueue, d Delivery, a Attempt,
	b DeliveryFailure) (off bool, err error) {
	return s.failed(ctx, l, 1, a, b, func(tx *sql.Tx, state string) error {
		return s.settle(ctx, tx, l, d, a, state)
	})
}

// failed is Failed for n deliveries, which settle settles.
func (s Scoped) failed(ctx context.Context, l DeliveryQueue, n int, a Attempt, b DeliveryFailure,
	settle func(tx *sql.Tx, state string) error) (off bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		// The outlet's row is locked first, so that failures of one outlet are handled one after
		// another: each sees when the queues of the earlier ones are due. What was refused before, and is again,
		// says nothing new of an outlet that has accepted others meanwhile.
		_, err := tx.ExecContext(ctx, `
			UPDATE outlet
			SET failing_since = CASE WHEN failing_since = 0 AND $5 = 1 THEN CAST($3 AS BIGINT) ELSE failing_since END,
				held_until = CASE WHEN held_until < $4 THEN CAST($4 AS BIGINT) ELSE held_until END
			WHERE account = $1 AND id = $2`,
			s.account, l.Outlet, millis(a.At), millis(b.Quiet),
			truthValue(!b.Ours && (l.Tries == 0 || a.Status == 0)))
		if err != nil {
			return fmt.Errorf("write failure of outlet %s: %w", l.Outlet, err)
		}
		if b.Off != "" {
			if off, err = s.switchOff(ctx, tx, l.Outlet, b.Off, a.At); err != nil {
				return err
			}
		}
		state := "due"
		switch {
		case b.Ours:
			err = s.releaseQueue(ctx, tx, l, `due = $5`, millis(b.Next))
		case b.Park:
			state = "parked"
			err = s.releaseQueue(ctx, tx, l, `pending = pending - $6, tries = 0, first_at = 0, due = $5`, millis(a.At), n)
		default:
			err = s.releaseQueue(ctx, tx, l,
				`tries = tries + 1, first_at = CASE WHEN first_at = 0 THEN CAST($5 AS BIGINT) ELSE first_at END, due = $6`,
				millis(a.At), millis(b.Next))
		}
		if err != nil {
			return err
		}
		if err := settle(tx, state); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE lane
			SET due = $4
			WHERE account = $1 AND outlet = $2 AND booking = $3 AND pending > 0 AND due > $4 AND NOT EXISTS (
				SELECT 1
				FROM lane o
				WHERE o.account = $1 AND o.outlet = $2 AND o.booking <> $3 AND o.pending > 0 AND o.due <= $4)`,
			s.account, l.Outlet, l.Booking, millis(b.Probe))
		if err != nil {
			return fmt.Errorf("keep trying outlet %s: %w", l.Outlet, err)
		}
		return nil
	}, Deliveries)
	return off && err == nil, err
}

// switchOff switches an outlet off and records that in the audit log, unless it is off: of the pushes that were under
// way one does it.
func (s Scoped) switchOff(ctx context.Context, tx *sql.Tx, outlet, reason string, at time.Time) (off bool, err error) {
	res, err := tx.ExecContext(ctx, `
		UPDATE outlet
		SET off = 1, off_reason = $3
		WHERE account = $1 AND id = $2 AND off = 0`,
		s.account, outlet, reason)
	if err != nil {
		return false, fmt.Errorf("switch outlet %s off: %w", outlet, err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	return true, s.record(ctx, tx, gangway.AuditEntry{
		At: at, By: gangway.BySystem(), What: gangway.OutletOff,
		Before: map[string]any{"outlet": outlet, "off": false},
		After:  map[string]any{"outlet": outlet, "off": true, "reason": reason},
	})
}

// errSettled says that the outcome of a delivery was recorded by a transaction whose own outcome was
// unknown, since the database went away meanwhile. The queue is still the caller's, and to be released.
var errSettled = gangway.Errorf(gangway.NotFound, "the delivery is settled")

// settle writes a failed attempt to deliver d and the state of d after it.
func (s Scoped) settle(ctx context.Context, tx *sql.Tx, l DeliveryQueue, d Delivery, a Attempt, state string) error {
	res, err := tx.ExecContext(ctx, `
		UPDATE delivery
		SET state = $5, done_at = 0, attempts = attempts + 1
		WHERE account = $1 AND outlet = $2 AND booking = $3 AND seq = $4
			AND CASE state WHEN 'due' THEN 1 ELSE 0 END = 1`, // see advanceQueues
		s.account, l.Outlet, l.Booking, d.Seq, state)
	if err != nil {
		return fmt.Errorf("write delivery %s: %w", d.ID, err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, errSettled)
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT DO NOTHING`,
		s.account, l.Outlet, l.Booking, d.Seq, millis(a.At), a.Took.Milliseconds(), a.Status, storedAnswer(a))
	if err != nil {
		return fmt.Errorf("write attempt at delivery %s: %w", d.ID, err)
	}
	return nil
}

// storedAnswer is the answer as it is stored: PostgreSQL has neither NUL nor invalid UTF-8 in a text.
func storedAnswer(a Attempt) string {
	return strings.ToValidUTF8(strings.ReplaceAll(a.Answer, "\x00", ""), "\uFFFD")
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
