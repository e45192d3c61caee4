package store

import (
	"context"
	"database/sql"
	"time"

	"gangway/internal/gangway"
)

// A ShiftNote is what somebody wrote for those who come after them.
type ShiftNote struct {
	Words string
	gangway.Stamp
}

// ShiftNote returns the account's note; the zero ShiftNote if there is none.
func (s Scoped) ShiftNote(ctx context.Context) (n ShiftNote, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT words, at, by_whom, by_name
		FROM shift_note
		WHERE account = $1`,
		s.account).Scan(&n.Words, when(&n.At), &n.By, &n.ByName)
	return n, wrapf(orNone(err), "read the note for the next shift")
}

// eraseShiftNote deletes the account's note if it was written before an instant: it may name anybody.
func (s Scoped) eraseShiftNote(ctx context.Context, tx *sql.Tx, before time.Time) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM shift_note
		WHERE account = $1 AND at <= $2`,
		s.account, millis(before))
	return wrapf(err, "erase the note for the next shift")
}

// WriteShiftNote writes the account's note in place of the one that was read, which was written by seen. Conflict:
// somebody has written another one since.
func (s Scoped) WriteShiftNote(ctx context.Context, n ShiftNote, seen int64) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		written, err := changed(tx.ExecContext(ctx, `
			INSERT INTO shift_note (account, at, words, by_whom, by_name)
			VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (account) DO UPDATE
			SET at = excluded.at, words = excluded.words, by_whom = excluded.by_whom, by_name = excluded.by_name
			WHERE shift_note.at = $6`,
			s.account, millis(n.At), n.Words, n.By, n.ByName, seen))
		if err == nil && written == 0 {
			err = gangway.Errorf(gangway.Conflict, "somebody has written another note meanwhile")
		}
		return wrapf(err, "write the note for the next shift")
	})
}
