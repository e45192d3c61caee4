package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// eraseBatchItem empties items of batches that have an outcome. The outcome
// stays, but without its words.
const eraseBatchItem = `
	UPDATE batch_item
	SET doc = '{}', traced = 0, outcome = CASE WHEN outcome = '' THEN outcome ELSE 'the traveller was erased' END
	WHERE account = $1 AND state <> 'open'`

// eraseBatchItem empties the traveller's item in a batch. Conflict: it has no
// outcome yet.
func (s Scoped) eraseBatchItem(ctx context.Context, tx *sql.Tx, row travellerRow, e *erasing) error {
	if _, err := row.lock(ctx, tx); errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return fmt.Errorf("erase from a batch: %w", err)
	}
	if err := s.refuseOpenItem(ctx, tx, row); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, eraseBatchItem+` AND batch = $2 AND booking = $3`, row.key...); err != nil {
		return fmt.Errorf("erase from a batch: %w", err)
	}
	e.done.Batches++
	return row.retrace(ctx, tx, nil)
}

// refuseOpenItem returns a Conflict when an item of a batch has no outcome yet.
func (s Scoped) refuseOpenItem(ctx context.Context, q querier, row travellerRow) error {
	var open bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (
			SELECT 1
			FROM batch_item
			WHERE account = $1 AND batch = $2 AND booking = $3 AND state = 'open')`,
		row.key...).Scan(&open)
	if err != nil {
		return fmt.Errorf("read whether an item of a batch is open: %w", err)
	}
	if open {
		return errBeingBooked
	}
	return nil
}
