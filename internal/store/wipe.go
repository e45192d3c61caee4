package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway"
)

// wipePatience is how long Wipe waits for those who still read what was there
// before, or write.
const wipePatience = 30 * time.Second

// Wipe sees to it that nothing is left in the database's files of what was ever
// deleted, as far as the database can do that. Others may work beside it.
//
// On SQLite it is Overwrite. On PostgreSQL it clears dead rows and statistics
// away, where the role may.
//
// Unavailable: somebody reads what was there before; it is to be done again.
func (db *DB) Wipe(ctx context.Context) error {
	if db.dialect == sqlite {
		return db.Overwrite(ctx)
	}
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("wipe: %w", err)
	}
	defer conn.Close()
	return vacuumPostgres(ctx, conn)
}

// Overwrite is Wipe for a server, which does it again and again: on SQLite what
// is deleted is overwritten at once, and here so is what was left where rows
// were moved; then the write-ahead log is emptied. PostgreSQL does its own
// clearing away.
//
// Unavailable: somebody reads what was there before; it is to be done again.
func (db *DB) Overwrite(ctx context.Context) error {
	if db.dialect == postgres {
		return nil
	}
	if err := db.clearUnused(ctx); err != nil {
		return err
	}
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("empty the write-ahead log: %w", err)
	}
	defer conn.Close()
	return emptyLog(ctx, conn)
}

// vacuumPostgres is Wipe on PostgreSQL. Tables that the role does not own are passed over.
func vacuumPostgres(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, `SET statement_timeout = 0`); err != nil {
		return fmt.Errorf("wipe: %w", err)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), `RESET statement_timeout`)
	for _, table := range personalTables() {
		if _, err := conn.ExecContext(ctx, `VACUUM (ANALYZE) `+table); err != nil {
			return fmt.Errorf("clear dead rows of %s away: %w", table, err)
		}
	}
	return nil
}

// emptyLog brings all that is in the write-ahead log into the file and cuts the
// log to nothing.
func emptyLog(ctx context.Context, conn *sql.Conn) error {
	for began := time.Now(); ; {
		var busy, frames, moved int
		err := conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved)
		if err != nil {
			return fmt.Errorf("empty the write-ahead log: %w", err)
		}
		if busy == 0 {
			return nil
		}
		if time.Since(began) > wipePatience {
			return gangway.Errorf(gangway.Unavailable, "somebody still reads the database as it was before, so the "+
				"write-ahead log keeps what was erased: run this again in a minute")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
