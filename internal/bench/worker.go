package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// A worker measures the processor time spent on something: by this thread and, on PostgreSQL, by
// the server's processes for one database. On a busy machine that is the program's own cost, and the
// rest of the time is waiting. Only Linux provides it.
type worker struct {
	files []string
}

// newWorker watches this goroutine, which stays on its thread from now on, and the connections
// that the database at url has at this moment.
func newWorker(ctx context.Context, url string) (p worker, err error) {
	runtime.LockOSThread()
	p.files = []string{"/proc/thread-self/schedstat"}
	if strings.HasPrefix(url, "sqlite:") {
		return p, nil
	}
	db, err := sql.Open("pgx", url)
	if err != nil {
		return p, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `
		SELECT pid
		FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`)
	if err != nil {
		return p, err
	}
	defer rows.Close()
	for rows.Next() {
		var pid int
		if err := rows.Scan(&pid); err != nil {
			return p, err
		}
		p.files = append(p.files, fmt.Sprintf("/proc/%d/schedstat", pid))
	}
	return p, rows.Err()
}

// worked returns the processor time so far; 0 if the system does not provide it.
func (p worker) worked() (all time.Duration) {
	for _, name := range p.files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		var n int64
		if _, err := fmt.Sscan(string(text), &n); err == nil {
			all += time.Duration(n)
		}
	}
	return all
}
