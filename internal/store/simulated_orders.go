package store

import (
	"context"
	"database/sql"
	"fmt"

	"gangway"
)

// SimulatedOrders is where the simulated network keeps one account's orders.
// It knows nothing of what is in them.
type SimulatedOrders struct{ s Scoped }

// SimulatedOrders returns the simulated network's books for the account.
func (s Scoped) SimulatedOrders() SimulatedOrders { return SimulatedOrders{s} }

// Load returns an order's document and version. NotFound: there is no such order.
func (o SimulatedOrders) Load(ctx context.Context, id string) (doc []byte, version int, err error) {
	err = o.s.db.reader.QueryRowContext(ctx, `
		SELECT doc, version
		FROM simulated_order
		WHERE account = $1 AND id = $2`,
		o.s.account, id).Scan(&doc, &version)
	return doc, version, one(err, "the simulated network has no such order")
}

// LoadByReference returns the order that was held under reference. NotFound: there is none.
func (o SimulatedOrders) LoadByReference(ctx context.Context, reference string) (doc []byte, version int, err error) {
	err = o.s.db.reader.QueryRowContext(ctx, `
		SELECT doc, version
		FROM simulated_order
		WHERE account = $1 AND reference = $2`,
		o.s.account, reference).Scan(&doc, &version)
	return doc, version, one(err, "the simulated network has no order under this reference")
}

// Save writes version 1 of a new order, or the version after the one that was
// read. Conflict: the reference is taken, or somebody else wrote first.
func (o SimulatedOrders) Save(ctx context.Context, id, reference string, doc []byte, version int) error {
	return o.s.db.write(ctx, func(tx *sql.Tx) error {
		query := `
			UPDATE simulated_order
			SET doc = $4, version = $5
			WHERE account = $1 AND id = $2 AND reference = $3 AND version = $5 - 1`
		if version == 1 {
			query = `
				INSERT INTO simulated_order (account, id, reference, doc, version)
				VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT DO NOTHING`
		}
		res, err := tx.ExecContext(ctx, query, o.s.account, id, reference, string(doc), version)
		if err != nil {
			return fmt.Errorf("save simulated order %s: %w", id, err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return gangway.Errorf(gangway.Conflict, "the simulated order was changed by someone else")
		}
		return nil
	})
}
