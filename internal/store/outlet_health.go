package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// CountedDeliveries is up to how many deliveries are counted: what is told of an outlet costs the same
	// however much waits there.
	CountedDeliveries = 10_000

	// timedDeliveries is of how many deliveries at most the times are told, the latest.
	timedDeliveries = 500
)

// OutletHealth says how an outlet is doing.
type OutletHealth struct {
	OutletBacklog
	Timed  int // of how many deliveries, the latest that were taken, the times are
	Median time.Duration
	Tail   time.Duration // within which 99 of 100 were taken
}

// OutletHealth returns how an outlet is doing. It reads no more than the latest deliveries and what waits, and of
// that a bounded part.
func (s Scoped) OutletHealth(ctx context.Context, outlet string) (h OutletHealth, err error) {
	if h.OutletBacklog, err = s.OutletBacklog(ctx, outlet); err != nil {
		return h, err
	}
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
	if errors.Is(err, sql.ErrNoRows) {
		return Attempt{}, nil
	}
	if err != nil {
		return a, fmt.Errorf("read the last failure of outlet %s: %w", outlet, err)
	}
	return a, nil
}
