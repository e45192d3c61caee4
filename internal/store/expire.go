package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// How long personal data is kept once it has served its purpose, beside Keep. It is
// the same for all accounts.
//
// Decided: docs/choices.md, "Erasure".
const (
	intentLife  = 90 * 24 * time.Hour  // what suppliers were asked for
	batchLife   = 30 * 24 * time.Hour  // a batch, and the outcome of each item
	attemptLife = 30 * 24 * time.Hour  // attempts to deliver; when something was delivered stays, and what is parked
	feedRunLife = 90 * 24 * time.Hour  // the runs of feeds
	remarkLife  = 7 * 24 * time.Hour   // remarks on records of feeds
	paperLife   = 400 * 24 * time.Hour // links, agents' lists, what moves cost: longer than anything is booked ahead
	sameDocLife = 24 * time.Hour       // how much longer than Keep documents of feeds stay, for runs with the same ones
)

// Expired says how much was deleted because it had served its purpose.
type Expired struct {
	Searches, Intents, Batches, Findings, Answers, HandOffs, FeedRuns, Invitations, Paper int
	Lanes, Actions, Deliveries, Audit                                                     int
}

// Any reports whether anything was deleted.
func (e Expired) Any() bool { return e != Expired{} }

// Expire deletes, in all accounts, personal data that has served its purpose. It
// works in portions, and any number of replicas may run it at once.
func (db *DB) Expire(ctx context.Context, now time.Time) (e Expired, err error) {
	ctx = withLongWork(ctx)
	before := func(life time.Duration) int64 { return millis(now.Add(-life)) }
	if e.Searches, err = db.expireSearches(ctx, now); err != nil {
		return e, fmt.Errorf("delete old searches: %w", err)
	}
	for _, part := range []struct {
		into      *int
		statement string
		args      []any
	}{
		{&e.Intents, `
			DELETE FROM intent
			WHERE %[1]s IN (SELECT %[1]s FROM intent WHERE open = 0 AND created_at < $1 LIMIT %[2]d)`,
			[]any{before(intentLife)}},
		{&e.Batches, deleteOld("batch", "created_at < $1"), []any{before(batchLife)}},
		{&e.Answers, `
			DELETE FROM attempt
			WHERE %[1]s IN (
				SELECT t.%[1]s
				FROM outlet o
				CROSS JOIN attempt t
				WHERE t.account = o.account AND t.outlet = o.id AND t.at < $1
				LIMIT %[2]d)`, []any{before(attemptLife)}},
		{&e.Answers, deleteOld("idempotency", "created_at <= $1"), []any{before(remembered)}},
		{&e.Findings, deleteOld("search_session", "expires <= $1"), []any{millis(now)}},
		{&e.HandOffs, deleteOld("handoff", "created_at <= $1"), []any{before(handoffLife)}},
		{&e.Paper, deleteOld("shared_link", "made_at <= $1"), []any{before(paperLife)}},
		{&e.Paper, deleteOld("agent_list", "sent_at <= $1"), []any{before(paperLife)}},
		{&e.FeedRuns, `
			DELETE FROM feed_document
			WHERE %[1]s IN (SELECT d.%[1]s FROM ` + oldDocuments + ` LIMIT %[2]d)`,
			[]any{millis(db.keep.FeedDocuments.Until(now).Add(-sameDocLife))}},
		{&e.FeedRuns, `
			UPDATE feed_run
			SET remarks = ''
			WHERE %[1]s IN (SELECT %[1]s FROM feed_run WHERE began <= $1 AND remarks <> '' LIMIT %[2]d)`,
			[]any{before(remarkLife)}},
		{&e.FeedRuns, deleteOld("feed_run", "began <= $1 AND ended <> 0"), []any{before(feedRunLife)}},
		{&e.Paper, deleteOld("move_spent", "at <= $1"), []any{before(paperLife)}},
		{&e.Invitations, deleteOld("invitation", "created_at <= $1"), []any{before(invitationKept)}},
	} {
		n, err := db.inPortions(ctx, oldAtOnce, part.statement, part.args...)
		if err != nil {
			return e, fmt.Errorf("delete what has served its purpose: %w", err)
		}
		*part.into += n
	}
	err = db.forget(ctx, &e, now)
	return e, err
}

// deleteOld deletes some rows of a table, those for which which holds.
func deleteOld(table, which string) string {
	return `DELETE FROM ` + table + ` WHERE %[1]s IN (SELECT %[1]s FROM ` + table + ` WHERE ` + which + ` LIMIT %[2]d)`
}

// nextOldSearches reads the next old searches after a place, by the index on when they were made, and whether a booking
// keeps them.
var nextOldSearches = fmt.Sprintf(`
		SELECT s.created_at, s.account, s.id, coalesce((`+bookedFrom+` LIMIT 1), 0)
		FROM search s
		WHERE s.created_at < $1 AND (s.created_at, s.account, s.id) > ($3, $4, $5)
		ORDER BY s.created_at, s.account, s.id
		LIMIT %d`, oldAtOnce)

const deleteSearch = `
		DELETE FROM search AS s
		WHERE s.account = $3 AND s.id = $4 AND s.created_at < $1 AND NOT EXISTS (` + bookedFrom + `)`

// expireSearches deletes old searches, and returns how many.
func (db *DB) expireSearches(ctx context.Context, now time.Time) (all int, err error) {
	cut := cutOff(oldSearches, db.keep.Searches, now)
	at, account, id := int64(0), "", ""
	for n := oldAtOnce; n == oldAtOnce; {
		n = 0
		var idle [][2]string
		place := append(slices.Clone(cut), at, account, id)
		err := eachRow(ctx, db.reader, nextOldSearches, place, func(row scanner) error {
			n++
			var booked int
			err := row.Scan(&at, &account, &id, &booked)
			if booked == 0 {
				idle = append(idle, [2]string{account, id})
			}
			return err
		})
		if err != nil {
			return all, err
		}
		deleted, err := db.deleteSearches(ctx, idle, cut)
		if all += deleted; err != nil {
			return all, err
		}
	}
	return all, nil
}

// deleteSearches deletes searches, except any that led to a booking meanwhile.
func (db *DB) deleteSearches(ctx context.Context, idle [][2]string, cut []any) (deleted int, err error) {
	if len(idle) == 0 {
		return 0, nil
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		deleted = 0
		for _, key := range idle {
			one, err := changed(tx.ExecContext(ctx, deleteSearch, append(slices.Clone(cut), key[0], key[1])...))
			if err != nil {
				return err
			}
			deleted += one
		}
		return nil
	})
	return deleted, err
}

// eraseSearchOf deletes the search that an erased booking came of, if it is old
// and no other booking keeps it. If two such bookings are erased at the same
// time, the second waits here for the first, and so sees that it is the last.
func (s Scoped) eraseSearchOf(ctx context.Context, tx *sql.Tx, search string, now time.Time) error {
	if search == "" {
		return nil
	}
	cut := cutOff(deleteSearch, s.db.keep.Searches, now)
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE search
		SET traced = traced
		WHERE account = $1 AND id = $2 AND created_at < $3`,
		s.account, search, cut[0]))
	if err != nil || n == 0 {
		return wrapf(err, "erase search %s", search)
	}
	_, err = tx.ExecContext(ctx, deleteSearch, append(cut, s.account, search)...)
	return wrapf(err, "erase search %s", search)
}
