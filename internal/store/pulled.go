package store

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json" // as for lists of bookings: scanBooking
)

// A PulledBooking is a booking and some of its actions, oldest first.
type PulledBooking struct {
	Booking string
	Actions []gangway.Action
	Then    gangway.Booking // as it was right after the last of them
}

// PullPart returns up to n bookings of a pull, in the order of its answer, skipping the first
// before.
func (s Scoped) PullPart(ctx context.Context, id string, before, n int) ([]PulledBooking, error) {
	// The limit is a part of the text so that PostgreSQL knows it when it plans: it looks up the actions of
	// each booking then. CROSS JOIN makes SQLite do that.
	var list []PulledBooking
	last, read := -1, 0
	err := eachRow(ctx, s.db.reader, `
		SELECT p.place, p.booking, a.seq, a.name, a.at, a.by_whom, CASE WHEN a.seq = p.to_seq THEN a.snapshot ELSE '' END
		FROM (
			SELECT place, booking, from_seq, to_seq
			FROM pull_booking
			WHERE account = $1 AND pull = $2 AND place > $3
			ORDER BY place
			LIMIT `+strconv.Itoa(n)+`) AS p
		CROSS JOIN action a
		WHERE a.account = $1 AND a.booking = p.booking AND a.seq >= p.from_seq AND a.seq <= p.to_seq
		ORDER BY p.place, a.seq`,
		[]any{s.account, id, before}, func(row scanner) error {
			var place int
			var booking string
			var a gangway.Action
			var snapshot []byte
			if err := row.Scan(&place, &booking, &a.Seq, &a.Name, when(&a.At), &a.By, &snapshot); err != nil {
				return err
			}
			if place != last {
				list, last = append(list, PulledBooking{Booking: booking}), place
			}
			p := &list[len(list)-1]
			p.Actions = append(p.Actions, a)
			if len(snapshot) == 0 {
				return nil
			}
			read++
			err := json.Unmarshal(snapshot, &p.Then)
			return wrapf(err, "booking %s", booking)
		})
	if err != nil {
		return nil, fmt.Errorf("read pull %s: %w", id, err)
	}
	if read != len(list) {
		return nil, fmt.Errorf("read pull %s: %d of %d snapshots exist", id, read, len(list))
	}
	return list, nil
}

// A Position is a place in a list of bookings by time: an instant in milliseconds, and the booking
// at that instant. The zero Position comes before all others.
type Position struct {
	Millis  int64
	Booking string
}

// Modified returns the first n bookings after a position that have an action
// after from, in the order of their latest action.
func (s Scoped) Modified(ctx context.Context, from time.Time, after Position, n int) ([]Position, error) {
	return s.positions(ctx, "acted_at", max(sinceMillis(from)+1, after.Millis), math.MaxInt64, after, n)
}

// Created returns the first n bookings after a position that were made from one
// time until before another, in that order.
func (s Scoped) Created(ctx context.Context, from, until time.Time, after Position, n int) ([]Position, error) {
	return s.positions(ctx, "created_at", max(from.UnixMilli(), after.Millis), until.UnixMilli(), after, n)
}

func (s Scoped) positions(ctx context.Context, column string, from, until int64, after Position,
	n int) ([]Position, error) {
	id := s.db.dialect.bytewise("id")
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (p Position, err error) {
		err = row.Scan(&p.Millis, &p.Booking)
		return p, err
	}, `
		SELECT `+column+`, id
		FROM booking
		WHERE account = $1 AND `+column+` >= $2 AND `+column+` < $3 AND (`+column+` > $4 OR `+id+` > $5)
			AND supplier <> 'sample'
		ORDER BY `+column+`, `+id+`
		LIMIT $6`,
		s.account, from, until, after.Millis, after.Booking, n)
	return list, wrapf(err, "list bookings by %s", column)
}

// ActionsAfter returns the bookings at positions, each with all its actions
// after from. The list must not be longer than a few hundred.
func (s Scoped) ActionsAfter(ctx context.Context, at []Position, from time.Time) ([]PulledBooking, error) {
	list, err := s.actionsOf(ctx, at, sinceMillis(from))
	if err != nil {
		return nil, err
	}
	then, err := s.Snapshots(ctx, list)
	for i, b := range then {
		list[i].Then = b
	}
	return list, err
}

// sinceMillis returns a millisecond such that every action after from is later than it. Instants
// are stored to the millisecond, so an action in the same millisecond as from is returned twice
// rather than not at all.
func sinceMillis(from time.Time) int64 {
	after := from.UnixMilli()
	if from.Truncate(time.Millisecond) != from {
		after--
	}
	return after
}

// actionsOf returns the actions of the wanted bookings that came after an instant, in the order of the
// bookings in wanted.
func (s Scoped) actionsOf(ctx context.Context, wanted []Position, after int64) ([]PulledBooking, error) {
	if len(wanted) == 0 {
		return nil, nil
	}
	places, args := make([]string, len(wanted)), []any{s.account, after}
	for i, w := range wanted {
		places[i] = fmt.Sprintf("(%d, $%d)", i, len(args)+1)
		args = append(args, w.Booking)
	}
	// CROSS JOIN makes SQLite look up the actions for each booking, as PostgreSQL does by itself.
	var list []PulledBooking
	last := -1
	err := eachRow(ctx, s.db.reader, `
		WITH wanted (place, booking) AS (VALUES `+strings.Join(places, ", ")+`)
		SELECT w.place, a.seq, a.name, a.at, a.by_whom
		FROM wanted w
		CROSS JOIN action a
		WHERE a.account = $1 AND a.booking = w.booking AND a.at > $2
		ORDER BY w.place, a.seq`,
		args, func(row scanner) error {
			var place int
			var a gangway.Action
			if err := row.Scan(&place, &a.Seq, &a.Name, when(&a.At), &a.By); err != nil {
				return err
			}
			if place != last {
				list, last = append(list, PulledBooking{Booking: wanted[place].Booking}), place
			}
			p := &list[len(list)-1]
			p.Actions = append(p.Actions, a)
			return nil
		})
	return list, wrapf(err, "read actions")
}

// Snapshots returns each booking of list as it was right after the last of the
// actions there, in the order of list, which must not be longer than a few hundred.
func (s Scoped) Snapshots(ctx context.Context, list []PulledBooking) ([]gangway.Booking, error) {
	if len(list) == 0 {
		return nil, nil
	}
	places, args, at := make([]string, len(list)), []any{s.account}, make(map[string]int, len(list))
	for i, p := range list {
		places[i] = fmt.Sprintf("($%d, CAST($%d AS INTEGER))", len(args)+1, len(args)+2)
		args = append(args, p.Booking, p.Actions[len(p.Actions)-1].Seq)
		at[p.Booking] = i
	}
	bookings, read := make([]gangway.Booking, len(list)), 0
	err := eachRow(ctx, s.db.reader, `
		WITH wanted (booking, seq) AS (VALUES `+strings.Join(places, ", ")+`)
		SELECT a.booking, a.snapshot
		FROM wanted w
		CROSS JOIN action a
		WHERE a.account = $1 AND a.booking = w.booking AND a.seq = w.seq`,
		args, func(row scanner) error {
			var id string
			var snapshot []byte
			if err := row.Scan(&id, &snapshot); err != nil {
				return err
			}
			read++
			err := json.Unmarshal(snapshot, &bookings[at[id]])
			return wrapf(err, "booking %s", id)
		})
	if err != nil {
		return nil, fmt.Errorf("read snapshots: %w", err)
	}
	if read != len(list) {
		return nil, fmt.Errorf("read snapshots: %d of %d exist", read, len(list))
	}
	return bookings, nil
}
