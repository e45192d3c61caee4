package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// A bareLog writes documents to disk, a row each, and those that come at once at once.
type bareLog struct {
	db      *sql.DB
	rows    chan bareRow
	stopped chan struct{}
}

// A bareRow gets on done what became of it.
type bareRow struct {
	id       string
	document []byte
	done     chan error
}

// newBareLog returns a log in the empty database at url.
func newBareLog(ctx context.Context, url string) (*bareLog, error) {
	driver, name := "pgx", url
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, name = "sqlite", "file:"+file+
			"?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-65536)"
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx,
		`CREATE TABLE bare (id TEXT PRIMARY KEY, at BIGINT NOT NULL, document TEXT NOT NULL)`); err != nil {
		db.Close()
		return nil, err
	}
	l := &bareLog{db: db, rows: make(chan bareRow, bareInAll), stopped: make(chan struct{})}
	go l.run(ctx)
	return l, nil
}

func (l *bareLog) close() {
	close(l.rows)
	<-l.stopped
	l.db.Close()
}

// keep returns once a document is on disk.
func (l *bareLog) keep(ctx context.Context, id string, document []byte) error {
	row := bareRow{id, document, make(chan error, 1)}
	l.rows <- row
	select {
	case err := <-row.done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// run writes the rows that have come in one transaction, and then the next.
func (l *bareLog) run(ctx context.Context) {
	defer close(l.stopped)
	for first := range l.rows {
		group := []bareRow{first}
		for more := true; more && len(group) < bareInAll; {
			select {
			case r, ok := <-l.rows:
				if more = ok; ok {
					group = append(group, r)
				}
			default:
				more = false
			}
		}
		err := l.write(ctx, group)
		for _, r := range group {
			r.done <- err
		}
	}
}

func (l *bareLog) write(ctx context.Context, group []bareRow) error {
	var places []string
	var args []any
	for _, r := range group {
		places = append(places, fmt.Sprintf("($%d, $%d, $%d)", len(args)+1, len(args)+2, len(args)+3))
		args = append(args, r.id, time.Now().UnixMilli(), string(r.document))
	}
	_, err := l.db.ExecContext(ctx, `INSERT INTO bare (id, at, document) VALUES `+strings.Join(places, ", "), args...)
	return err
}
