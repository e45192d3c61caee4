package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"
)

// How long personal data is kept once it has served its purpose. It is the same
// for all accounts.
//
// Decided: docs/choices.md, "Erasure".
const (
	searchLife  = 60 * 24 * time.Hour  // unless it led to a booking whose passenger is still known
	intentLife  = 90 * 24 * time.Hour  // what suppliers were asked for; that they were asked stays
	batchLife   = 30 * 24 * time.Hour  // a batch, and the outcome of each item
	attemptLife = 30 * 24 * time.Hour  // attempts to deliver; when something was delivered stays, and what is parked
	feedRunLife = 90 * 24 * time.Hour  // the runs of feeds
	remarkLife  = 7 * 24 * time.Hour   // remarks on records of feeds
	paperLife   = 400 * 24 * time.Hour // links and agents' lists: longer than anything is booked ahead
	feedDocLife = 8 * 24 * time.Hour   // documents that feeds have read: a day more for runs with the same ones
)

// Expired says how much was deleted because it had served its purpose.
type Expired struct {
	Searches, Intents, Batches, Findings, Answers, HandOffs, FeedRuns, Invitations, Paper int
}

// Any reports whether anything was deleted.
func (e Expired) Any() bool { return e != Expired{} }

// Expire deletes, in all accounts, personal data that has served its purpose. It
// works in portions, and any number of replicas may run it at once.
func (db *DB) Expire(ctx context.Context, now time.Time) (e Expired, err error) {
	ctx = withLongWork(ctx)
	before := func(life time.Duration) int64 { return millis(now.Add(-life)) }
	if e.Searches, err = db.expireSearches(ctx, before(searchLife)); err != nil {
		return e, fmt.Errorf("delete old searches: %w", err)
	}
	for _, part := range []struct {
		into      *int
		statement string
		args      []any
	}{
		{&e.Intents, `
			UPDATE intent
			SET doc = '{}', traced = 0, passenger = '', outcome = CASE WHEN outcome = $2 OR outcome = '' THEN outcome ELSE 'the details are no longer kept' END
			WHERE %[1]s IN (SELECT %[1]s FROM intent WHERE open = 0 AND doc <> '{}' AND created_at < $1 LIMIT %[2]d)`, []any{before(intentLife), Done}},
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
			WHERE %[1]s IN (SELECT d.%[1]s FROM feed_document d
				JOIN feed_run r ON r.account = d.account AND r.feed = d.feed AND r.id = d.run
				WHERE r.began <= $1 LIMIT %[2]d)`, []any{before(feedDocLife)}},
		{&e.FeedRuns, `
			UPDATE feed_run
			SET remarks = ''
			WHERE %[1]s IN (SELECT %[1]s FROM feed_run WHERE began <= $1 AND remarks <> '' LIMIT %[2]d)`,
			[]any{before(remarkLife)}},
		{&e.FeedRuns, deleteOld("feed_run", "began <= $1 AND ended <> 0"), []any{before(feedRunLife)}},
		{&e.Invitations, deleteOld("invitation", "created_at <= $1"), []any{before(invitationKept)}},
	} {
		n, err := db.inPortions(ctx, oldAtOnce, part.statement, part.args...)
		if err != nil {
			return e, fmt.Errorf("delete what has served its purpose: %w", err)
		}
		*part.into += n
	}
	return e, nil
}

// deleteOld deletes some rows of a table, those for which which holds.
func deleteOld(table, which string) string {
	return `DELETE FROM ` + table + ` WHERE %[1]s IN (SELECT %[1]s FROM ` + table + ` WHERE ` + which + ` LIMIT %[2]d)`
}

// oldSearches reads the next searches after a place, by the index on when they
// were made. A search stays as long as a booking that came of it and whose
// passenger is known.
var oldSearches = fmt.Sprintf(`
		SELECT s.created_at, s.account, s.id, coalesce((`+bookedFrom+` LIMIT 1), 0)
		FROM search s
		WHERE s.created_at < $1 AND (s.created_at, s.account, s.id) > ($2, $3, $4)
		ORDER BY s.created_at, s.account, s.id
		LIMIT %d`, oldAtOnce)

// bookedFrom finds a booking that came of the search s and whose passenger is known.
const bookedFrom = `SELECT 1 FROM booking b WHERE b.account = s.account AND b.search = s.id AND b.erased_at = 0`

const deleteSearch = `
		DELETE FROM search AS s
		WHERE s.account = $1 AND s.id = $2 AND NOT EXISTS (` + bookedFrom + `)`

// searchMargin is how far before its last end the next look at old searches
// begins: more than replicas' clocks differ, or a transaction takes.
const searchMargin = 24 * time.Hour

// searchesSeen is how far this process has looked at old searches. Those that are
// left before it led to bookings, and are deleted with the last of these
// (eraseSearchOf): looking again at as many of them as there ever were bookings
// would find nothing. A new process looks at all of them once.
type searchesSeen struct {
	mu sync.Mutex // held while somebody looks
	at int64      // all searches made before are dealt with
}

// expireSearches deletes the searches made before a time that led to nothing, and
// returns how many. It looks at each search once: a portion starts where the one
// before it ended, and the next run where this one ended.
func (db *DB) expireSearches(ctx context.Context, before int64) (all int, err error) {
	db.searches.mu.Lock()
	defer db.searches.mu.Unlock()
	at, account, id := db.searches.at, "", ""
	for n := oldAtOnce; n == oldAtOnce; {
		n = 0
		var idle [][2]string
		err := eachRow(ctx, db.reader, oldSearches, []any{before, at, account, id}, func(row scanner) error {
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
		deleted, err := db.deleteSearches(ctx, idle)
		if all += deleted; err != nil {
			return all, err
		}
		db.searches.at = max(db.searches.at, min(at, before-searchMargin.Milliseconds()))
	}
	db.searches.at = max(db.searches.at, before-searchMargin.Milliseconds())
	return all, nil
}

// deleteSearches deletes searches, except any that led to a booking meanwhile.
func (db *DB) deleteSearches(ctx context.Context, idle [][2]string) (deleted int, err error) {
	if len(idle) == 0 {
		return 0, nil
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		deleted = 0
		for _, key := range idle {
			one, err := changed(tx.ExecContext(ctx, deleteSearch, key[0], key[1]))
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
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE search
		SET traced = traced
		WHERE account = $1 AND id = $2 AND created_at < $3`,
		s.account, search, millis(now.Add(-searchLife))))
	if err != nil || n == 0 {
		return wrapf(err, "erase search %s", search)
	}
	_, err = tx.ExecContext(ctx, deleteSearch, s.account, search)
	return wrapf(err, "erase search %s", search)
}
