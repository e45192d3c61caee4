package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"strings"
	"time"

	"gangway/internal/store/internal/gate"

	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var embedded embed.FS

// released are the migrations of this program.
var released = func() fs.FS {
	files, err := fs.Sub(embedded, "migrations")
	if err != nil {
		panic(err)
	}
	return files
}()

// lockTries is how often, once a second, a replica tries to become the one that
// migrates. That is a week, because a migration may take hours.
const lockTries = 7 * 24 * 60 * 60

// migrate brings the schema up to date, one migration after the other, each in
// its own transaction: the next start continues what was interrupted. The larger
// the database, the longer a migration may take.
func migrate(ctx context.Context, d dialect, url string, db *sql.DB, o Options) error {
	if d == postgres {
		config, err := gate.PostgresConfig(url, o.Name)
		if err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		db = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, "SET statement_timeout = 0")
			return err
		}))
		defer db.Close()
	}
	p, err := d.provider(db, o.known())
	if err != nil {
		return err
	}
	had, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if o.Pending != nil {
		if err := o.Pending(had); err != nil {
			return err
		}
	}
	knows := newest(o.known())
	switch {
	case had > 0 && had < FirstSchema:
		return unreleased(had)
	case had > knows:
		return admitNewer(ctx, db, knows)
	}
	if d == sqlite {
		// A migration may sort as much as the whole database: not in memory.
		if _, err := db.ExecContext(ctx, `PRAGMA temp_store = FILE`); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		defer db.ExecContext(context.WithoutCancel(ctx), `PRAGMA temp_store = MEMORY`)
	}
	pending, err := p.HasPending(ctx)
	if err != nil || !pending {
		return err
	}
	release, err := d.migrateAlone(ctx, url)
	if err != nil {
		return err
	}
	defer release()
	level := slog.LevelInfo
	if had == 0 && !o.Serve {
		level = slog.LevelDebug // the database is empty, so this takes no time
	}
	for {
		done, err := p.UpByOne(ctx)
		if errors.Is(err, goose.ErrNoNextVersion) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		o.Log.Log(ctx, level, "the schema was brought up to date", "version", done.Source.Version,
			"migration", path.Base(done.Source.Path), "took", done.Duration.Round(time.Millisecond))
		if done.Source.Version == o.until {
			return nil
		}
	}
}

// provider returns what carries out the migrations in files, with the statements that say which programs can work
// beside each.
func (d dialect) provider(db *sql.DB, files fs.FS) (*goose.Provider, error) {
	kind, options := goose.DialectSQLite3, []goose.ProviderOption{}
	if d == postgres {
		kind = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, lockTries))
		if err != nil {
			return nil, fmt.Errorf("migrate: %w", err)
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	p, err := goose.NewProvider(kind, db, migrationFiles{files, d}, options...)
	return p, wrapf(err, "migrate")
}

// migrateAlone keeps other processes from migrating the same SQLite file at the
// same time; on PostgreSQL goose takes care of that. The lock ends with its process.
func (d dialect) migrateAlone(ctx context.Context, url string) (release func(), err error) {
	if d == postgres {
		return func() {}, nil
	}
	lock := flock.New(strings.TrimPrefix(url, "sqlite:")+".migrating", flock.SetFlag(os.O_CREATE|os.O_RDWR),
		flock.SetPermissions(0o600))
	_, err = lock.TryLockContext(ctx, 100*time.Millisecond)
	return func() { _ = lock.Close() }, wrapf(err, "migrate")
}

// migrationFiles are the migrations' files; opening one translates it into the
// dialect's SQL.
type migrationFiles struct {
	written fs.FS
	dialect dialect
}

// A migrationFile is one of them, opened.
type migrationFile struct {
	fs.File
	text *strings.Reader
}

// Open returns a migration, or the folder with all of them.
func (m migrationFiles) Open(name string) (fs.File, error) {
	if name == "." {
		return m.written.Open(name)
	}
	text, err := fs.ReadFile(m.written, name)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	version, oldest, err := oldestOf(name, string(text))
	if err != nil {
		return nil, err
	}
	file, err := m.written.Open(name)
	return migrationFile{file, strings.NewReader(m.dialect.migrationText(string(text)) + fmt.Sprintf(`
INSERT INTO schema_oldest (version, oldest)
VALUES (%d, %d)
ON CONFLICT DO NOTHING;
`, version, oldest))}, err
}

func (f migrationFile) Read(b []byte) (int, error) { return f.text.Read(b) }

// migrationText translates a migration into the dialect's SQL:
//
//   - COLLATE_BYTES follows every text column. SQLite compares bytes anyway.
//     PostgreSQL would order by its database's language, and then an index could
//     not find a name by how it begins.
//   - CONCURRENTLY creates or drops an index while others write, and ADD COLUMN IF
//     NOT EXISTS can be run again after an interruption. SQLite has neither and
//     needs neither: it has one writer and migrates in a transaction.
//   - WITHOUT_ROWID makes SQLite store a table in its primary key alone.
//   - A line that begins with ON_POSTGRES or ON_SQLITE is only for that database.
func (d dialect) migrationText(text string) string {
	mine, other := "ON_SQLITE ", "ON_POSTGRES "
	words := strings.NewReplacer("COLLATE_BYTES", "", "INDEX CONCURRENTLY", "INDEX",
		"COLUMN IF NOT EXISTS", "COLUMN", "WITHOUT_ROWID", "WITHOUT ROWID")
	if d == postgres {
		mine, other, words = other, mine, strings.NewReplacer("COLLATE_BYTES", `COLLATE "C"`, "WITHOUT_ROWID", "")
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, other) {
			continue
		}
		out.WriteString(words.Replace(strings.TrimPrefix(line, mine)))
	}
	return out.String()
}
