package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gangway"
)

// A Lane is one booking at one outlet, taken by one worker: its deliveries
// leave one after another, in the order of the booking's actions.
type Lane struct {
	Scope   gangway.Scope
	Outlet  string
	Booking string
	Tries   int       // failed tries of its oldest delivery
	FirstAt time.Time // of the first of them
	holder  string    // whoever took it; what another has taken since cannot be written
}

// TakeLanes takes up to n lanes whose oldest delivery is due, of all accounts
// and at most each of one outlet, and leases them until the given instant. It
// passes over outlets that are switched off, and those in busy.
func (db *DB) TakeLanes(ctx context.Context, now, until time.Time, holder string, n, each int, busy []string) ([]Lane, error) {
	args := []any{millis(now), each, n}
	pass := ""
	if len(busy) > 0 {
		places := make([]string, len(busy))
		for i, outlet := range busy {
			args = append(args, outlet)
			places[i] = fmt.Sprintf("$%d", len(args))
		}
		pass = " AND l.outlet NOT IN (" + strings.Join(places, ", ") + ")"
	}
	rows, err := db.reader.QueryContext(ctx, `
		SELECT account, outlet, booking, lease, tries, first_at
		FROM (
			SELECT l.account, l.outlet, l.booking, l.lease, l.tries, l.first_at, l.due,
				row_number() OVER (PARTITION BY l.account, l.outlet ORDER BY l.due) AS place
			FROM lane l
			JOIN outlet o ON o.account = l.account AND o.id = l.outlet AND o.off = 0
			WHERE l.pending > 0 AND l.due <= $1 AND l.lease <= $1`+pass+`) AS waiting
		WHERE place <= $2
		ORDER BY due
		LIMIT $3`, args...)
	if err != nil {
		return nil, fmt.Errorf("look for due lanes: %w", err)
	}
	type candidate struct {
		Lane
		lease int64
	}
	var found []candidate
	for rows.Next() {
		c := candidate{Lane: Lane{holder: holder}}
		var first int64
		if err := rows.Scan(&c.Scope.Account, &c.Outlet, &c.Booking, &c.lease, &c.Tries, &first); err != nil {
			rows.Close()
			return nil, fmt.Errorf("look for due lanes: %w", err)
		}
		c.FirstAt = instant(first)
		found = append(found, c)
	}
	if err := rows.Err(); err != nil || len(found) == 0 {
		return nil, err
	}
	var taken []Lane
	err = db.write(ctx, func(tx *sql.Tx) error {
		taken = nil
		for _, c := range found {
			res, err := tx.ExecContext(ctx, `
				UPDATE lane
				SET lease = $5, holder = $6
				WHERE account = $1 AND outlet = $2 AND booking = $3 AND lease = $4 AND pending > 0`,
				c.Scope.Account, c.Outlet, c.Booking, c.lease, millis(until), holder)
			if err != nil {
				return fmt.Errorf("take lane: %w", err)
			}
			if n, err := res.RowsAffected(); err == nil && n == 1 {
				taken = append(taken, c.Lane)
			}
		}
		return nil
	})
	return taken, err
}

// A Delivery is one action to be taken to one outlet.
type Delivery struct {
	ID      string // the webhook-id, the same on every try
	Seq     int    // of the action
	Outlet  gangway.Outlet
	Booking gangway.Booking // as it was right after the action
	Action  gangway.Action
}

// NextDelivery returns the oldest delivery of a lane that is still due.
// NotFound: there is none.
func (db *DB) NextDelivery(ctx context.Context, l Lane) (Delivery, error) {
	in := db.In(l.Scope)
	var d Delivery
	var snapshot, secrets string
	var at int64
	var off int
	err := db.reader.QueryRowContext(ctx, `
		SELECT d.id, d.seq, a.name, a.at, a.by_whom, a.snapshot, o.id, o.url, o.secrets, o.off
		FROM delivery d
		JOIN action a ON a.account = d.account AND a.booking = d.booking AND a.seq = d.seq
		JOIN outlet o ON o.account = d.account AND o.id = d.outlet
		WHERE d.account = $1 AND d.outlet = $2 AND d.booking = $3 AND d.state = 'due'
		ORDER BY d.seq
		LIMIT 1`,
		in.account, l.Outlet, l.Booking).
		Scan(&d.ID, &d.Seq, &d.Action.Name, &at, &d.Action.By, &snapshot, &d.Outlet.ID, &d.Outlet.URL, &secrets, &off)
	if err != nil {
		return d, one(err, "nothing is due")
	}
	d.Action.Seq, d.Action.At, d.Outlet.Off = d.Seq, instant(at), off == 1
	if err := json.Unmarshal([]byte(snapshot), &d.Booking); err != nil {
		return d, fmt.Errorf("read snapshot of delivery %s: %w", d.ID, err)
	}
	if err := json.Unmarshal([]byte(secrets), &d.Outlet.Secrets); err != nil {
		return d, fmt.Errorf("read secrets of outlet %s: %w", d.Outlet.ID, err)
	}
	return d, nil
}

// An Attempt is one try to deliver.
type Attempt struct {
	At     time.Time
	Took   time.Duration
	Status int    // HTTP status; 0 when there was no answer
	Answer string // the beginning of it, or why there was none
}

// Delivered writes down that the customer acknowledged d. The lane stays with
// its worker until the given instant when more is due in it; more says so.
// lost: the lane had gone to another worker meanwhile, and nothing was written.
func (db *DB) Delivered(ctx context.Context, l Lane, d Delivery, a Attempt, until time.Time) (more, lost bool, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		more, lost = false, false
		var pending int
		err := tx.QueryRowContext(ctx, `
			UPDATE lane
			SET pending = pending - 1, tries = 0, first_at = 0, due = $5,
				lease = CASE WHEN pending > 1 THEN CAST($6 AS BIGINT) ELSE 0 END, holder = CASE WHEN pending > 1 THEN holder ELSE '' END
			WHERE account = $1 AND outlet = $2 AND booking = $3 AND holder = $4
			RETURNING pending`,
			l.Scope.Account, l.Outlet, l.Booking, l.holder, millis(a.At), millis(until)).Scan(&pending)
		if gangway.KindOf(one(err, "")) == gangway.NotFound {
			lost = true
			return nil
		}
		if err != nil {
			return fmt.Errorf("advance lane: %w", err)
		}
		more = pending > 0
		return closeDelivery(ctx, tx, l, d, a, "done")
	})
	return more, lost, err
}

// Parked writes down that d is not tried any more by itself, and lets the
// lane's next delivery go ahead.
func (db *DB) Parked(ctx context.Context, l Lane, d Delivery, a Attempt) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		fresh, err := releaseLane(ctx, tx, l, `pending = pending - 1, tries = 0, first_at = 0, due = $5`, millis(a.At))
		if err != nil || !fresh {
			return err
		}
		return closeDelivery(ctx, tx, l, d, a, "parked")
	}, Deliveries)
}

// Failed writes down that d could not be delivered and gives the lane back, to
// be due again at next.
func (db *DB) Failed(ctx context.Context, l Lane, d Delivery, a Attempt, next time.Time) error {
	first := l.FirstAt
	if first.IsZero() {
		first = a.At
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		fresh, err := releaseLane(ctx, tx, l, `tries = tries + 1, first_at = $5, due = $6`, millis(first), millis(next))
		if err != nil || !fresh {
			return err
		}
		return closeDelivery(ctx, tx, l, d, a, "due")
	})
}

// ReleaseLane gives a lane back untouched, due at once.
func (db *DB) ReleaseLane(ctx context.Context, l Lane) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := releaseLane(ctx, tx, l, `tries = tries`)
		return err
	})
}

// releaseLane gives a lane back; fresh is false when another worker has it by now.
func releaseLane(ctx context.Context, tx *sql.Tx, l Lane, set string, args ...any) (fresh bool, err error) {
	res, err := tx.ExecContext(ctx, `
		UPDATE lane
		SET lease = 0, holder = '', `+set+`
		WHERE account = $1 AND outlet = $2 AND booking = $3 AND holder = $4`,
		append([]any{l.Scope.Account, l.Outlet, l.Booking, l.holder}, args...)...)
	if err != nil {
		return false, fmt.Errorf("release lane: %w", err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// closeDelivery writes an attempt at d and where d stands after it.
func closeDelivery(ctx context.Context, tx *sql.Tx, l Lane, d Delivery, a Attempt, state string) error {
	done := int64(0)
	if state == "done" {
		done = millis(a.At.Add(a.Took))
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE delivery
		SET state = $5, done_at = $6, attempts = attempts + 1
		WHERE account = $1 AND outlet = $2 AND booking = $3 AND seq = $4`,
		l.Scope.Account, l.Outlet, l.Booking, d.Seq, state, done)
	if err != nil {
		return fmt.Errorf("write delivery %s: %w", d.ID, err)
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT DO NOTHING`,
		l.Scope.Account, l.Outlet, l.Booking, d.Seq, millis(a.At), a.Took.Milliseconds(), a.Status, strings.ToValidUTF8(strings.ReplaceAll(a.Answer, "\x00", ""), "�"))
	if err != nil {
		return fmt.Errorf("write attempt at delivery %s: %w", d.ID, err)
	}
	return nil
}

// SoonestDue returns when the next waiting lane of an outlet is due, besides
// l; the zero time when none waits.
func (db *DB) SoonestDue(ctx context.Context, l Lane) (time.Time, error) {
	var due sql.NullInt64
	err := db.reader.QueryRowContext(ctx, `
		SELECT min(due)
		FROM lane
		WHERE account = $1 AND outlet = $2 AND booking <> $3 AND pending > 0`,
		l.Scope.Account, l.Outlet, l.Booking).Scan(&due)
	if err != nil {
		return time.Time{}, fmt.Errorf("look for the soonest lane: %w", err)
	}
	return instant(due.Int64), nil
}

// HurryLanes makes all waiting lanes of an outlet due at once: it answers again.
func (db *DB) HurryLanes(ctx context.Context, l Lane, now time.Time) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE lane
			SET due = $3
			WHERE account = $1 AND outlet = $2 AND pending > 0 AND due > $3 AND lease = 0`,
			l.Scope.Account, l.Outlet, millis(now))
		if err != nil {
			return fmt.Errorf("hurry lanes: %w", err)
		}
		return nil
	}, Deliveries)
}

// Replay delivers an action of a booking to an outlet once more, after what is
// still due in its lane. NotFound: it was never to be delivered there.
func (s Scoped) Replay(ctx context.Context, outlet, booking string, seq int, now time.Time) error {
	n, err := s.replay(ctx, `booking = $3 AND seq = $4 AND state <> 'due'`, now, outlet, booking, seq)
	if err == nil && n == 0 {
		return gangway.Errorf(gangway.NotFound, "there is nothing to deliver again")
	}
	return err
}

// ReplayAll delivers once more all that was parked at an outlet, and returns how much that is.
func (s Scoped) ReplayAll(ctx context.Context, outlet string, now time.Time) (int, error) {
	return s.replay(ctx, `state = 'parked'`, now, outlet)
}

func (s Scoped) replay(ctx context.Context, which string, now time.Time, args ...any) (n int, err error) {
	err = s.db.write(ctx, func(tx *sql.Tx) error {
		n = 0
		rows, err := tx.QueryContext(ctx, `
			UPDATE delivery
			SET state = 'due', done_at = 0
			WHERE account = $1 AND outlet = $2 AND `+which+`
			RETURNING booking`,
			append([]any{s.account}, args...)...)
		if err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		again := map[string]int{}
		for rows.Next() {
			var booking string
			if err := rows.Scan(&booking); err != nil {
				rows.Close()
				return fmt.Errorf("replay: %w", err)
			}
			again[booking]++
			n++
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		for booking, more := range again {
			_, err := tx.ExecContext(ctx, `
				UPDATE lane
				SET pending = pending + $4, due = $5
				WHERE account = $1 AND outlet = $2 AND booking = $3`,
				s.account, args[0], booking, more, millis(now))
			if err != nil {
				return fmt.Errorf("replay: %w", err)
			}
		}
		return nil
	}, Deliveries)
	return n, err
}

// A DeliveryStatus says how far the delivery of an action has come.
type DeliveryStatus struct {
	Outlet   string
	Booking  string
	Seq      int
	State    string // "due", "done" or "parked"
	Attempts int
	DoneAt   time.Time
	Last     Attempt // the latest, if any
}

// DeliveryStatuses returns where each action of a booking was delivered, in the order of the actions.
func (s Scoped) DeliveryStatuses(ctx context.Context, booking string) ([]DeliveryStatus, error) {
	rows, err := s.db.reader.QueryContext(ctx, `
		SELECT d.outlet, d.seq, d.state, d.attempts, d.done_at, coalesce(t.at, 0), coalesce(t.took_ms, 0), coalesce(t.status, 0), coalesce(t.answer, '')
		FROM delivery d
		LEFT JOIN attempt t ON t.account = d.account AND t.outlet = d.outlet AND t.booking = d.booking AND t.seq = d.seq
			AND t.at = (SELECT max(at) FROM attempt WHERE account = d.account AND outlet = d.outlet AND booking = d.booking AND seq = d.seq)
		WHERE d.account = $1 AND d.booking = $2
		ORDER BY d.seq, d.outlet`,
		s.account, booking)
	if err != nil {
		return nil, fmt.Errorf("read deliveries of booking %s: %w", booking, err)
	}
	defer rows.Close()
	var list []DeliveryStatus
	for rows.Next() {
		d := DeliveryStatus{Booking: booking}
		var done, at, took int64
		if err := rows.Scan(&d.Outlet, &d.Seq, &d.State, &d.Attempts, &done, &at, &took, &d.Last.Status, &d.Last.Answer); err != nil {
			return nil, fmt.Errorf("read deliveries of booking %s: %w", booking, err)
		}
		d.DoneAt, d.Last.At, d.Last.Took = instant(done), instant(at), time.Duration(took)*time.Millisecond
		list = append(list, d)
	}
	return list, rows.Err()
}

// FreeLanes ends the leases of all lanes, when the process has the database to
// itself: whoever held them is dead. See FreeIntents.
func (db *DB) FreeLanes(ctx context.Context) error {
	if db.dialect == postgres {
		return nil
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE lane SET lease = 0, holder = '' WHERE lease > 0`); err != nil {
			return fmt.Errorf("free lanes: %w", err)
		}
		return nil
	}, Deliveries)
}
