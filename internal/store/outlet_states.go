package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// FindOutlet returns the account's outlet of a name or identifier, without its secrets. Without either it is the only
// one, or the one called default. NotFound: there is no such outlet.
func (s Scoped) FindOutlet(ctx context.Context, nameOrID string) (gangway.Outlet, error) {
	list, err := s.Outlets(ctx)
	if err != nil {
		return gangway.Outlet{}, err
	}
	if nameOrID == "" && len(list) == 1 {
		return list[0], nil
	}
	for _, o := range list {
		if o.ID == nameOrID || o.Name == nameOrID || nameOrID == "" && o.Name == gangway.DefaultOutlet {
			return o, nil
		}
	}
	if nameOrID == "" {
		return gangway.Outlet{}, gangway.Errorf(gangway.NotFound, "there is no outlet called %s: name one",
			gangway.DefaultOutlet)
	}
	return gangway.Outlet{}, gangway.Errorf(gangway.NotFound, "there is no outlet %q", nameOrID)
}

// An OutletBacklog is what is at an outlet that was not accepted.
type OutletBacklog struct {
	Waiting int       // deliveries that are still tried; gangway.CountedDeliveries + 1: more than that
	Oldest  time.Time // when the oldest of them was made; zero: none waits
	Parked  int       // deliveries that were given up; as Waiting
	Refused int       // queues whose oldest delivery was tried and not accepted, of the hundred that are tried last
	Next    time.Time // when one that waits is tried next, unless the outlet waits for something; zero: none waits
}

// refusedQueues are the queues whose oldest delivery was tried and not accepted, of the hundred that are tried last.
const refusedQueues = `
	SELECT r.booking
	FROM (
		SELECT booking, tries
		FROM lane
		WHERE account = $1 AND outlet = $2 AND pending > 0
		ORDER BY due DESC
		LIMIT 100) r
	WHERE r.tries > 0`

// OutletBacklog returns what is at an outlet that was not accepted. It counts no further than it has to.
func (s Scoped) OutletBacklog(ctx context.Context, id string) (OutletBacklog, error) {
	return s.backlog(ctx, s.db.reader, id)
}

func (s Scoped) backlog(ctx context.Context, q querier, id string) (b OutletBacklog, err error) {
	err = q.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM (
				SELECT 1 FROM delivery WHERE account = $1 AND outlet = $2 AND state = 'due' LIMIT $3) w),
			coalesce((SELECT min(made_at) FROM delivery WHERE account = $1 AND outlet = $2 AND state = 'due'), 0),
			(SELECT count(*) FROM (
				SELECT 1 FROM delivery WHERE account = $1 AND outlet = $2 AND state = 'parked' LIMIT $3) p),
			coalesce((SELECT min(due) FROM lane WHERE account = $1 AND outlet = $2 AND pending > 0), 0),
			(SELECT count(*) FROM (`+refusedQueues+`) q)`,
		s.account, id, gangway.CountedDeliveries+1).Scan(&b.Waiting, when(&b.Oldest), &b.Parked, when(&b.Next),
		&b.Refused)
	if err != nil {
		return b, fmt.Errorf("read what waits at outlet %s: %w", id, err)
	}
	return b, nil
}

// RefusedDeliveries returns up to n of the deliveries that wait at an outlet or are parked there and were not accepted
// when they were tried last with their webhook-id, each with that try, the newest first: of the oldest in the hundred
// queues that are tried last, and of the hundred parked ones that were made last. Of those that an outlet gets together
// only parked ones are among them.
func (s Scoped) RefusedDeliveries(ctx context.Context, outlet string, n int) ([]TriedDelivery, error) {
	list, err := selectAll(ctx, s.db.reader, scanTriedDelivery, `
		WITH refused AS (
			SELECT booking, `+oldestDue("$1", "$2", "q.booking")+` AS seq
			FROM (`+refusedQueues+`) q
			UNION ALL
			SELECT booking, seq
			FROM (
				SELECT booking, seq
				FROM delivery
				WHERE account = $1 AND outlet = $2 AND state = 'parked'
				ORDER BY made_at DESC
				LIMIT 100) p)
		SELECT `+triedColumns+`
		FROM refused r
		CROSS JOIN delivery d
		CROSS JOIN attempt t
		CROSS JOIN action a
		CROSS JOIN booking b
		WHERE d.account = $1 AND d.outlet = $2 AND d.booking = r.booking AND d.seq = r.seq
			AND t.account = $1 AND t.outlet = $2 AND t.booking = r.booking AND t.seq = r.seq AND t.at = (
				SELECT max(at)
				FROM attempt
				WHERE account = $1 AND outlet = $2 AND booking = r.booking AND seq = r.seq)
			AND t.webhook_id IN ('', d.id) AND (t.status < 200 OR t.status > 299)
			AND a.account = $1 AND a.booking = r.booking AND a.seq = r.seq AND b.account = $1 AND b.id = r.booking
		ORDER BY t.at DESC, t.booking DESC, t.seq DESC
		LIMIT $3`,
		s.account, outlet, n)
	return list, wrapf(err, "read what outlet %s refuses", outlet)
}

// DeleteOutlet deletes an outlet with what still waits there or is parked, and returns how much that was, counted as
// OutletBacklog does. That something was delivered stays in the history of bookings; what was answered goes. Conflict:
// something waits or is parked, and discard is not set.
func (s Scoped) DeleteOutlet(ctx context.Context, by gangway.Actor, id string, discard bool,
	at time.Time) (b OutletBacklog, err error) {
	ctx = withLongWork(ctx) // much may wait
	if b, err = s.backlog(ctx, s.db.reader, id); err != nil {
		return b, err
	}
	if discard || b.Waiting+b.Parked == 0 { // first, in portions: without the outlet they would never expire
		_, err := s.db.inPortions(ctx, oldAtOnce, `
			DELETE FROM attempt
			WHERE account = $1 AND %[1]s IN (
				SELECT %[1]s FROM attempt WHERE account = $1 AND outlet = $2 LIMIT %[2]d)`, s.account, id)
		if err != nil {
			return b, fmt.Errorf("delete what outlet %s was answered: %w", id, err)
		}
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		old, err := scanOutlet(tx.QueryRowContext(ctx, `
			DELETE FROM outlet
			WHERE account = $1 AND id = $2
			RETURNING `+outletColumns,
			s.account, id))
		if err != nil {
			return err
		}
		if b, err = s.backlog(ctx, tx, id); err != nil {
			return err
		}
		if b.Waiting+b.Parked > 0 && !discard {
			return gangway.Errorf(gangway.Conflict, "outlet %s has %d deliveries waiting and %d parked, which would "+
				"be lost", old.Name, b.Waiting, b.Parked)
		}
		if err := s.db.lockQueues(ctx, tx, `account = $1 AND outlet = $2`, s.account, id); err != nil {
			return err
		}
		for _, statement := range []string{
			`DELETE FROM delivery WHERE account = $1 AND outlet = $2 AND state <> 'done'`,
			`DELETE FROM lane WHERE account = $1 AND outlet = $2`,
			`DELETE FROM attempt WHERE account = $1 AND outlet = $2`, // those made meanwhile
			`DELETE FROM outlet_notice WHERE account = $1 AND outlet = $2`,
			`DELETE FROM outlet_mail WHERE account = $1 AND outlet = $2`,
		} {
			if _, err := tx.ExecContext(ctx, statement, s.account, id); err != nil {
				return fmt.Errorf("delete outlet %s: %w", id, err)
			}
		}
		entry := gangway.AuditEntry{At: at, By: by, What: gangway.OutletDeleted, Before: outletDetails(old)}
		if b.Waiting+b.Parked > 0 {
			entry.Before["discarded"] = b.Waiting + b.Parked
		}
		return s.record(ctx, tx, entry)
	}, Deliveries)
	return b, err
}
