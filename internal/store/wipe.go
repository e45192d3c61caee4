package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"gangway"
)

// wipePatience is how long Wipe waits for those who still read what was there
// before, or write.
const wipePatience = 30 * time.Second

// Wipe sees to it that of what e tells, or of everything that was ever deleted
// where e is zero, nothing is left in the database's files, as far as the
// database can do that. Others may work beside it.
//
// On SQLite what is deleted is overwritten at once; Wipe brings that from the
// write-ahead log into the file, looks through the file, and has it written anew
// where anything is found: what old versions of the program left, copies that
// were made when rows moved, or somebody else of the same name. On PostgreSQL it
// clears dead rows and statistics away, where the role may.
//
// Unavailable: somebody reads what was there before; it is to be done again.
func (db *DB) Wipe(ctx context.Context, e Erased) error {
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("wipe: %w", err)
	}
	defer conn.Close()
	if db.dialect == postgres {
		return vacuumTwin(ctx, conn)
	}
	if err := emptyLog(ctx, conn); err != nil {
		return err
	}
	found, err := inFile(ctx, conn, e.words)
	if err != nil || len(e.words) > 0 && !found {
		return err
	}
	return writeAnew(ctx, conn)
}

// smallFile is how large a SQLite file may be that is written anew while people
// work: it takes about a second, in which writers wait.
const smallFile = 64 << 20

// Overwrite sees to it, after what is old was erased, that the write-ahead log
// of SQLite has nothing of it, and writes a small file anew; whole is false for
// a larger one, in which fragments may be left where rows were moved within
// pages. On PostgreSQL the database does its own clearing away.
//
// Unavailable: somebody reads what was there before; it is to be done again.
func (db *DB) Overwrite(ctx context.Context) (whole bool, err error) {
	if db.dialect == postgres {
		return true, nil
	}
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return false, fmt.Errorf("wipe: %w", err)
	}
	defer conn.Close()
	var size int64
	if err := conn.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&size); err != nil {
		return false, fmt.Errorf("wipe: %w", err)
	}
	if size > smallFile {
		return false, emptyLog(ctx, conn)
	}
	return true, writeAnew(ctx, conn)
}

// writeAnew writes a SQLite file anew, with what is in it and nothing else.
func writeAnew(ctx context.Context, conn *sql.Conn) error {
	// The copy is as large as the database: not in memory.
	if _, err := conn.ExecContext(ctx, `PRAGMA temp_store = FILE`); err != nil {
		return fmt.Errorf("wipe: %w", err)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA temp_store = MEMORY`)
	if _, err := conn.ExecContext(ctx, `VACUUM`); err != nil {
		return fmt.Errorf("write the database file anew: %w", err)
	}
	return emptyLog(ctx, conn)
}

// vacuumTwin is Wipe on PostgreSQL. Tables that the role does not own are passed over.
func vacuumTwin(ctx context.Context, conn *sql.Conn) error {
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
			return gangway.Errorf(gangway.Unavailable, "somebody still reads the database as it was before, so the write-ahead log keeps what was erased: run this again in a minute")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// inFile reports whether any of words is somewhere in the database's file, in
// pages that are free too.
func inFile(ctx context.Context, conn *sql.Conn, words []string) (bool, error) {
	var name string
	if err := conn.QueryRowContext(ctx, `SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&name); err != nil {
		return false, fmt.Errorf("look through the database file: %w", err)
	}
	file, err := os.Open(name)
	if err != nil {
		return false, fmt.Errorf("look through the database file: %w", err)
	}
	defer file.Close()
	longest := 0
	for _, w := range words {
		longest = max(longest, len(w))
	}
	buffer, kept := make([]byte, 1<<20+longest), 0
	for {
		n, err := io.ReadFull(file, buffer[kept:])
		part := buffer[:kept+n]
		for _, w := range words {
			if bytes.Contains(part, []byte(w)) {
				return true, nil
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("look through the database file: %w", err)
		}
		kept = copy(buffer, part[len(part)-longest:])
	}
}
