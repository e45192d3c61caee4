package store

import (
	"context"
	"database/sql"
	"time"

	"gangway/internal/gangway"
)

// noteEnding notes that b, as an action has left it, ended.
func (s Scoped) noteEnding(ctx context.Context, tx *sql.Tx, b gangway.Booking, a gangway.Action) error {
	ending := b.Ended(a)
	if ending == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO booking_ending (account, booking, ending, at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (account, booking) DO UPDATE
		SET ending = excluded.ending, at = excluded.at, seen_at = 0, seen_by = '', seen_name = ''`,
		s.account, b.ID, string(ending), millis(a.At))
	return wrapf(err, "note how booking %s ended", b.ID)
}

// UnseenEndings returns up to limit bookings that ended without a person and that nobody has marked as seen, the
// earliest first.
func (s Scoped) UnseenEndings(ctx context.Context, limit int) ([]gangway.EndedBooking, error) {
	return s.unseenEndings(ctx, unseenEndings, limit)
}

// EndedByPeople returns up to limit bookings that a person ended and that nobody has marked as seen, the latest first.
func (s Scoped) EndedByPeople(ctx context.Context, limit int) ([]gangway.EndedBooking, error) {
	return s.unseenEndings(ctx, endedByPeople, limit)
}

func (s Scoped) unseenEndings(ctx context.Context, query string, limit int) ([]gangway.EndedBooking, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (e gangway.EndedBooking, err error) {
		var at int64
		e.Booking, err = scanBooking(prefixedRow{row, []any{&e.Ending, &at}})
		e.EndedAt = instant(at)
		return e, err
	}, query, s.account, limit)
	return list, wrapf(err, "list what ended")
}

const unseenEndings = `
		SELECT e.ending, e.at, b.doc, b.check_at
		FROM booking_ending e
		JOIN booking b ON b.account = e.account AND b.id = e.booking
		WHERE e.account = $1 AND e.seen_at = 0 AND e.ending <> 'person'
		ORDER BY e.at, e.booking
		LIMIT $2`

const endedByPeople = `
		SELECT e.ending, e.at, b.doc, b.check_at
		FROM booking_ending e
		JOIN booking b ON b.account = e.account AND b.id = e.booking
		WHERE e.account = $1 AND e.seen_at = 0 AND e.ending = 'person'
		ORDER BY e.at DESC, e.booking DESC
		LIMIT $2`

// A SeenEnding is how a booking ended without a person, and who has seen it.
type SeenEnding struct {
	Ending gangway.Ending
	At     time.Time
	Seen   gangway.Stamp // zero: nobody has
}

// EndingOf returns how a booking ended without a person; the zero SeenEnding if it did not.
func (s Scoped) EndingOf(ctx context.Context, booking string) (e SeenEnding, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT ending, at, seen_at, seen_by, seen_name
		FROM booking_ending
		WHERE account = $1 AND booking = $2 AND ending <> 'person'`,
		s.account, booking).Scan(&e.Ending, when(&e.At), when(&e.Seen.At), &e.Seen.By, &e.Seen.ByName)
	return e, wrapf(orNone(err), "read how booking %s ended", booking)
}

// SeeEnding marks how a booking ended as seen for everybody of the account, and reports whether nobody had yet.
func (s Scoped) SeeEnding(ctx context.Context, booking string, by gangway.Stamp) (first bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		n, err := changed(tx.ExecContext(ctx, `
			UPDATE booking_ending
			SET seen_at = $3, seen_by = $4, seen_name = $5
			WHERE account = $1 AND booking = $2 AND seen_at = 0`,
			s.account, booking, millis(by.At), by.By, by.ByName))
		first = n == 1
		return err
	})
	return first, wrapf(err, "mark booking %s as seen", booking)
}
