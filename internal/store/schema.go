package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"gangway/internal/gangway"

	"github.com/pressly/goose/v3"
)

// FirstSchema is the number of the schema of the first release, and of the first
// migration. Databases with a lower number were made before it.
const FirstSchema = 100

// Schema returns the number of the newest migration that this program knows.
func Schema() int64 { return newest(released) }

func newest(files fs.FS) int64 {
	names, _ := fs.Glob(files, "*.sql") // fails only for a malformed pattern
	number, _ := goose.NumericComponent(names[len(names)-1])
	return number
}

// Admits returns the number of the last migration that a program must know to run
// on a database that this program has brought up to date.
func Admits() (int64, error) { return admits(released) }

func admits(files fs.FS) (oldest int64, err error) {
	names, _ := fs.Glob(files, "*.sql") // fails only for a malformed pattern
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return 0, fmt.Errorf("read a migration: %w", err)
		}
		_, its, err := oldestOf(name, string(text))
		if err != nil {
			return 0, err
		}
		oldest = max(oldest, its)
	}
	return oldest, nil
}

// unreleased refuses a database that a program from before the first release made:
// nothing can bring it up to date.
func unreleased(has int64) error {
	return gangway.Errorf(gangway.Conflict, "the database is from before the first release (its schema is %d, this "+
		"program begins with %d) and cannot be brought up to date: name a new one", has, FirstSchema)
}

// admitNewer refuses a database that a newer version of the program has brought
// up to date, because a program that knows the schema up to knows would lose what it
// does not know. It is admitted if each of the newer migrations says that it may work
// with it.
func admitNewer(ctx context.Context, db querier, knows int64) error {
	has, err := column[int64](db.QueryRowContext(ctx, `
		SELECT v.version_id
		FROM goose_db_version v
		LEFT JOIN schema_oldest o ON o.version = v.version_id
		WHERE v.version_id > $1 AND (o.oldest IS NULL OR o.oldest > $1)
		ORDER BY v.version_id DESC
		LIMIT 1`,
		knows))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("read which programs the schema is for: %w", err)
	}
	return gangway.Errorf(gangway.Conflict, "the database was brought up to date by a newer Gangway (its schema "+
		"is %d, this program knows %d): start that version, or restore a backup from before", has, knows)
}

// oldestLine is the line with which a migration says which programs can work
// beside it: the number of the last migration that they must know. Its own
// number means that only programs that know the migration itself can.
var oldestLine = regexp.MustCompile(`(?m)^-- oldest: (\d+)$`)

// oldestOf returns the number of a migration, and of the last one that programs
// must know to work beside it. A file that does not say admits none that do not
// know it.
func oldestOf(name, text string) (version, oldest int64, err error) {
	number, _, _ := strings.Cut(path.Base(name), "_")
	if version, err = strconv.ParseInt(number, 10, 64); err != nil {
		return 0, 0, fmt.Errorf("migration %s has no number: %w", name, err)
	}
	said := oldestLine.FindStringSubmatch(text)
	if said == nil {
		return version, version, nil
	}
	if oldest, err = strconv.ParseInt(said[1], 10, 64); err != nil || oldest < FirstSchema || oldest > version {
		return 0, 0, fmt.Errorf("migration %d: its oldest schema must be from %d to %[1]d", version, FirstSchema)
	}
	return version, oldest, nil
}
