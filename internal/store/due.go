package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A SupplierQueue names the queue of scheduled work for one account at one supplier. A supplier
// that hangs delays only its own queue.
type SupplierQueue struct {
	Account  string
	Supplier string
}

// WorkCapacity says how much scheduled work may be taken now.
type WorkCapacity struct {
	All  int                   // pieces in all
	Each int                   // pieces under way at any one supplier of an account
	Busy map[SupplierQueue]int // pieces under way already
}

// take reports whether more work may be taken from the queue c, and counts it.
func (r *WorkCapacity) take(c SupplierQueue, taken map[SupplierQueue]int) bool {
	if r.All <= 0 || r.Busy[c]+taken[c] >= r.Each {
		return false
	}
	r.All--
	taken[c]++
	return true
}

// full returns a condition that leaves out queues that are full, to follow an AND, and args with
// the condition's values appended.
func (r WorkCapacity) full(args []any) (string, []any) {
	var places []string
	for c, n := range r.Busy {
		if n >= r.Each {
			args = append(args, c.Account+" "+c.Supplier)
			places = append(places, fmt.Sprintf("$%d", len(args)))
		}
	}
	if len(places) == 0 {
		return "1 = 1", args
	}
	return "account || ' ' || supplier NOT IN (" + strings.Join(places, ", ") + ")", args
}

// A DueBooking is a booking that the automated user has to check.
type DueBooking struct {
	Scope    gangway.Scope
	ID       string
	Supplier string
	checkAt  int64
}

// TakeDue takes bookings of all accounts whose check is due at now, or by their account's clock if
// that is ahead, as far as there is capacity, longest due first, and postpones their next check to
// until: no other replica takes them in the meantime, and nothing is lost if this one dies.
func (db *DB) TakeDue(ctx context.Context, now, until time.Time, capacity WorkCapacity) ([]DueBooking, error) {
	ctx = withLongWork(ctx) // after an outage much is due
	where, args := capacity.full([]any{millis(now), capacity.Each, capacity.All})
	var found []DueBooking
	counted := map[SupplierQueue]int{}
	each := func(row scanner) error {
		var b DueBooking
		err := row.Scan(&b.Scope.Account, &b.Supplier, &b.ID, &b.checkAt)
		if err == nil && capacity.take(SupplierQueue{b.Scope.Account, b.Supplier}, counted) {
			found = append(found, b)
		}
		return err
	}
	err := eachRow(ctx, db.reader, `
		SELECT account, supplier, id, check_at
		FROM (
			SELECT account, supplier, id, check_at,
				row_number() OVER (PARTITION BY account, supplier ORDER BY check_at, id) AS place
			FROM booking
			WHERE check_at > 0 AND check_at <= $1 AND `+notRemoving+` AND `+where+`
		) due
		WHERE place <= $2
		ORDER BY check_at, account, id
		LIMIT $3`, args, each)
	if err != nil {
		return nil, fmt.Errorf("look for due bookings: %w", err)
	}
	// Few accounts have a clock of their own, so their bookings are looked for one account at a time: SQLite does
	// so in a cross join.
	err = eachRow(ctx, db.reader, `
		SELECT b.account, b.supplier, b.id, b.check_at
		FROM account a
		CROSS JOIN booking b
		WHERE a.ahead > 0 AND a.removing = 0 AND b.account = a.id
			AND b.check_at > 0 AND b.check_at > $1 AND b.check_at <= $1 + a.ahead
		ORDER BY b.check_at, b.account, b.id
		LIMIT $2`, []any{millis(now), capacity.All}, each)
	if err != nil {
		return nil, fmt.Errorf("look for bookings that are due by their account's clock: %w", err)
	}
	return takeEach(ctx, db, found, func(tx *sql.Tx, b *DueBooking) (bool, error) {
		if b.Scope.Ahead, err = aheadOf(ctx, tx, b.Scope.Account); err != nil {
			return false, err
		}
		n, err := changed(tx.ExecContext(ctx, `
			UPDATE booking
			SET check_at = $4
			WHERE account = $1 AND id = $2 AND check_at = $3`,
			b.Scope.Account, b.ID, b.checkAt, millis(until.Add(b.Scope.Ahead))))
		return n == 1, wrapf(err, "take due booking %s", b.ID)
	})
}

// LookAgain sets when the automated user checks b next; the zero time means never. If a check was
// requested since b was read, that one stays due.
func (s Scoped) LookAgain(ctx context.Context, b gangway.Booking, at time.Time) error {
	err := s.exec(ctx, `
		UPDATE booking
		SET check_at = $4
		WHERE account = $1 AND id = $2 AND check_at = $3`,
		s.account, b.ID, millis(b.CheckAt), millis(at))
	return wrapf(err, "put off booking %s", b.ID)
}

// LookNow makes a booking's check due at once and wakes the automated user.
func (s Scoped) LookNow(ctx context.Context, id string, now time.Time) error {
	return s.lookNow(ctx, "id", id, now)
}

// LookAtOrder makes the check of the booking with a supplier's order due at once. An order without
// a booking is ignored.
func (s Scoped) LookAtOrder(ctx context.Context, supplier, order string, now time.Time) error {
	return s.lookNow(ctx, "supplier_order", supplier+" "+order, now)
}

func (s Scoped) lookNow(ctx context.Context, column, value string, now time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE booking
			SET check_at = $3
			WHERE account = $1 AND `+column+` = $2`,
			s.account, value, millis(now))
		return wrapf(err, "mark a booking to be looked at")
	}, Work)
}
