package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"gangway/internal/gangway"
)

// A SampleBooking is a booking that was made up, and what happened to it, oldest first.
type SampleBooking struct {
	gangway.Booking
	Actions []SampleAction
}

// A SampleAction is an action, the name of whoever did it, and the booking after it.
type SampleAction struct {
	gangway.Action
	ByName string
	After  gangway.Booking
}

// BookingsThere returns those of the identifiers under which the account has a booking.
func (s Scoped) BookingsThere(ctx context.Context, ids []string) (map[string]bool, error) {
	return s.bookingsThere(ctx, s.db.reader, ids)
}

func (s Scoped) bookingsThere(ctx context.Context, q querier, ids []string) (map[string]bool, error) {
	there := map[string]bool{}
	err := s.amongIn(ctx, q, `id FROM booking`, `id`, ids, func(row scanner) error {
		id, err := column[string](row)
		there[id] = true
		return err
	})
	return there, err
}

// AddSamples writes bookings that were made up, with their actions and their rows of the report, all
// or none. Nothing is delivered, and nothing waits to be pulled. Invalid: the account is in
// production.
func (s Scoped) AddSamples(ctx context.Context, list []SampleBooking) error {
	if len(list) == 0 {
		return nil
	}
	account, err := s.Account(ctx)
	if err == nil {
		err = account.AdmitsSamples()
	}
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(list, func(b SampleBooking) bool { return !b.Sample() }); i >= 0 {
		return gangway.Errorf(gangway.Internal, "booking %s is not a sample", list[i].ID)
	}
	list = slices.Clone(list)
	err = s.write(withLongWork(ctx), func(tx *sql.Tx) error {
		if err := s.insertSamples(ctx, tx, list); err != nil {
			return err
		}
		if err := s.insertSampleActions(ctx, tx, list); err != nil {
			return err
		}
		return s.saveReports(ctx, tx, gangway.Each(list, func(b SampleBooking) gangway.Booking { return b.Booking }))
	})
	return wrapf(err, "write %d sample bookings", len(list))
}

// RefreshStatistics has PostgreSQL count what was added, so that the next query is planned for what is there. SQLite
// plans by the schema.
func (db *DB) RefreshStatistics(ctx context.Context) error {
	if db.dialect != postgres {
		return nil
	}
	_, err := db.writer.ExecContext(withLongWork(ctx), `ANALYZE booking, booking_ticket, booking_reference, action,
		report_booking, report_segment, report_refund`)
	return err
}

// locatorTries is how many locators are tried for a booking. A few are enough: there are a billion.
const locatorTries = 10

// insertSamples writes the bookings and what they are found by, and gives them locators.
func (s Scoped) insertSamples(ctx context.Context, tx *sql.Tx, list []SampleBooking) error {
	places := make([]int, len(list))
	for i := range places {
		places[i] = i
	}
	for try := range locatorTries {
		rows := make([][]any, len(places))
		for i, place := range places {
			b := &list[place]
			b.Locator = sampleLocator(b.ID, try)
			row, err := s.bookingRow(b.Booking, b.Actions[len(b.Actions)-1].At)
			if err != nil {
				return err
			}
			// Nobody is to be erased from it, neither in time nor by name.
			rows[i] = append(row, int64(1), int64(1))
		}
		columns := append(slices.Clip(bookingColumns), "erased_at", "traced")
		err := insertMany(ctx, tx, "booking", columns, rows)
		if err != nil {
			return err
		}
		if places, err = s.missing(ctx, tx, list, places); err != nil {
			return err
		}
		if len(places) == 0 {
			return s.insertFound(ctx, tx, list)
		}
	}
	return ErrLocatorTaken
}

// missing returns those of the places in list whose bookings were not written, because their locator is taken.
func (s Scoped) missing(ctx context.Context, tx *sql.Tx, list []SampleBooking, places []int) ([]int, error) {
	args := []any{s.account}
	for _, place := range places {
		args = append(args, list[place].ID)
	}
	there, err := selectAll(ctx, tx, column[string], `
		SELECT id
		FROM booking
		WHERE account = $1 AND id IN (`+placeholders(2, len(places))+`)`, args...)
	return slices.DeleteFunc(places, func(place int) bool { return slices.Contains(there, list[place].ID) }), err
}

// sampleLocator is the locator of a made-up booking: the same booking always has the same one, unless it is taken.
func sampleLocator(id string, try int) string {
	sum := sha256.Sum256(fmt.Append(nil, id, " ", try))
	locator := make([]byte, gangway.LocatorLength)
	for i := range locator {
		locator[i] = gangway.LocatorLetters[int(sum[i])%len(gangway.LocatorLetters)]
	}
	return string(locator)
}

// insertFound writes what the bookings are found by.
func (s Scoped) insertFound(ctx context.Context, tx *sql.Tx, list []SampleBooking) error {
	var tickets, others, vessels [][]any
	for _, b := range list {
		for _, number := range b.Tickets {
			tickets = append(tickets, []any{s.account, number, b.ID})
		}
		for _, reference := range references(b.Booking) {
			others = append(others, []any{s.account, reference, b.ID})
		}
		vessels = append(vessels, []any{s.account, gangway.Fold(b.Purpose.Vessel)})
	}
	return errors.Join(insertMany(ctx, tx, "booking_ticket", []string{"account", "number", "booking"}, tickets),
		insertMany(ctx, tx, "booking_reference", []string{"account", "reference", "booking"}, others),
		insertMany(ctx, tx, "booking_vessel", []string{"account", "vessel"}, vessels))
}

// insertSampleActions writes the actions of the bookings.
func (s Scoped) insertSampleActions(ctx context.Context, tx *sql.Tx, list []SampleBooking) error {
	change, err := s.change(ctx, tx)
	if err != nil {
		return err
	}
	var rows [][]any
	for _, b := range list {
		for _, a := range b.Actions {
			a.After.Locator = b.Locator
			snapshot, err := writeSnapshot(a.After)
			if err != nil {
				return err
			}
			rows = append(rows, []any{s.account, b.ID, a.Seq, string(a.Name), millis(a.At), a.By, a.Note, snapshot,
				a.ByName, change})
		}
	}
	return insertMany(ctx, tx, "action", []string{"account", "booking", "seq", "name", "at", "by_whom", "note",
		"snapshot", "by_name", "changed"}, rows)
}

// removedSamples is how many made-up bookings are removed in one transaction.
const removedSamples = 50

// RemoveSamples removes the account's made-up bookings, some at a time, and calls removed with the number of those that
// were, after each time.
func (s Scoped) RemoveSamples(ctx context.Context, removed func(n int)) error {
	ctx = withLongWork(ctx)
	for last, n := "", removedSamples; n == removedSamples; {
		err := s.write(ctx, func(tx *sql.Tx) error {
			ids, err := selectAll(ctx, tx, column[string], fmt.Sprintf(`
				SELECT id
				FROM booking
				WHERE account = $1 AND id > $2 AND supplier = $3
				ORDER BY id
				LIMIT %d`, removedSamples), s.account, last, gangway.Samples)
			if err != nil {
				return err
			}
			if n = len(ids); n > 0 {
				last = ids[n-1]
			}
			return s.keepingChange(ctx, tx, func() error { return s.removeBookings(ctx, tx, ids) })
		})
		if err != nil {
			return fmt.Errorf("remove sample bookings: %w", err)
		}
		removed(n)
	}
	return s.exec(ctx, `
		DELETE FROM booking_vessel
		WHERE account = $1 AND NOT EXISTS (
			SELECT 1
			FROM booking b
			WHERE b.account = $1 AND b.vessel = booking_vessel.vessel)`, s.account)
}

// ofBooking lists the tables with rows of a booking, and their columns with its identifier.
var ofBooking = [][2]string{{"action", "booking"}, {"booking_ticket", "booking"}, {"booking_reference", "booking"},
	{"report_segment", "booking_id"}, {"report_refund", "booking_id"}, {"report_booking", "booking_id"},
	{"booking", "id"}}

// removeBookings removes bookings, and all that is known of them.
func (s Scoped) removeBookings(ctx context.Context, tx *sql.Tx, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	args := append([]any{s.account}, anys(ids)...)
	// What is packed of them is packed again.
	if _, err := tx.ExecContext(ctx, `DELETE FROM report_mark WHERE account = $1`, s.account); err != nil {
		return err
	}
	for _, of := range ofBooking {
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM `+of[0]+`
			WHERE account = $1 AND `+of[1]+` IN (`+placeholders(2, len(ids))+`)`, args...); err != nil {
			return fmt.Errorf("remove from %s: %w", of[0], err)
		}
	}
	return nil
}
