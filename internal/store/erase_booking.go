package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// eraseBooking removes the traveller from a booking and from everything that was
// written because of it. Conflict: it is not over, or an intent for it is open.
func (s Scoped) eraseBooking(ctx context.Context, tx *sql.Tx, row travellerRow, e *erasing) error {
	b, err := s.lockBooking(ctx, tx, row.id())
	if gangway.KindOf(err) == gangway.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if !b.Over(e.at) {
		return gangway.Errorf(gangway.Conflict, "booking %s is %s: its traveller cannot be erased yet", b.Locator,
			b.State)
	}
	if err := s.refuseIfOpen(ctx, tx, b, ""); err != nil {
		return err
	}
	was, known := b, e.known.With(b.Passenger)
	erasure.EraseBooking(&b, e.at, known)
	if err := s.saveErased(ctx, tx, b, was); err != nil {
		return fmt.Errorf("erase from booking %s: %w", b.ID, err)
	}
	e.done.Bookings++
	if err := row.retrace(ctx, tx, nil); err != nil {
		return fmt.Errorf("erase from booking %s: %w", b.ID, err)
	}
	if err := s.eraseActions(ctx, tx, b, known, e); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, eraseAnswers, s.account, b.ID); err != nil {
		return fmt.Errorf("erase answers to pushes of booking %s: %w", b.ID, err)
	}
	if _, err := tx.ExecContext(ctx, eraseBodies, s.account, b.ID); err != nil {
		return fmt.Errorf("erase what booking %s was pushed as: %w", b.ID, err)
	}
	if _, err := tx.ExecContext(ctx, eraseIntent+` AND booking = $2`, s.account, b.ID, Done); err != nil {
		return fmt.Errorf("erase intents of booking %s: %w", b.ID, err)
	}
	if _, err := tx.ExecContext(ctx, eraseBatchItem+` AND booking = $2`, s.account, b.ID); err != nil {
		return fmt.Errorf("erase batch items of booking %s: %w", b.ID, err)
	}
	if err := s.erasePaper(ctx, tx, was, b); err != nil {
		return err
	}
	if err := s.eraseSearchOf(ctx, tx, b.Purpose.Search, e.at); err != nil {
		return err
	}
	return s.eraseOrder(ctx, tx, b.Supplier, b.ID, known, e)
}

// saveErased writes an erased booking, and the columns and rows that it is found by.
func (s Scoped) saveErased(ctx context.Context, tx *sql.Tx, b, was gangway.Booking) error {
	doc, err := json.Marshal(b)
	if err != nil {
		return err
	}
	told, err := s.told(ctx, tx, was)
	if err != nil {
		return err
	}
	vessel, before := gangway.Fold(b.Purpose.Vessel), gangway.Fold(was.Purpose.Vessel)
	if _, err := tx.ExecContext(ctx, `
		UPDATE booking
		SET passenger = $3, doc = $4, erased_at = $5, vessel = $6, change_key = $7, request = $8, sub_request = $9
		WHERE account = $1 AND id = $2`,
		s.account, b.ID, b.Passenger.FoldedName(), string(doc), millis(b.ErasedAt), vessel,
		b.Purpose.Change, b.Purpose.RequestID, b.Purpose.SubRequestID); err != nil {
		return err
	}
	err = errors.Join(s.saveReport(ctx, tx, b, told), s.saveReferences(ctx, tx, b, references(was)))
	if err != nil || vessel == before {
		return err
	}
	if err := s.saveVessel(ctx, tx, b); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		DELETE FROM booking_vessel
		WHERE account = $1 AND vessel = $2 AND NOT EXISTS (SELECT 1 FROM booking WHERE account = $1 AND vessel = $2)`,
		s.account, before)
	return err
}

// eraseAnswers empties what customers' systems answered to pushes of a booking,
// at the outlets that its deliveries went to.
const eraseAnswers = `
	UPDATE attempt
	SET answer = ''
	WHERE account = $1 AND outlet IN (SELECT outlet FROM delivery WHERE account = $1 AND booking = $2) AND booking = $2 AND answer <> ''`

// eraseBodies empties what outlets made of the records of a booking. What still waits is made anew, of the
// record without the traveller.
const eraseBodies = `
	UPDATE delivery
	SET body = ''
	WHERE account = $1 AND booking = $2 AND body <> ''`

// eraseActions removes the traveller from the snapshots after a booking's
// actions, and deletes the notes that people wrote with them.
func (s Scoped) eraseActions(ctx context.Context, tx *sql.Tx, b gangway.Booking, known erasure.OwnValues,
	e *erasing) error {
	snapshots := map[int]string{}
	err := eachRow(ctx, tx, `
		SELECT seq, snapshot
		FROM action
		WHERE account = $1 AND booking = $2`,
		[]any{s.account, b.ID}, func(row scanner) error {
			var seq int
			var doc string
			var then gangway.Booking
			err := row.Scan(&seq, &doc)
			if snapshots[seq] = doc; err != nil || doc == "" { // nothing of the booking is kept with that action
				return err
			}
			if err := json.Unmarshal([]byte(doc), &then); err != nil {
				return err
			}
			erasure.EraseBooking(&then, e.at, known)
			snapshots[seq], err = writeSnapshot(then)
			return err
		})
	if err != nil {
		return fmt.Errorf("read actions of booking %s: %w", b.ID, err)
	}
	for seq, doc := range snapshots {
		if _, err := tx.ExecContext(ctx, `
			UPDATE action
			SET snapshot = $4, note = ''
			WHERE account = $1 AND booking = $2 AND seq = $3`,
			s.account, b.ID, seq, doc); err != nil {
			return fmt.Errorf("erase from the log of booking %s: %w", b.ID, err)
		}
		e.done.Actions++
	}
	return nil
}

// eraseIntent empties intents that are closed. Their outcome stays, but without
// its words.
const eraseIntent = `
	UPDATE intent
	SET doc = '{}', traced = 0, passenger = '', outcome = CASE WHEN outcome = $3 OR outcome = '' THEN outcome ELSE 'the traveller was erased' END
	WHERE account = $1 AND open = 0`

// eraseIntent empties an intent to book the traveller that came to nothing, and
// the supplier's document of it. Conflict: the intent is open.
func (s Scoped) eraseIntent(ctx context.Context, tx *sql.Tx, row travellerRow, e *erasing) error {
	i, _, err := scanIntent(tx.QueryRowContext(ctx, `
		UPDATE intent
		SET doc = doc
		WHERE account = $1 AND id = $2
		RETURNING `+intentColumns,
		s.account, row.id()))
	if gangway.KindOf(err) == gangway.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if i.Open {
		return errBeingBooked
	}
	if _, err := tx.ExecContext(ctx, eraseIntent+` AND id = $2`, s.account, i.ID, Done); err != nil {
		return fmt.Errorf("erase intent %s: %w", i.ID, err)
	}
	if err := row.retrace(ctx, tx, nil); err != nil {
		return fmt.Errorf("erase intent %s: %w", i.ID, err)
	}
	if i.Outcome != Done {
		e.done.Attempts++
	}
	return s.eraseOrder(ctx, tx, i.Supplier, i.Booking, e.known, e)
}

// eraseOrder removes the traveller from the supplier's own document of what was
// ordered under a booking's identifier.
func (s Scoped) eraseOrder(ctx context.Context, tx *sql.Tx, supplier, reference string, known erasure.OwnValues,
	e *erasing) error {
	if e.forget == nil {
		return nil
	}
	var id string
	var doc []byte
	err := tx.QueryRowContext(ctx, `
		UPDATE supplier_document
		SET doc = doc
		WHERE account = $1 AND reference = $2
		RETURNING id, doc`,
		s.account, reference).Scan(&id, &doc)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read an order at supplier %s: %w", supplier, err)
	}
	if doc, err = e.forget(supplier, doc, known); err != nil || doc == nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE supplier_document
		SET doc = $3, version = version + 1
		WHERE account = $1 AND id = $2`,
		s.account, id, string(doc))
	return wrapf(err, "erase from an order at supplier %s", supplier)
}
