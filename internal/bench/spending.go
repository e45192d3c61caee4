package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// A spending measures the processor time that this process and, on PostgreSQL, the server's processes for a database
// have spent: what the work costs on a machine that others are using. Only Linux tells it of PostgreSQL.
type spending struct {
	of   bareFill
	seen map[int]time.Duration // of the server's processes, also of those that have ended
}

func newSpending(of bareFill) *spending { return &spending{of, map[int]time.Duration{}} }

// spent returns the processor time so far.
func (p *spending) spent(ctx context.Context) (all time.Duration, err error) {
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		return 0, err
	}
	all = time.Duration(self.Utime.Nano() + self.Stime.Nano())
	if p.of.conn == nil {
		return all, nil
	}
	rows, err := p.of.db.QueryContext(ctx, `SELECT pid FROM pg_stat_activity WHERE datname = current_database()`)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var pid int
		if err := rows.Scan(&pid); err != nil {
			return 0, err
		}
		var n int64
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid)); err == nil {
			fmt.Sscan(string(text), &n)
			p.seen[pid] = time.Duration(n)
		}
	}
	for _, d := range p.seen {
		all += d
	}
	return all, rows.Err()
}
