package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gangway/internal/gangway"
)

// A RetentionAccount is an account that keeps personal data only for some time.
type RetentionAccount struct {
	Scope gangway.Scope
	Keep  gangway.Retention
}

// RetentionAccounts returns the accounts that keep personal data only for some time.
func (db *DB) RetentionAccounts(ctx context.Context) ([]RetentionAccount, error) {
	all, err := selectAll(ctx, db.reader, func(row scanner) (RetentionAccount, error) {
		var id string
		var settings gangway.Settings
		err := row.Scan(&id, docColumn{&settings})
		return RetentionAccount{gangway.Scope{Account: id}, settings.Keep}, err
	}, `SELECT id, settings FROM account WHERE removing = 0 AND settings LIKE '%"keep_months":%'`)
	return slices.DeleteFunc(all, func(k RetentionAccount) bool { return k.Keep == 0 }),
		wrapf(err, "look for accounts that keep data for some time")
}

// oldAtOnce is how many rows are looked at in one go when old data is erased.
const oldAtOnce = 200

// EraseOld erases what an account has of travellers from earlier than before:
// bookings that arrived earlier, travellers whose last trip ended earlier,
// requests and crew changes of earlier days. What has no date of its own counts
// from when it was first seen here. It works in portions, and any number of
// replicas may run it at once.
func (s Scoped) EraseOld(ctx context.Context, before, now time.Time, forget Forget) (Erased, error) {
	ctx = withLongWork(ctx)
	e := &erasing{at: now, forget: forget}
	for _, part := range []func(context.Context, time.Time, *erasing) error{
		s.eraseOldTravellers, // before the bookings, which tell when their last trip was
		s.eraseOldBookings, s.eraseOldRequests, s.eraseOldCrewChanges, s.eraseOldNote,
	} {
		if err := part(ctx, before, e); err != nil {
			return e.done, err
		}
	}
	return e.done, nil
}

var oldBookings = fmt.Sprintf(`
			SELECT departs, id, doc
			FROM booking
			WHERE account = $1 AND departs <= $2 AND erased_at = 0 AND (departs, id) > ($3, $4)
			ORDER BY departs, id
			LIMIT %d`, oldAtOnce)

func (s Scoped) eraseOldNote(ctx context.Context, before time.Time, _ *erasing) error {
	return s.write(ctx, func(tx *sql.Tx) error { return s.eraseShiftNote(ctx, tx, before) })
}

func (s Scoped) eraseOldBookings(ctx context.Context, before time.Time, e *erasing) error {
	for departs, id, n := "", "", oldAtOnce; n == oldAtOnce; {
		n = 0
		var old []travellerRow
		err := eachRow(ctx, s.db.reader, oldBookings,
			[]any{s.account, gangway.DateOf(before), departs, id}, func(row scanner) error {
				n++
				var b gangway.Booking
				if err := row.Scan(&departs, &id, docColumn{&b}); err != nil {
					return err
				}
				if b.Over(e.at) && b.Itinerary.Arrival().Before(before) {
					old = append(old, travellerTableOf("booking").row([]string{s.account, id}))
				}
				return nil
			})
		if err != nil {
			return fmt.Errorf("look for old bookings: %w", err)
		}
		for _, row := range old {
			was := e.done
			err := s.write(ctx, func(tx *sql.Tx) error {
				e.done = was
				return s.eraseBooking(ctx, tx, row, e)
			})
			if err != nil && gangway.KindOf(err) != gangway.Conflict { // an open intent: it is erased next time
				return err
			}
		}
	}
	return nil
}

func (s Scoped) eraseOldTravellers(ctx context.Context, before time.Time, e *erasing) error {
	rule := retentionRule{travellerTable: travellerTableOf("traveller"), order: byKey, columns: []string{"doc"}}
	rule.ended = func(columns []string) (time.Time, bool, error) {
		t, err := readTraveller(columns[0])
		if err != nil {
			return time.Time{}, false, err
		}
		return s.lastTrip(ctx, t, before, e.at)
	}
	n, err := s.eraseOldRows(ctx, rule, before, e.at)
	e.done.Travellers += n
	return err
}

// tripsOf lists the bookings of a name, the latest first.
const tripsOf = `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND passenger = $2
		ORDER BY departs DESC, id DESC`

// errEnough stops reading rows.
var errEnough = errors.New("enough was read")

// lastTrip returns when a traveller last arrived from a trip that was booked
// here, and whether a booking is not over or ended after before. For nearly
// everybody the latest trip is one, and no other is read.
func (s Scoped) lastTrip(ctx context.Context, t gangway.Traveller, before,
	now time.Time) (last time.Time, standing bool, err error) {
	err = eachRow(ctx, s.db.reader, tripsOf, []any{s.account, t.FoldedName()}, func(row scanner) error {
		b, err := scanBooking(row)
		// skip a namesake
		if err != nil || t.ID != "" && b.Passenger.ID != "" && t.ID != b.Passenger.ID {
			return err
		}
		if at := b.Itinerary.Arrival(); at.After(last) {
			last = at
		}
		if standing = !b.Over(now) || last.After(before); standing {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return last, standing, err
}

func (s Scoped) eraseOldRequests(ctx context.Context, before time.Time, e *erasing) error {
	rule := retentionRule{travellerTable: travellerTableOf("travel_request"), order: byStart, columns: []string{"doc"}}
	rule.ended = func(columns []string) (time.Time, bool, error) {
		var r gangway.TravelRequest
		err := json.Unmarshal([]byte(columns[0]), &r)
		return endOf(r.LastDay()), false, err
	}
	n, err := s.eraseOldRows(ctx, rule, before, e.at)
	e.done.Requests += n
	return err
}

// eraseOldCrewChanges uses the day to which a booker moved a crew change, if
// that is later than the day as sent.
func (s Scoped) eraseOldCrewChanges(ctx context.Context, before time.Time, e *erasing) error {
	rule := retentionRule{travellerTable: travellerTableOf("crew_change"), order: byDay}
	rule.columns = []string{"doc", "dropped", "moved"}
	rule.ended = func(columns []string) (time.Time, bool, error) {
		c, err := readCrewChange(columns[0], columns[1], columns[2])
		_, day := c.Where()
		return endOf(day), false, err
	}
	n, err := s.eraseOldRows(ctx, rule, before, e.at)
	e.done.CrewChanges += n
	return err
}

// endOf returns when a day is over; the zero time if day is not a date.
func endOf(day gangway.Date) time.Time {
	if !day.Valid() {
		return time.Time{}
	}
	return day.AddDays(1).In(time.UTC)
}
