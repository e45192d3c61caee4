package store

import (
	"context"
	"fmt"
	"time"
)

// How long personal data is kept once it has served its purpose. It is the same
// for all accounts.
//
// Decided: docs/choices.md, "Erasure".
const (
	searchLife  = 60 * 24 * time.Hour // unless it led to a booking whose passenger is still known
	intentLife  = 90 * 24 * time.Hour // what suppliers were asked for; that they were asked stays
	batchLife   = 30 * 24 * time.Hour // a batch, and the outcome of each item
	attemptLife = 30 * 24 * time.Hour // attempts to deliver; when something was delivered stays, and what is parked
	feedRunLife = 90 * 24 * time.Hour // the runs of feeds
	remarkLife  = 7 * 24 * time.Hour  // remarks on records of feeds
	feedDocLife = 8 * 24 * time.Hour  // documents that feeds have read: a day more for runs with the same ones
)

// Expired says how much was deleted because it had served its purpose.
type Expired struct{ Searches, Intents, Batches, Findings, Answers, HandOffs, FeedRuns int }

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
		{&e.Batches, `
			DELETE FROM batch
			WHERE %[1]s IN (SELECT %[1]s FROM batch WHERE created_at < $1 LIMIT %[2]d)`, []any{before(batchLife)}},
		{&e.Answers, `
			DELETE FROM attempt
			WHERE %[1]s IN (
				SELECT t.%[1]s
				FROM outlet o
				CROSS JOIN attempt t
				WHERE t.account = o.account AND t.outlet = o.id AND t.at < $1
				LIMIT %[2]d)`, []any{before(attemptLife)}},
		{&e.Answers, `
			DELETE FROM idempotency
			WHERE %[1]s IN (SELECT %[1]s FROM idempotency WHERE created_at <= $1 LIMIT %[2]d)`, []any{before(remembered)}},
		{&e.Findings, `
			DELETE FROM search_session
			WHERE %[1]s IN (SELECT %[1]s FROM search_session WHERE expires <= $1 LIMIT %[2]d)`, []any{millis(now)}},
		{&e.HandOffs, `
			DELETE FROM handoff
			WHERE %[1]s IN (SELECT %[1]s FROM handoff WHERE created_at <= $1 LIMIT %[2]d)`, []any{before(handoffLife)}},
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
		{&e.FeedRuns, `
			DELETE FROM feed_run
			WHERE %[1]s IN (SELECT %[1]s FROM feed_run WHERE began <= $1 AND ended <> 0 LIMIT %[2]d)`,
			[]any{before(feedRunLife)}},
	} {
		n, err := db.inPortions(ctx, oldAtOnce, part.statement, part.args...)
		if err != nil {
			return e, fmt.Errorf("delete what has served its purpose: %w", err)
		}
		*part.into += n
	}
	return e, nil
}
