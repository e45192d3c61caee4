package book

import (
	"context"
	"errors"
	"time"

	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// eraseEvery is how often old data is erased, and eraseFirst how long after the
// start the first time is, to stay out of the way of everything else that starts.
const (
	eraseEvery = 6 * time.Hour
	eraseFirst = time.Minute
)

// RunErasing regularly erases, until ctx ends, personal data that accounts no
// longer keep, and records that are no longer needed. Any number of desks may do so at once.
func (d *Desk) RunErasing(ctx context.Context) {
	for next := time.NewTimer(eraseFirst); ; next.Reset(eraseEvery) {
		select {
		case <-ctx.Done():
			next.Stop()
			return
		case <-next.C:
		}
		err := background.Guard(d.log, "erase old data", func() error { return d.EraseOld(ctx) })
		if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) {
			d.log.Error("old data could not be erased; it will be tried again", "error", err)
		}
	}
}

// EraseOld erases once the personal data that accounts no longer keep, and
// records that are no longer needed. It logs what it did.
func (d *Desk) EraseOld(ctx context.Context) error {
	accounts, err := d.db.RetentionAccounts(ctx)
	if err != nil {
		return err
	}
	now, erased := d.clock(), false
	for _, k := range accounts {
		e, err := d.db.In(k.Scope).EraseOld(ctx, k.Keep.Until(now), now, d.forget)
		if e.Rows() > 0 {
			erased = true
			d.log.Info("personal data was erased because its time is over", d.db.Whose(ctx, k.Scope), "kept", k.Keep,
				"travellers", e.Travellers, "bookings", e.Bookings, "travel requests", e.Requests, "crew changes",
				e.CrewChanges)
		}
		if err != nil {
			return err
		}
	}
	done, err := d.db.Expire(ctx, now)
	if done.Any() {
		d.log.Info("what had done its work was cleared away", "searches", done.Searches, "intents", done.Intents,
			"batches", done.Batches, "findings", done.Findings, "answers", done.Answers, "hand-offs", done.HandOffs,
			"feed-runs", done.FeedRuns, "invitations", done.Invitations, "links-and-lists", done.Paper,
			"queues", done.Lanes, "actions", done.Actions, "deliveries", done.Deliveries, "audit", done.Audit)
	}
	if err != nil || !erased && !done.Any() {
		return err
	}
	return d.overwrite(ctx)
}

// overwrite removes the last traces of what was erased from the database's files,
// as far as that keeps nobody waiting.
func (d *Desk) overwrite(ctx context.Context) error {
	err := d.db.Overwrite(ctx)
	if gangway.KindOf(err) == gangway.Unavailable {
		d.log.Warn("what was erased may still be in the write-ahead log, which somebody reads; it is overwritten " +
			"next time")
		return nil
	}
	return err
}
