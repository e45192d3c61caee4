package store

import (
	"context"
	"fmt"
	"time"
)

// For how long is kept what has done its work and tells of people. It is the
// same for all accounts.
//
// Decided: docs/choices.md, "Erasure".
const (
	searchLife  = 60 * 24 * time.Hour // unless a booking came of it, that is known by its passenger
	intentLife  = 90 * 24 * time.Hour // of what suppliers were asked for; that they were asked stays
	batchLife   = 30 * 24 * time.Hour // of what was asked for many at once, and what came of each
	attemptLife = 90 * 24 * time.Hour // of what customers' systems answered to pushes; that they did stays
)

// Expired says what was cleared away because it had done its work.
type Expired struct{ Searches, Intents, Batches, Findings, Answers, HandOffs int }

// Any reports whether there was anything.
func (e Expired) Any() bool { return e != Expired{} }

// Expire clears away, in all accounts, what has done its work and tells of
// people. It works in portions, and any number of replicas may do it at once.
func (db *DB) Expire(ctx context.Context, now time.Time) (e Expired, err error) {
	ctx = withLongWork(ctx)
	before := func(life time.Duration) int64 { return millis(now.Add(-life)) }
	if e.Searches, err = db.expireSearches(ctx, before(searchLife)); err != nil {
		return e, fmt.Errorf("clear away old searches: %w", err)
	}
	for _, part := range []struct {
		into      *int
		statement string
		args      []any
	}{
		{&e.Intents, `
			UPDATE intent
			SET doc = '{}', traced = 0, passenger = '', outcome = CASE WHEN outcome = $2 OR outcome = '' THEN outcome ELSE 'what came of it is not kept any more' END
			WHERE %[1]s IN (SELECT %[1]s FROM intent WHERE open = 0 AND doc <> '{}' AND created_at < $1 LIMIT %[2]d)`, []any{before(intentLife), Done}},
		{&e.Batches, `
			DELETE FROM batch
			WHERE %[1]s IN (SELECT %[1]s FROM batch WHERE created_at < $1 LIMIT %[2]d)`, []any{before(batchLife)}},
		{&e.Answers, `
			UPDATE attempt
			SET answer = ''
			WHERE %[1]s IN (SELECT %[1]s FROM attempt WHERE answer <> '' AND at < $1 LIMIT %[2]d)`, []any{before(attemptLife)}},
		{&e.Answers, `
			DELETE FROM idempotency
			WHERE %[1]s IN (SELECT %[1]s FROM idempotency WHERE created_at <= $1 LIMIT %[2]d)`, []any{before(remembered)}},
		{&e.Findings, `
			DELETE FROM search_session
			WHERE %[1]s IN (SELECT %[1]s FROM search_session WHERE expires <= $1 LIMIT %[2]d)`, []any{millis(now)}},
		{&e.HandOffs, `
			DELETE FROM handoff
			WHERE %[1]s IN (SELECT %[1]s FROM handoff WHERE created_at <= $1 LIMIT %[2]d)`, []any{before(handoffLife)}},
	} {
		n, err := db.inPortions(ctx, oldAtOnce, part.statement, part.args...)
		if err != nil {
			return e, fmt.Errorf("clear away what has done its work: %w", err)
		}
		*part.into += n
	}
	return e, nil
}
