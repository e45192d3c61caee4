package store

import (
	"context"
	"database/sql"

	"gangway/internal/store/internal/lease"
)

// The work that is leased. Whoever follows an intent up may renew its lease. A search is taken by JoinSearch, which
// also begins it again. Queues of deliveries are taken, renewed and given back many at a time: see TakeQueues and
// Settle.
var (
	intentLeases = lease.Table{Name: "intent", Key: "id", Open: "open = 1", Unnamed: true}
	feedLeases   = lease.Table{Name: "feed", Key: "name", Open: "1 = 1"}
	batchLeases  = lease.Table{Name: "batch", Key: "id", Open: "pending > 0"}
	searchLeases = lease.Table{Name: "search_session", Key: "key", Open: "ended = 0"}
	queueLeases  = lease.Table{Name: "lane", Key: "booking", Open: "pending > 0"}
)

// takeEach takes those of the work that was found which nobody else has taken meanwhile, in one transaction.
func takeEach[W any](ctx context.Context, db *DB, found []W, take func(*sql.Tx, *W) (bool, error)) (taken []W,
	err error) {
	if len(found) == 0 {
		return nil, nil
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		taken = nil
		for _, w := range found {
			mine, err := take(tx, &w)
			if err != nil {
				return err
			}
			if mine {
				taken = append(taken, w)
			}
		}
		return nil
	})
	return taken, err
}

// expireLeases ends all leases of work on SQLite, where a server has the database to itself: whoever had them is dead.
// On PostgreSQL there may be other replicas, and the leases of those that died expire by time.
func (db *DB) expireLeases(ctx context.Context) error {
	return db.write(withLongWork(ctx), func(tx *sql.Tx) error {
		for _, t := range []lease.Table{intentLeases, feedLeases, batchLeases, queueLeases} {
			if err := t.Expire(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}
