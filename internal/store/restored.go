package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// Restored says which copy a database was restored from.
type Restored struct {
	CopiedAt  time.Time `json:"copied_at"` // zero: it was not restored
	At        time.Time `json:"restored_at"`
	Confirmed time.Time `json:"confirmed_at,omitzero"` // zero: not yet, and servers only read
}

// Waits reports whether the operator has to confirm what suppliers said.
func (r Restored) Waits() bool { return !r.At.IsZero() && r.Confirmed.IsZero() }

// Restored returns which copy the database was restored from.
func (db *DB) Restored(ctx context.Context) (r Restored, err error) {
	var copied, at, confirmed int64
	err = db.reader.QueryRowContext(ctx, `SELECT copied_at, restored_at, confirmed_at FROM restored`).
		Scan(&copied, &at, &confirmed)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	return Restored{instant(copied), instant(at), instant(confirmed)}, wrapf(err, "read whether it was restored")
}

// afterLoad makes what was loaded fit the database it was loaded into.
func (db *DB) afterLoad(ctx context.Context) error {
	if db.dialect == sqlite {
		return nil
	}
	tables, err := db.catalog(ctx, db.reader)
	if err != nil {
		return err
	}
	statements := noTimeouts
	for _, t := range tables {
		if strings.Contains(t.columns+",", " changed,") { // by transactions of another server: see report_changed.go
			statements += `; UPDATE ` + t.name + ` SET changed = 0 WHERE changed >= ` + db.dialect.thisChange()
		}
	}
	_, err = db.writer.ExecContext(ctx, statements+`; ANALYZE`)
	return wrapf(err, "prepare what was restored")
}

// restoreSchema is the migration since which programs know that a restored database is only read at first.
const restoreSchema = 116

// FinishRestore makes a database that Restore has filled one that others open, only to read until ConfirmRestore. What
// was to be done to many bookings is ended: nobody knows how far that came after the copy. An older program, which
// would act at once, does not start on it.
func (db *DB) FinishRestore(ctx context.Context, copied, at time.Time) error {
	return db.execAll(ctx, `
		UPDATE batch_item
		SET outcome = 'the service was restored from a copy: look whether it was done before you do it again',
			state = CASE WHEN EXISTS (
				SELECT 1
				FROM intent i
				WHERE i.account = batch_item.account AND i.open = 1
					AND i.booking IN (batch_item.booking, batch_item.acts_on))
				THEN 'unanswered' ELSE 'refused' END
		WHERE state = 'open'`,
		`UPDATE batch SET pending = 0 WHERE pending > 0`,
		fmt.Sprintf(`INSERT INTO restored (id, copied_at, restored_at) VALUES (1, %d, %d)`, millis(copied), millis(at)),
		fmt.Sprintf(`UPDATE schema_oldest SET oldest = version WHERE version = %d`, restoreSchema),
		`DROP TABLE IF EXISTS `+unfinishedRestore)
}

// ConfirmRestore lets servers write and work again.
func (db *DB) ConfirmRestore(ctx context.Context, at time.Time) error {
	return db.execAll(harmless(ctx), fmt.Sprintf(`UPDATE restored SET confirmed_at = %d`, millis(at)),
		fmt.Sprintf(`UPDATE schema_oldest SET oldest = 108 WHERE version = %d`, restoreSchema)) // as the migration says
}

func (db *DB) execAll(ctx context.Context, statements ...string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		for _, s := range statements {
			if _, err := tx.ExecContext(ctx, s); err != nil {
				return fmt.Errorf("write about a copy: %w", err)
			}
		}
		return nil
	})
}

// ErrRestored says that nothing is written while a restored database waits for its operator.
var ErrRestored = gangway.Errorf(gangway.Unavailable, "Gangway was restored from a copy and only reads, until its "+
	"operator has compared the bookings with the suppliers")

// OnlyRead refuses what changes data with ErrRestored, or no longer. Sign-ins and audit entries are written all the
// same.
func (db *DB) OnlyRead(only bool) { db.onlyRead.Store(only) }

// ReadsOnly reports whether OnlyRead holds.
func (db *DB) ReadsOnly() bool { return db.onlyRead.Load() }

// harmlessKey marks the context of what is written also while a restored database waits.
type harmlessKey struct{}

func harmless(ctx context.Context) context.Context {
	return context.WithValue(ctx, harmlessKey{}, true)
}

// mayWrite is ErrRestored if the database is only read.
func (db *DB) mayWrite(ctx context.Context) error {
	if db.onlyRead.Load() && ctx.Value(harmlessKey{}) == nil {
		return ErrRestored
	}
	return nil
}

// LookedAfter returns the next bookings after one that the automated user looks after.
func (s Scoped) LookedAfter(ctx context.Context, after string, n int) ([]gangway.Booking, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (gangway.Booking, error) { return scanBooking(row) }, `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND check_at > 0 AND id > $2
		ORDER BY id
		LIMIT $3`,
		s.account, after, n)
	return list, wrapf(err, "list the bookings that are looked after")
}

// A Backup is a copy of the database that gangway backup made.
type Backup struct {
	At    time.Time // when the copy shows the database; zero: there was none yet
	Bytes int64
}

// LastBackup returns the latest copy.
func (db *DB) LastBackup(ctx context.Context) (b Backup, err error) {
	err = db.reader.QueryRowContext(ctx, `SELECT at, bytes FROM last_backup`).Scan(when(&b.At), &b.Bytes)
	if errors.Is(err, sql.ErrNoRows) {
		return b, nil
	}
	return b, wrapf(err, "read when the last backup was made")
}

// NoteBackup records the latest copy.
func (db *DB) NoteBackup(ctx context.Context, b Backup) error {
	return db.execAll(ctx, `DELETE FROM last_backup`,
		fmt.Sprintf(`INSERT INTO last_backup (id, at, bytes) VALUES (1, %d, %d)`, millis(b.At), b.Bytes))
}

// Scopes returns the scopes of all accounts whose customer is not being removed.
func (db *DB) Scopes(ctx context.Context) ([]gangway.Scope, error) {
	list, err := selectAll(ctx, db.reader, func(row scanner) (s gangway.Scope, err error) {
		err = row.Scan(&s.Account, howLong(&s.Ahead))
		return s, err
	}, `SELECT id, ahead FROM account WHERE removing = 0 ORDER BY id`)
	return list, wrapf(err, "list accounts")
}
