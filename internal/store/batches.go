package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/internal/lease"
)

// A Batch is what somebody has asked to be done for many at once. Its items are
// worked on side by side, by one process at a time.
type Batch struct {
	ID        string
	Kind      string       // what is done to each: "book", or an act on a booking, as package book names it
	Search    string       // empty unless it books
	Change    string       // the key of the crew change that the search is for, if any
	By        gangway.User // only ID, Email and Name
	CreatedAt time.Time
	Items     []BatchItem // in the order in which they were asked for
}

// An ItemState says how far an item is.
type ItemState string

// The states of an item.
const (
	ItemOpen       ItemState = "open"       // no outcome yet; a supplier may have been asked
	ItemDone       ItemState = "done"       // as asked for
	ItemUnanswered ItemState = "unanswered" // the supplier has not answered: its intent is followed up
	ItemRefused    ItemState = "refused"    // the outcome says why, in words
	ItemBusy       ItemState = "busy"       // somebody else was working on the same thing
)

// A BatchItem is what was asked for one of many.
type BatchItem struct {
	Booking string // the identifier of the booking that is made, or of the intent to act on one
	ActsOn  string // the booking that is acted on; empty: one is made
	Member  int    // of the search
	Doc     []byte // what was asked for, as package book writes it; {} once it is erased
	State   ItemState
	Outcome string

	// The booking that came of it, or that is acted on, and the state of its intent,
	// if any, at the time of reading.
	Made   *gangway.Booking
	Intent *Intent // only Open and Outcome
}

// BatchTopic is the topic for whoever watches a batch.
func BatchTopic(id string) Topic { return Topic("batch " + id) }

// A BatchLease is a batch that one process has taken.
type BatchLease struct {
	Scope   gangway.Scope
	ID      string
	Request string // that began it, if another process did
	holder  string // who took it: once another process has taken it, it cannot be extended
}

// ErrBatchLost says that a process was silent for too long and another has its batch.
var ErrBatchLost = gangway.Errorf(gangway.Conflict, "another process has taken the batch")

// BeginBatch writes a batch whose items are all open, and leases it to the caller.
// fresh says that it did not exist before; one that was begun earlier stays as it
// is.
func (s Scoped) BeginBatch(ctx context.Context, b Batch, until time.Time) (l BatchLease, fresh bool, err error) {
	l = BatchLease{Scope: s.Scope(), ID: b.ID, holder: lease.NewHolder()}
	err = s.write(ctx, func(tx *sql.Tx) error {
		n, err := changed(tx.ExecContext(ctx, `
			INSERT INTO batch (account, id, kind, search, by_id, by_whom, by_name, created_at, pending, lease, holder, change_key,
				request)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
			ON CONFLICT DO NOTHING`,
			s.account, b.ID, b.Kind, b.Search, b.By.ID, b.By.Email, b.By.Name,
			millis(b.CreatedAt), len(b.Items), millis(until), l.holder, b.Change, RequestOf(ctx)))
		if fresh = n == 1; err != nil || !fresh {
			return wrapf(err, "begin batch %s", b.ID)
		}
		for i, item := range b.Items {
			if _, err := tx.ExecContext(ctx, `
				INSERT INTO batch_item (account, batch, booking, place, member, doc, state, outcome, acts_on)
				VALUES ($1, $2, $3, $4, $5, $6, $7, '', $8)`,
				s.account, b.ID, item.Booking, i, item.Member, string(item.Doc), ItemOpen, item.ActsOn); err != nil {
				return fmt.Errorf("begin batch %s: %w", b.ID, err)
			}
		}
		return nil
	})
	return l, fresh, err
}

// HasBatch reports whether a batch was begun.
func (s Scoped) HasBatch(ctx context.Context, id string) (begun bool, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT EXISTS (
			SELECT 1
			FROM batch
			WHERE account = $1 AND id = $2)`,
		s.account, id).Scan(&begun)
	return begun, wrapf(err, "look for batch %s", id)
}

// Batch returns a batch as it stands now.
func (s Scoped) Batch(ctx context.Context, id string) (Batch, error) {
	b := Batch{ID: id}
	err := s.db.reader.QueryRowContext(ctx, `
		SELECT kind, search, by_id, by_whom, by_name, created_at
		FROM batch
		WHERE account = $1 AND id = $2`,
		s.account, id).Scan(&b.Kind, &b.Search, &b.By.ID, &b.By.Email, &b.By.Name, when(&b.CreatedAt))
	if err != nil {
		return Batch{}, notFoundOr(err, "there is no such batch")
	}
	b.Items, err = selectAll(ctx, s.db.reader, scanBatchItem, `
		SELECT i.booking, i.acts_on, i.member, i.doc, i.state, i.outcome, coalesce(b.doc, ''), n.open,
			coalesce(n.outcome, '')
		FROM batch_item i
		LEFT JOIN booking b ON b.account = i.account AND b.id = CASE WHEN i.acts_on = '' THEN i.booking ELSE i.acts_on END
		LEFT JOIN intent n ON n.account = i.account AND n.id = i.booking
		WHERE i.account = $1 AND i.batch = $2
		ORDER BY i.place`,
		s.account, id)
	return b, wrapf(err, "read batch %s", id)
}

func scanBatchItem(row scanner) (i BatchItem, err error) {
	var doc, booking, outcome string
	var open sql.NullInt64
	err = row.Scan(&i.Booking, &i.ActsOn, &i.Member, &doc, &i.State, &i.Outcome, &booking, &open, &outcome)
	if err != nil {
		return i, err
	}
	i.Doc = []byte(doc)
	if open.Valid {
		i.Intent = &Intent{Open: open.Int64 == 1, Outcome: outcome}
	}
	if booking != "" {
		i.Made = new(gangway.Booking)
		err = json.Unmarshal([]byte(booking), i.Made)
	}
	return i, err
}

// ErrAnswered says that something believed to be unanswered has an answer.
var ErrAnswered = gangway.Errorf(gangway.Conflict, "the airline has answered meanwhile")

// SettleItem writes the outcome of an open item. An outcome that another process
// wrote stays. ErrAnswered: the item is no longer unanswered.
func (s Scoped) SettleItem(ctx context.Context, batch, booking string, state ItemState, outcome string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if state == ItemUnanswered {
			if err := s.holdUnanswered(ctx, tx, booking); err != nil {
				return err
			}
		}
		if err := s.holdBatch(ctx, tx, batch); err != nil {
			return err
		}
		n, err := changed(tx.ExecContext(ctx, `
			UPDATE batch_item
			SET state = $4, outcome = $5
			WHERE account = $1 AND batch = $2 AND booking = $3 AND state = 'open'`,
			s.account, batch, booking, state, outcome))
		if err != nil || n == 0 {
			return wrapf(err, "settle an item of batch %s", batch)
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE batch
			SET pending = pending - 1
			WHERE account = $1 AND id = $2`,
			s.account, batch)
		return wrapf(err, "settle an item of batch %s", batch)
	}, BatchTopic(batch))
}

// holdBatch locks a batch before one of its items is changed, because deleting a batch with its items locks them in
// that order: otherwise the two could wait for each other.
func (s Scoped) holdBatch(ctx context.Context, tx *sql.Tx, batch string) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE batch
		SET pending = pending
		WHERE account = $1 AND id = $2`,
		s.account, batch)
	return wrapf(err, "hold batch %s", batch)
}

// holdUnanswered locks an open intent until the transaction ends. ErrAnswered: it
// was closed meanwhile.
func (s Scoped) holdUnanswered(ctx context.Context, tx *sql.Tx, intent string) error {
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE intent
		SET lease = lease
		WHERE account = $1 AND id = $2 AND open = 1`,
		s.account, intent))
	if err == nil && n == 0 {
		return ErrAnswered
	}
	return wrapf(err, "read whether intent %s is open", intent)
}

// ForgoIntent closes an intent of which the supplier has done nothing; why says so
// in words. If it is an item of a batch that was left unanswered, the item
// is opened again, and whoever works on the batch decides what becomes of it.
func (s Scoped) ForgoIntent(ctx context.Context, intent, why string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.closeIntent(ctx, tx, intent, why); err != nil {
			return err
		}
		batches, err := selectAll(ctx, tx, column[string], `
			SELECT batch
			FROM batch_item
			WHERE account = $1 AND booking = $2 AND state = 'unanswered'`,
			s.account, intent)
		if err != nil {
			return fmt.Errorf("look for the batches of %s: %w", intent, err)
		}
		for _, batch := range batches {
			if err := s.reopenItem(ctx, tx, batch, intent); err != nil {
				return fmt.Errorf("reopen an item of batch %s: %w", batch, err)
			}
		}
		return nil
	}, Batches)
}

// reopenItem withdraws the outcome of an item. If its batch had nothing left to
// do, any process can take it at once.
func (s Scoped) reopenItem(ctx context.Context, tx *sql.Tx, batch, booking string) error {
	if _, err := tx.ExecContext(ctx, `
		UPDATE batch
		SET lease = CASE WHEN pending = 0 THEN 0 ELSE lease END, pending = pending + 1
		WHERE account = $1 AND id = $2`,
		s.account, batch); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE batch_item
		SET state = 'open', outcome = ''
		WHERE account = $1 AND batch = $2 AND booking = $3`,
		s.account, batch, booking)
	return err
}

// RenewItem replaces an open item by one with a booking identifier that no
// supplier has been told yet. It reports whether it did: another process may have
// settled or renewed the item.
func (s Scoped) RenewItem(ctx context.Context, batch, booking string, fresh BatchItem) (done bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		if err := s.holdBatch(ctx, tx, batch); err != nil {
			return err
		}
		n, err := changed(tx.ExecContext(ctx, `
			INSERT INTO batch_item (account, batch, booking, place, member, doc, state, outcome, acts_on)
			SELECT account, batch, $4, place, member, $5, state, '', acts_on
			FROM batch_item
			WHERE account = $1 AND batch = $2 AND booking = $3 AND state = 'open'`,
			s.account, batch, booking, fresh.Booking, string(fresh.Doc)))
		if done = n == 1; err != nil || !done {
			return wrapf(err, "renew an item of batch %s", batch)
		}
		_, err = tx.ExecContext(ctx, `
			DELETE FROM batch_item
			WHERE account = $1 AND batch = $2 AND booking = $3`,
			s.account, batch, booking)
		return wrapf(err, "renew an item of batch %s", batch)
	}, BatchTopic(batch))
	return done, err
}
