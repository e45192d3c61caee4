package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gangway"
)

// A Keeper is an account that keeps what is personal for some time only.
type Keeper struct {
	Scope gangway.Scope
	Keep  gangway.Keep
}

// Keepers returns the accounts that keep what is personal for some time only.
func (db *DB) Keepers(ctx context.Context) ([]Keeper, error) {
	rows, err := db.reader.QueryContext(ctx, `SELECT id, settings FROM account WHERE settings LIKE '%"keep_months":%'`)
	if err != nil {
		return nil, fmt.Errorf("look for accounts that keep data for some time: %w", err)
	}
	defer rows.Close()
	var list []Keeper
	for rows.Next() {
		var id string
		var doc []byte
		var s gangway.Settings
		if err := rows.Scan(&id, &doc); err != nil {
			return nil, fmt.Errorf("look for accounts that keep data for some time: %w", err)
		}
		if err := json.Unmarshal(doc, &s); err != nil {
			return nil, fmt.Errorf("settings of account %s: %w", id, err)
		}
		if s.Keep > 0 {
			list = append(list, Keeper{gangway.Scope{Account: id}, s.Keep})
		}
	}
	return list, rows.Err()
}

// oldAtOnce is how many rows are looked at in one go when what is old is erased.
const oldAtOnce = 200

// EraseOld erases what of travellers is older than before: bookings whose last
// arrival was, travellers whose last trip was, requests and crew changes of
// earlier days. What has no day of its own counts from when it was first seen
// here. It works in portions, and any number of replicas may do it at once.
func (s Scoped) EraseOld(ctx context.Context, before, now time.Time, forget Forget) (Erased, error) {
	ctx = long(ctx)
	e := &erasing{at: now, forget: forget}
	for _, part := range []func(context.Context, time.Time, *erasing) error{
		s.eraseOldTravellers, // before the bookings, by which their last trips are known
		s.eraseOldBookings, s.eraseOldRequests, s.eraseOldCrewChanges,
	} {
		if err := part(ctx, before, e); err != nil {
			return e.done, err
		}
	}
	return e.done, nil
}

func (s Scoped) eraseOldBookings(ctx context.Context, before time.Time, e *erasing) error {
	day, last := gangway.DateOf(before), [2]string{}
	for {
		rows, err := s.db.reader.QueryContext(ctx, fmt.Sprintf(`
			SELECT departs, id, doc
			FROM booking
			WHERE account = $1 AND departs <= $2 AND erased_at = 0 AND (departs, id) > ($3, $4)
			ORDER BY departs, id
			LIMIT %d`, oldAtOnce),
			s.account, day, last[0], last[1])
		if err != nil {
			return fmt.Errorf("look for old bookings: %w", err)
		}
		n, old := 0, []string(nil)
		for ; rows.Next(); n++ {
			var doc string
			var b gangway.Booking
			err := rows.Scan(&last[0], &last[1], &doc)
			if err == nil {
				err = json.Unmarshal([]byte(doc), &b)
			}
			if err != nil {
				rows.Close()
				return fmt.Errorf("look for old bookings: %w", err)
			}
			if b.Over(e.at) && b.Itinerary.Arrival().Before(before) {
				old = append(old, b.ID)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return fmt.Errorf("look for old bookings: %w", err)
		}
		for _, id := range old {
			was := e.done
			err := s.write(ctx, func(tx *sql.Tx) error {
				e.done = was
				return s.eraseBooking(ctx, tx, holderOf("booking").row([]string{s.account, id}), e)
			})
			if gangway.KindOf(err) == gangway.Conflict && err != nil {
				continue // somebody is at work on it: next time
			}
			if err != nil {
				return err
			}
		}
		if n < oldAtOnce {
			return nil
		}
	}
}

func (s Scoped) eraseOldTravellers(ctx context.Context, before time.Time, e *erasing) error {
	for last := ""; ; {
		rows, err := s.db.reader.QueryContext(ctx, fmt.Sprintf(`
			SELECT key, doc, seen_at
			FROM traveller
			WHERE account = $1 AND key > $2
			ORDER BY key
			LIMIT %d`, oldAtOnce),
			s.account, last)
		if err != nil {
			return fmt.Errorf("look for old travellers: %w", err)
		}
		list, err := scanSeen(rows)
		if err != nil {
			return fmt.Errorf("look for old travellers: %w", err)
		}
		var gone []string
		var fresh []string
		for _, t := range list {
			last = t.key
			if t.seen == 0 {
				fresh = append(fresh, t.key)
			}
			trip, standing, err := s.lastTrip(ctx, t.Traveller, e.at)
			if err != nil {
				return err
			}
			if trip.IsZero() {
				trip = instant(t.seen)
			}
			if !standing && !trip.IsZero() && trip.Before(before) {
				gone = append(gone, t.key)
			}
		}
		err = s.write(ctx, func(tx *sql.Tx) error {
			for _, key := range fresh {
				if _, err := tx.ExecContext(ctx, `UPDATE traveller SET seen_at = $3 WHERE account = $1 AND key = $2`, s.account, key, millis(e.at)); err != nil {
					return err
				}
			}
			for _, key := range gone {
				if _, err := tx.ExecContext(ctx, `DELETE FROM traveller WHERE account = $1 AND key = $2`, s.account, key); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("erase old travellers: %w", err)
		}
		if e.done.Travellers += len(gone); len(list) < oldAtOnce {
			return nil
		}
	}
}

// A seenTraveller is a stored traveller, and since when the erasing knows of it.
type seenTraveller struct {
	gangway.Traveller
	key  string
	seen int64
}

func scanSeen(rows *sql.Rows) (list []seenTraveller, err error) {
	defer rows.Close()
	for rows.Next() {
		var t seenTraveller
		var doc string
		if err := rows.Scan(&t.key, &doc, &t.seen); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(doc), &t.Traveller); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, rows.Err()
}

// lastTrip returns when a traveller last arrived from a trip that was booked
// here, and whether there is a booking that is not over.
func (s Scoped) lastTrip(ctx context.Context, t gangway.Traveller, now time.Time) (last time.Time, standing bool, err error) {
	rows, err := s.db.reader.QueryContext(ctx, `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND passenger = $2`,
		s.account, t.FoldedName())
	if err != nil {
		return last, false, fmt.Errorf("look for trips of a traveller: %w", err)
	}
	list, err := scanBookings(rows)
	for _, b := range list {
		if t.ID != "" && b.Passenger.ID != "" && t.ID != b.Passenger.ID {
			continue // somebody else of the same name
		}
		standing = standing || !b.Over(now)
		if at := b.Itinerary.Arrival(); at.After(last) {
			last = at
		}
	}
	return last, standing, err
}

func (s Scoped) eraseOldRequests(ctx context.Context, before time.Time, e *erasing) error {
	day, last := gangway.DateOf(before), [2]string{}
	for {
		rows, err := s.db.reader.QueryContext(ctx, fmt.Sprintf(`
			SELECT request_id, sub_request_id, doc, seen_at
			FROM travel_request
			WHERE account = $1 AND starts < $2 AND (request_id, sub_request_id) > ($3, $4)
			ORDER BY request_id, sub_request_id
			LIMIT %d`, oldAtOnce),
			s.account, day, last[0], last[1])
		if err != nil {
			return fmt.Errorf("look for old travel requests: %w", err)
		}
		n, gone, fresh := 0, [][2]string(nil), [][2]string(nil)
		for ; rows.Next(); n++ {
			var doc string
			var seen int64
			var r gangway.TravelRequest
			if err = rows.Scan(&last[0], &last[1], &doc, &seen); err == nil {
				err = json.Unmarshal([]byte(doc), &r)
			}
			if err != nil {
				break
			}
			switch ends := r.LastDay(); {
			case ends != "" && ends < day, ends == "" && seen > 0 && instant(seen).Before(before):
				gone = append(gone, last)
			case ends == "" && seen == 0:
				fresh = append(fresh, last)
			}
		}
		if err := errors.Join(err, rows.Err(), rows.Close()); err != nil {
			return fmt.Errorf("look for old travel requests: %w", err)
		}
		err = s.write(ctx, func(tx *sql.Tx) error {
			for _, key := range fresh {
				if _, err := tx.ExecContext(ctx, `UPDATE travel_request SET seen_at = $4 WHERE account = $1 AND request_id = $2 AND sub_request_id = $3`, s.account, key[0], key[1], millis(e.at)); err != nil {
					return err
				}
			}
			for _, key := range gone {
				if _, err := tx.ExecContext(ctx, `DELETE FROM travel_request WHERE account = $1 AND request_id = $2 AND sub_request_id = $3`, s.account, key[0], key[1]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("erase old travel requests: %w", err)
		}
		if e.done.Requests += len(gone); n < oldAtOnce {
			return nil
		}
	}
}
