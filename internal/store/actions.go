package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// recordAction appends an action to the history of b, with a snapshot of b and the name that whoever did
// it has now. It makes one delivery
// for each of the account's outlets that wants it, and the action also waits to be pulled. Outlets that are
// switched off or paused get deliveries too, which wait.
func (s Scoped) recordAction(ctx context.Context, tx *sql.Tx, b gangway.Booking, action gangway.Action) error {
	snapshot, err := writeSnapshot(b)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO action (account, booking, seq, name, at, by_whom, note, snapshot, by_name, changed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce((
			SELECT p.name
			FROM person p
			JOIN account a ON a.id = $1 AND a.customer = p.customer
			WHERE p.email = $6), ''), `+s.db.dialect.thisChange()+`)`,
		s.account, b.ID, action.Seq, action.Name, millis(action.At), action.By, action.Note, snapshot)
	if err != nil {
		return fmt.Errorf("record %s of booking %s: %w", action.Name, b.ID, err)
	}
	if err := s.awaitPull(ctx, tx, b.ID, action); err != nil {
		return err
	}
	made := s.real(action.At)
	outlets, err := s.outletsWanting(ctx, tx, action.Name, made)
	if err != nil {
		return err
	}
	for _, outlet := range outlets {
		if err := s.makeDelivery(ctx, tx, outlet, b.ID, action, snapshot, made); err != nil {
			return err
		}
	}
	return nil
}

// writeSnapshot writes b as the customer is sent it: the traveller has only the fields that are in
// the customer's booking record.
func writeSnapshot(b gangway.Booking) (string, error) {
	b.Passenger = b.Passenger.Recorded()
	doc, err := json.Marshal(b)
	return string(doc), wrapf(err, "write snapshot of booking %s", b.ID)
}

// A wantingOutlet is an outlet that gets an action, with its identifier, how it is sent, and what it gets together.
type wantingOutlet struct {
	*sealedOutlet
	ready bool // it takes deliveries now
}

// outletsWanting returns the outlets that get the actions that lead to a state, in the order in which everybody locks
// their queues. None of them is deleted before the transaction ends.
func (s Scoped) outletsWanting(ctx context.Context, tx *sql.Tx, state gangway.State,
	now time.Time) (list []wantingOutlet, err error) {
	err = eachRow(ctx, tx, `
		SELECT id, states, batch, CASE WHEN off = 0 AND paused = 0 AND held_until <= $2 THEN 1 ELSE 0 END,
			`+sealedOutletColumns+`
		FROM outlet o
		WHERE account = $1
		ORDER BY id`+s.db.dialect.keyShare(),
		[]any{s.account, millis(now)}, func(row scanner) error {
			o := wantingOutlet{sealedOutlet: s.sealedOutlet("")}
			var states string
			var batch int64
			err := row.Scan(append([]any{&o.ID, &states, &batch, &o.ready}, o.columns()...)...)
			if err != nil {
				return err
			}
			o.Batch = time.Duration(batch) * time.Millisecond
			if o.States = splitStates(states); o.Wants(state) {
				list = append(list, o)
			}
			return nil
		})
	return list, wrapf(err, "list outlets")
}

// makeDelivery puts an action into its queue at the outlet. An empty queue becomes due when the action is; one
// that waits, for a retry or for what else comes, keeps waiting.
func (s Scoped) makeDelivery(ctx context.Context, tx *sql.Tx, outlet wantingOutlet, booking string,
	action gangway.Action, snapshot string, at time.Time) error {
	id := "msg_" + rand.Text()
	_, err := tx.ExecContext(ctx, `
		INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts)
		VALUES ($1, $2, $3, $4, $5, 'due', $6, 0, 0)`,
		s.account, outlet.ID, booking, action.Seq, id, millis(at))
	if err != nil {
		return fmt.Errorf("make delivery: %w", err)
	}
	queue, due := queueOf(outlet.Outlet, booking, at)
	return s.fillQueue(ctx, tx, queue, due, outlet.ready, justMade(outlet, id, action, snapshot))
}

// justMade returns a delivery as it would be read once it is committed.
func justMade(outlet wantingOutlet, id string, action gangway.Action, snapshot string) *StoredDelivery {
	return &StoredDelivery{outlet: outlet.sealedOutlet, at: millis(action.At), snapshot: snapshot, delivery: Delivery{
		ID: id, Seq: action.Seq, Action: gangway.Action{Name: action.Name, By: action.By}}}
}

// enqueue counts n more deliveries in a queue. taken: it was empty, and whoever l names has it until then.
func (s Scoped) enqueue(ctx context.Context, tx *sql.Tx, l DeliveryQueue, n int, due, until time.Time) (taken bool,
	err error) {
	err = tx.QueryRowContext(ctx, `
		INSERT INTO lane (account, outlet, booking, pending, due, tries, first_at, lease, holder)
		VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $7)
		ON CONFLICT (account, outlet, booking) DO UPDATE
		SET pending = lane.pending + excluded.pending,
			due = CASE WHEN lane.pending = 0 THEN excluded.due ELSE lane.due END,
			lease = CASE WHEN lane.pending = 0 AND lane.lease = 0 THEN excluded.lease ELSE lane.lease END,
			holder = CASE WHEN lane.pending = 0 AND lane.lease = 0 THEN excluded.holder ELSE lane.holder END
		RETURNING CASE WHEN holder = $7 AND holder <> '' THEN 1 ELSE 0 END`,
		s.account, l.Outlet, l.Booking, n, millis(due), millis(until), l.holder).Scan(&taken)
	return taken, wrapf(err, "put delivery into its queue")
}

// History returns what happened to a booking, oldest first.
func (s Scoped) History(ctx context.Context, booking string) ([]gangway.Action, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (a gangway.Action, err error) {
		var at int64
		err = row.Scan(&a.Seq, &a.Name, &at, &a.By, &a.Note)
		a.At = instant(at)
		return a, err
	}, `
		SELECT seq, name, at, by_whom, note
		FROM action
		WHERE account = $1 AND booking = $2
		ORDER BY seq`,
		s.account, booking)
	return list, wrapf(err, "read history of booking %s", booking)
}
