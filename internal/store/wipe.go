package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// wipePatience is how long Wipe waits for those who write, or who still read an
// earlier state of the database.
const wipePatience = 30 * time.Second

// Wipe makes sure, as far as the database can, that nothing that was ever deleted
// is left in the database's files. Others may work at the same time.
//
// On SQLite it is Overwrite. On PostgreSQL it vacuums the tables with personal
// data, which removes dead rows and renews statistics, if the role may.
//
// Unavailable: somebody is reading an earlier state; run it again.
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

// Overwrite is Wipe as a server runs it, again and again. SQLite overwrites what
// is deleted at once; this also overwrites what is left where rows were moved
// from, and then empties the write-ahead log. PostgreSQL vacuums by itself.
//
// Unavailable: somebody is reading an earlier state; run it again.
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

// vacuumPostgres is Wipe on PostgreSQL. It skips tables that the role does not own.
func vacuumPostgres(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, `SET statement_timeout = 0`); err != nil {
		return fmt.Errorf("wipe: %w", err)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), `RESET statement_timeout`)
	for _, table := range personalTables() {
		if _, err := conn.ExecContext(ctx, `VACUUM (ANALYZE) `+table); err != nil {
			return fmt.Errorf("vacuum %s: %w", table, err)
		}
	}
	return nil
}

// emptyLog moves everything from the write-ahead log into the file and truncates
// the log.
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
			return gangway.Errorf(gangway.Unavailable, "somebody is still reading an earlier state of the database, "+
				"so the write-ahead log keeps what was erased: run this again in a minute")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
