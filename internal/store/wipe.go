package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
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

// pagesAtOnce is how many pages of a SQLite file are overwritten in one
// transaction. It takes some milliseconds, during which writers wait.
const pagesAtOnce = 500

// clearUnused writes zeros over everything in a SQLite file that is no longer part
// of the database. What we delete is overwritten when it is deleted, but not the
// place from which a row was moved to another page, nor what programs without
// secure_delete have deleted. Others may work at the same time.
//
// The pages are read and written through SQLite itself, in transactions: opening
// and closing the file in any other way would end this process's locks on it.
func (db *DB) clearUnused(ctx context.Context) error {
	ctx = withLongWork(ctx)
	for done, more := 0, true; more; done++ {
		err := db.write(ctx, func(tx *sql.Tx) (err error) {
			more, err = clearFree(ctx, tx, done)
			return err
		})
		if err != nil {
			return fmt.Errorf("overwrite free pages: %w", err)
		}
	}
	var last uint32
	if err := db.reader.QueryRowContext(ctx, `SELECT page_count FROM pragma_page_count`).Scan(&last); err != nil {
		return fmt.Errorf("overwrite what pages do not use: %w", err)
	}
	// The first page only has rows of the schema. Pages that others add at the end
	// meanwhile have never held anything else.
	for first := uint32(2); first <= last; first += pagesAtOnce {
		err := db.write(ctx, func(tx *sql.Tx) error {
			file, err := openPages(ctx, tx)
			if err != nil {
				return err
			}
			return file.clear(first, min(last, first+pagesAtOnce-1))
		})
		if err != nil {
			return fmt.Errorf("overwrite what pages do not use: %w", err)
		}
	}
	return nil
}

// pages are the pages of a SQLite file, in a transaction.
type pages struct {
	ctx    context.Context
	tx     *sql.Tx
	usable int               // bytes of each page
	read   map[uint32][]byte // the pages read so far
}

func openPages(ctx context.Context, tx *sql.Tx) (*pages, error) {
	f := &pages{ctx: ctx, tx: tx, read: map[uint32][]byte{}}
	first, err := f.page(1)
	if err != nil {
		return nil, err
	}
	switch count := binary.BigEndian.Uint32(first[28:]); {
	case count >= manyPages, binary.BigEndian.Uint32(first[52:]) != 0: // auto_vacuum, with pages of other kinds
		return nil, gangway.Errorf(gangway.Conflict, "the database file is too large, or was not created by "+
			"Gangway, so it cannot be overwritten in parts: stop the server and rewrite it with PRAGMA secure_delete "+
			"= ON; VACUUM")
	}
	f.usable = len(first) - int(first[20])
	return f, nil
}

// page returns page n, from read if it is there.
func (f *pages) page(n uint32) ([]byte, error) {
	if p, ok := f.read[n]; ok {
		return p, nil
	}
	var p []byte
	if err := f.tx.QueryRowContext(f.ctx, `SELECT data FROM sqlite_dbpage WHERE pgno = $1`, n).Scan(&p); err != nil {
		return nil, fmt.Errorf("read page %d: %w", n, err)
	}
	f.read[n] = p
	return p, nil
}

// readAll reads the pages from first to last with one statement.
func (f *pages) readAll(first, last uint32) error {
	return eachRow(f.ctx, f.tx, `
		WITH RECURSIVE wanted (n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM wanted WHERE n < $2)
		SELECT n, data
		FROM wanted
		JOIN sqlite_dbpage ON pgno = n`, []any{first, last}, func(row scanner) error {
		var n uint32
		var p []byte
		err := row.Scan(&n, &p)
		f.read[n] = p
		return err
	})
}

// zero overwrites parts of a page unless they are zero already.
func (f *pages) zero(n uint32, p []byte, parts ...span) error {
	changed := false
	for _, s := range parts {
		if part := p[s.from:s.to]; len(bytes.TrimLeft(part, "\x00")) > 0 {
			clear(part)
			changed = true
		}
	}
	if !changed {
		return nil
	}
	_, err := f.tx.ExecContext(f.ctx, `UPDATE sqlite_dbpage SET data = $2 WHERE pgno = $1`, n, p)
	return wrapf(err, "write page %d", n)
}

// clear overwrites the unused parts of pages with rows, and of the last overflow
// page of each long row.
func (f *pages) clear(first, last uint32) error {
	if err := f.readAll(first, last); err != nil {
		return err
	}
	for n := first; n <= last; n++ {
		whole := f.read[n]
		if whole == nil {
			return nil // the file has become shorter
		}
		p := page(whole[:f.usable])
		if !p.isTree() {
			continue
		}
		parts, err := p.unused()
		if err != nil {
			return fmt.Errorf("page %d: %w", n, err)
		}
		if err := f.zero(n, whole, parts...); err != nil {
			return err
		}
		long, err := p.overflows()
		if err != nil {
			return fmt.Errorf("page %d: %w", n, err)
		}
		for _, o := range long {
			if err := f.clearEnd(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// clearEnd overwrites what comes after the end of a long row.
func (f *pages) clearEnd(o overflow) error {
	for n, room := o.first, f.usable-4; ; o.bytes -= room {
		p, err := f.page(n)
		if err != nil {
			return err
		}
		if o.bytes <= room {
			return f.zero(n, p, span{4 + o.bytes, f.usable})
		}
		n = binary.BigEndian.Uint32(p)
	}
}

// clearFree overwrites the free pages that one page of their list names. It takes
// the page that is done pages from the list's end, because the list grows and
// shrinks at its beginning. It reports whether there are more.
func clearFree(ctx context.Context, tx *sql.Tx, done int) (more bool, err error) {
	f, err := openPages(ctx, tx)
	if err != nil {
		return false, err
	}
	var lists []uint32
	for n := binary.BigEndian.Uint32(f.read[1][32:]); n != 0; {
		lists = append(lists, n)
		p, err := f.page(n)
		if err != nil {
			return false, err
		}
		if n = binary.BigEndian.Uint32(p); slices.Contains(lists, n) {
			return false, errors.New("the list of free pages has no end: check the file with PRAGMA " +
				"integrity_check")
		}
	}
	if done >= len(lists) {
		return false, nil
	}
	n := lists[len(lists)-1-done]
	list := f.read[n]
	names := int(binary.BigEndian.Uint32(list[4:]))
	if 8+4*names > f.usable {
		return false, fmt.Errorf("page %d: %w", n, errOddPage)
	}
	if err := f.zero(n, list, span{8 + 4*names, f.usable}); err != nil {
		return false, err
	}
	for i := range names {
		free := binary.BigEndian.Uint32(list[8+4*i:])
		p, err := f.page(free)
		if err != nil {
			return false, err
		}
		if err := f.zero(free, p, span{0, len(p)}); err != nil {
			return false, err
		}
	}
	return done+1 < len(lists), nil
}
