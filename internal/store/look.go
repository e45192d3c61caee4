package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"gangway/internal/store/internal/gate"
)

// Look opens a database as it is: it creates, migrates and writes nothing. So it works before the first start, and
// beside a server of any version. Its error is NotFound for a SQLite file that the first start will create.
func Look(ctx context.Context, url, name string) (_ *DB, err error) {
	d, err := gate.DialectOf(url)
	if err != nil {
		return nil, err
	}
	registerOnce()
	file, ok := strings.CutPrefix(url, "sqlite:")
	if ok {
		if err := cmp.Or(gate.CheckFolder(file), gate.CheckFile(file, true)); err != nil {
			return nil, err
		}
	}
	db := &DB{dialect: dialect(d), wakes: newWakes(), told: newTold(), bulky: make(bulkyTurn, 1), knows: Schema(),
		guard: gate.NewGuard(d, file)}
	var long *sql.DB
	db.writer, db.reader, long, err = d.OpenPools(url, gate.Options{Name: name, Look: true},
		gate.Aside{SQLite: reportsOnSQLite, Postgres: reportsOnPostgres}, db.guard)
	if err != nil {
		return nil, err
	}
	db.reports = openReports(long)
	if err := d.Connect(ctx, url, db.writer); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// A State is what a database says of itself.
type State struct {
	Server  string // its version, encoding and locale
	Creates bool   // this user may create tables
	Schema  int64  // 0: there is none yet
	Unfit   error  // why this program does not run on it; nil: it does
}

// oldestPostgres is the oldest version that Gangway runs on, in PostgreSQL's own numbers.
const oldestPostgres = 150000

// State reads the state of a database that Look has opened.
func (db *DB) State(ctx context.Context) (s State, err error) {
	query := `
		SELECT 'SQLite ' || sqlite_version(), 0, 'UTF8', 1,
			(SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version')`
	if db.dialect == postgres {
		query = `
			SELECT 'PostgreSQL ' || current_setting('server_version') || ', ' || datcollate,
				CAST(current_setting('server_version_num') AS INTEGER), pg_encoding_to_char(encoding),
				CASE WHEN has_schema_privilege(current_schema(), 'CREATE') THEN 1 ELSE 0 END,
				CASE WHEN to_regclass('goose_db_version') IS NULL THEN 0 ELSE 1 END
			FROM pg_database
			WHERE datname = current_database()`
	}
	var number, there int
	var encoding string
	err = db.reader.QueryRowContext(ctx, query).Scan(&s.Server, &number, &encoding, &s.Creates, &there)
	if err == nil && there == 1 {
		err = db.reader.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version`).
			Scan(&s.Schema)
	}
	switch {
	case err != nil:
		return s, fmt.Errorf("ask the database what it is: %w", err)
	case db.dialect == postgres && number < oldestPostgres:
		s.Unfit = errors.New("it is too old: update it to PostgreSQL 15 or newer")
	case encoding != "UTF8":
		s.Unfit = fmt.Errorf("its encoding is %s: create it with --encoding UTF8 --template template0", encoding)
	case s.Schema > 0 && s.Schema < FirstSchema:
		s.Unfit = unreleased(s.Schema)
	case s.Schema > db.knows:
		s.Unfit = admitNewer(ctx, db.reader, db.knows)
	}
	return s, nil
}

// Mark tells this database from others; empty: it has no schema yet. It reveals nothing but when the schema was
// created, to somebody who tries all instants.
func (db *DB) Mark(ctx context.Context) (string, error) {
	var created string
	err := db.reader.QueryRowContext(ctx, `
		SELECT coalesce(min(CAST(tstamp AS TEXT)), '')
		FROM goose_db_version
		WHERE version_id = $1`,
		FirstSchema).Scan(&created)
	if err != nil || created == "" {
		return "", wrapf(err, "read when the schema was created")
	}
	sum := sha256.Sum256([]byte("gangway installation " + created))
	return hex.EncodeToString(sum[:8]), nil
}
