package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gangway/internal/gangway"
)

const (
	// timedDeliveries is of how many deliveries at most the times are told, the latest.
	timedDeliveries = 500

	// failuresNamed is of how many deliveries that an outlet refuses it is told why.
	failuresNamed = 3
)

// OutletTimes are how long deliveries to an outlet take.
type OutletTimes struct {
	Timed  int // of how many deliveries, the latest that were taken, the times are
	Median time.Duration
	Tail   time.Duration // within which 99 of 100 were taken
}

// OutletTimes returns how long the latest deliveries to an outlet took.
func (s Scoped) OutletTimes(ctx context.Context, outlet string) (h OutletTimes, err error) {
	times, err := selectAll(ctx, s.db.reader, column[int64], `
		SELECT t.at + t.took_ms - d.made_at
		FROM (
			SELECT booking, seq, at, took_ms, status
			FROM attempt
			WHERE account = $1 AND outlet = $2
			ORDER BY at DESC
			LIMIT $3) t
		JOIN delivery d ON d.account = $1 AND d.outlet = $2 AND d.booking = t.booking AND d.seq = t.seq
		WHERE t.status BETWEEN 200 AND 299 AND NOT EXISTS (
			SELECT 1
			FROM attempt e
			WHERE e.account = $1 AND e.outlet = $2 AND e.booking = t.booking AND e.seq = t.seq AND e.at < t.at
				AND e.status BETWEEN 200 AND 299)`,
		s.account, outlet, timedDeliveries)
	if err != nil {
		return h, fmt.Errorf("read how long deliveries to outlet %s take: %w", outlet, err)
	}
	if h.Timed = len(times); h.Timed > 0 {
		slices.Sort(times)
		h.Median, h.Tail = quantile(times, 50), quantile(times, 99)
	}
	return h, nil
}

// quantile returns the shortest of sorted times, in milliseconds, within which percent of them are.
func quantile(sorted []int64, percent int) time.Duration {
	at := (len(sorted)*percent + 99) / 100
	return time.Duration(max(0, sorted[max(1, at)-1])) * time.Millisecond
}

// LastFailure returns the latest failed attempt at an outlet since it began to fail, without its webhook-id; a zero
// Attempt where the outlet is well.
func (s Scoped) LastFailure(ctx context.Context, outlet string) (Attempt, error) {
	a, err := scanAttempt(s.db.reader.QueryRowContext(ctx, `
		SELECT t.at, t.took_ms, t.status, t.answer, ''
		FROM outlet o
		JOIN attempt t ON t.account = o.account AND t.outlet = o.id AND t.at >= o.failing_since
			AND (t.status < 200 OR t.status > 299)
		WHERE o.account = $1 AND o.id = $2 AND o.failing_since > 0
		ORDER BY t.at DESC
		LIMIT 1`,
		s.account, outlet))
	return a, wrapf(orNone(err), "read the last failure of outlet %s", outlet)
}

// OutletFacts are what gangway.ConditionOf needs of an outlet, with the tries that came to nothing as they are stored.
type OutletFacts struct {
	gangway.OutletFacts
	Last    Attempt         // the latest since the outlet began to fail
	Refused []TriedDelivery // some of those after which something waits or is parked
}

// OutletFacts reads what is known of an outlet. It reads a bounded part of what waits and of what was tried.
func (s Scoped) OutletFacts(ctx context.Context, o gangway.Outlet, now time.Time) (f OutletFacts, err error) {
	b, err := s.OutletBacklog(ctx, o.ID)
	if err != nil {
		return f, err
	}
	f.Waiting, f.Oldest, f.Parked, f.Resting, f.Next = b.Waiting, b.Oldest, b.Parked, b.Refused, b.Next
	if f.Tries, err = s.triesOfFailing(ctx, o, now); err != nil {
		return f, err
	}
	if f.Last, err = s.LastFailure(ctx, o.ID); err != nil {
		return f, err
	}
	if f.Resting+f.Parked > 0 {
		if f.Refused, err = s.RefusedDeliveries(ctx, o.ID, failuresNamed); err != nil {
			return f, err
		}
	}
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT CASE WHEN EXISTS (
				SELECT 1
				FROM (SELECT status FROM attempt WHERE account = $1 AND outlet = $2 ORDER BY at DESC LIMIT $3) t
				WHERE t.status BETWEEN 200 AND 299)
			THEN 1 ELSE 0 END, coalesce((
				SELECT min(made_at)
				FROM delivery
				WHERE account = $1 AND outlet = $2 AND state = 'due' AND booking IN (`+refusedQueues+`)), 0)`,
		s.account, o.ID, timedDeliveries).Scan(&f.Sent, when(&f.OldestResting))
	if err != nil {
		return f, fmt.Errorf("read what outlet %s was sent: %w", o.ID, err)
	}
	return f, nil
}

// triesOfFailing returns the latest tries at an outlet that fails.
func (s Scoped) triesOfFailing(ctx context.Context, o gangway.Outlet, now time.Time) ([]gangway.OutletTry, error) {
	if o.FailingSince.IsZero() {
		return nil, nil
	}
	return s.latestTries(ctx, o, now, triesJudged)
}

// OutletsAtAGlance returns what is known at little cost of each of some of the account's outlets: whether something is
// parked, and what was tried at one that fails.
func (s Scoped) OutletsAtAGlance(ctx context.Context, list []gangway.Outlet,
	now time.Time) (map[string]gangway.OutletFacts, error) {
	parked, err := selectAll(ctx, s.db.reader, column[string], `
		SELECT o.id
		FROM outlet o
		WHERE o.account = $1 AND `+anyParked,
		s.account)
	if err != nil {
		return nil, fmt.Errorf("read where deliveries are parked: %w", err)
	}
	found := map[string]gangway.OutletFacts{}
	for _, id := range parked {
		found[id] = gangway.OutletFacts{Parked: 1}
	}
	for _, o := range list {
		f := found[o.ID]
		if f.Tries, err = s.triesOfFailing(ctx, o, now); err != nil {
			return nil, err
		}
		found[o.ID] = f
	}
	return found, nil
}
