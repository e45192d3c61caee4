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

// A worker tells how long processors have worked on something: this thread
// and, on PostgreSQL, the servers' processes of one database. On a machine that
// has much else to do, this is what the program takes, and the rest is waiting
// for its turn. Linux alone tells.
type worker struct {
	files []string
}

// newWorker watches this goroutine, which keeps its thread from now on, and
// the connections that the database named by url has at this moment.
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

// worked returns how long they have worked so far; 0 where nobody tells.
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
