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
		INSERT INTO action (account, booking, seq, name, at, by_whom, note, snapshot, request, by_name, changed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce((
			SELECT p.name
			FROM person p
			JOIN account a ON a.id = $1 AND a.customer = p.customer
			WHERE p.email = $6), ''), `+s.db.dialect.thisChange()+`)`,
		s.account, b.ID, action.Seq, action.Name, millis(action.At), action.By, action.Note, snapshot,
		RequestOf(ctx))
	if err != nil {
		return fmt.Errorf("record %s of booking %s: %w", action.Name, b.ID, err)
	}
	if err := s.awaitPull(ctx, tx, b.ID, action); err != nil {
		return err
	}
	outlets, err := s.outletsWanting(ctx, tx, action.Name)
	if err != nil {
		return err
	}
	for _, outlet := range outlets {
		if err := s.makeDelivery(ctx, tx, outlet, b.ID, action.Seq, s.real(action.At)); err != nil {
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

// outletsWanting returns the outlets that get the actions that lead to a state, each with its identifier and its batch,
// in the order in which everybody locks queues. None of them is deleted before the transaction ends.
func (s Scoped) outletsWanting(ctx context.Context, tx *sql.Tx, state gangway.State) (list []gangway.Outlet,
	err error) {
	err = eachRow(ctx, tx, `
		SELECT id, states, batch
		FROM outlet
		WHERE account = $1
		ORDER BY id`+s.db.dialect.keyShare(),
		[]any{s.account}, func(row scanner) error {
			var o gangway.Outlet
			var states string
			if err := row.Scan(&o.ID, &states, howLong(&o.Batch)); err != nil {
				return err
			}
			if o.States = splitStates(states); o.Wants(state) {
				list = append(list, o)
			}
			return nil
		})
	return list, wrapf(err, "list outlets")
}

// makeDelivery puts an action into its queue at an outlet.
func (s Scoped) makeDelivery(ctx context.Context, tx *sql.Tx, o gangway.Outlet, booking string, seq int,
	at time.Time) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts)
		VALUES ($1, $2, $3, $4, $5, 'due', $6, 0, 0)`,
		s.account, o.ID, booking, seq, "msg_"+rand.Text(), millis(at))
	if err != nil {
		return fmt.Errorf("make delivery: %w", err)
	}
	queue, due := queueOf(o, booking, at)
	return s.enqueue(ctx, tx, o.ID, queue, due, false)
}

// History returns what happened to a booking, oldest first.
func (s Scoped) History(ctx context.Context, booking string) ([]gangway.Action, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (a gangway.Action, err error) {
		err = row.Scan(&a.Seq, &a.Name, when(&a.At), &a.By, &a.Note)
		return a, err
	}, `
		SELECT seq, name, at, by_whom, note
		FROM action
		WHERE account = $1 AND booking = $2
		ORDER BY seq`,
		s.account, booking)
	return list, wrapf(err, "read history of booking %s", booking)
}
