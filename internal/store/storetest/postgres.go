package storetest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gangway/internal/need"
	"gangway/internal/store"

	"github.com/jackc/pgx/v5"
)

// locale is that of the databases of tests. Most servers have one of its kind,
// under which text is not ordered byte by byte unless a column asks for it.
const locale = "en_US.UTF-8"

// PostgresURL names an empty PostgreSQL database that already has the schema: it is
// a copy of one that was migrated once.
func PostgresURL(t testing.TB) string {
	t.Helper()
	p := thePostgres(t)
	return p.address(p.lend(t))
}

// EmptyPostgresURL returns the address of a fresh PostgreSQL database without the schema.
func EmptyPostgresURL(t testing.TB) string {
	t.Helper()
	return thePostgres(t).create(t, "")
}

// create creates a database without the schema for one test, and returns its address.
func (p *postgresServer) create(t testing.TB, how string) string {
	t.Helper()
	name := "gangway_test_" + strings.ToLower(rand.Text())
	if err := p.run(t.Context(), `CREATE DATABASE `+name+` `+how); err != nil {
		t.Fatalf("create database %s: %v", name, err)
	}
	t.Cleanup(func() {
		if err := p.run(context.WithoutCancel(t.Context()), `DROP DATABASE `+name+` WITH (FORCE)`); err != nil {
			t.Errorf("drop database %s: %v", name, err)
		}
	})
	return p.address(name)
}

// A postgresServer is a server that may create databases.
type postgresServer struct {
	url      *url.URL
	template string    // the migrated database that tests get copies of
	copying  string    // how it is copied
	life     io.Closer // if we started the server, it ends when this is closed, so it is kept open
	lending
}

// thePostgres returns the one server that this test program uses.
func thePostgres(t testing.TB) *postgresServer {
	t.Helper()
	need.PostgreSQL(t)
	p, err := startOnce()
	if err != nil {
		t.Fatalf("PostgreSQL for tests: %v", err)
	}
	return p
}

var startOnce = sync.OnceValues(func() (*postgresServer, error) {
	address, life, err := os.Getenv("GANGWAY_TEST_POSTGRES"), io.Closer(nil), error(nil)
	if address == "" {
		if address, life, err = startPostgres(); err != nil {
			return nil, err
		}
	}
	p := &postgresServer{life: life}
	if p.url, err = url.Parse(address); err != nil {
		return nil, fmt.Errorf("GANGWAY_TEST_POSTGRES is not an address: %w", err)
	}
	return p, p.makeTemplate(context.Background())
})

func (p *postgresServer) address(database string) string {
	u := *p.url
	u.Path = "/" + database
	return u.String()
}

func (p *postgresServer) run(ctx context.Context, statements ...string) error {
	conn, err := pgx.Connect(ctx, p.url.String())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(ctx)
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// makeTemplate creates the migrated database unless it exists. Its name contains
// a hash of the migrations, so that test programs built from the same migrations
// share it, and no others use it by mistake.
func (p *postgresServer) makeTemplate(ctx context.Context) error {
	hash, err := hashMigrations()
	if err != nil {
		return err
	}
	p.template = "gangway_template_" + hash + "_locale"
	p.lending = lending{prefix: "gangway_test_" + hash + "_", lent: map[string]bool{}}
	if p.conn, err = pgx.Connect(ctx, p.url.String()); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	exists, version := false, 0
	err = p.conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1),
		current_setting('server_version_num')::int`, p.template).Scan(&exists, &version)
	if version >= 15_00_00 { // its new way, page by page, takes two to four times as long; older ones know only this
		p.copying = ` STRATEGY file_copy`
	}
	if err != nil || exists {
		return err
	}
	// Test programs run side by side: each creates one under its own name, and the
	// first to finish renames it to the common name.
	mine := "gangway_making_" + strings.ToLower(rand.Text())
	if err := p.run(ctx, `CREATE DATABASE `+mine+` TEMPLATE template0 LOCALE '`+locale+`'`); err != nil {
		return fmt.Errorf("create the template in the locale %s, which scripts/need brings: %w", locale, err)
	}
	db, err := store.Open(ctx, p.address(mine))
	if err != nil {
		return fmt.Errorf("migrate the template: %w", err)
	}
	if err := db.Close(); err != nil {
		return fmt.Errorf("migrate the template: %w", err)
	}
	if p.run(ctx, `ALTER DATABASE `+mine+` RENAME TO `+p.template) != nil {
		return p.run(ctx, `DROP DATABASE `+mine)
	}
	return nil
}

func hashMigrations() (string, error) {
	folder, err := need.File("internal/store/migrations")
	if err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.sql"))
	if err != nil {
		return "", fmt.Errorf("read the migrations: %w", err)
	}
	h := sha256.New()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("read the migrations: %w", err)
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(file), len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// startPostgres starts a server that ends with this test program, however that
// ends: it runs for as long as its standard input stays open.
func startPostgres() (address string, life io.Closer, err error) {
	script, err := need.File("scripts/postgres")
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command(script, "sh", "-c", `echo "$GANGWAY_TEST_POSTGRES"; cat`)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	if life, err = cmd.StdinPipe(); err != nil {
		return "", nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cmd.Wait()
		return "", nil, errors.New(strings.TrimSpace(complaint.String()))
	}
	return strings.TrimSpace(line), life, nil
}
