package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A FeedFigure is how a feed is doing, for an operator's monitoring.
type FeedFigure struct {
	Account, Customer, Environment, Feed string

	Off     bool
	GoodAt  time.Time // when it last went well; zero: never yet
	Failing time.Time // since when it fails; zero: it does not
	Due     time.Time // when it is fetched next by itself; zero: never
}

// FeedFigures returns how the feeds of all accounts are doing, up to n of them.
func (db *DB) FeedFigures(ctx context.Context, n int) ([]FeedFigure, error) {
	list, err := selectAll(ctx, db.reader, func(s scanner) (r FeedFigure, err error) {
		var doc string
		if err := s.Scan(&r.Account, &r.Customer, &r.Environment, &r.Feed, &doc, when(&r.GoodAt), when(&r.Failing),
			when(&r.Due)); err != nil {
			return r, err
		}
		f, err := readFeed(doc)
		r.Off = f.Off
		return r, err
	}, `
		SELECT f.account, a.customer, a.environment, f.name, f.doc, f.good_at, f.failing, f.due
		FROM feed f
		JOIN account a ON a.id = f.account
		ORDER BY f.account, f.name
		LIMIT $1`,
		n)
	return list, wrapf(err, "read figures of feeds")
}

// An OutletFigure is how an outlet is doing, for an operator's monitoring.
type OutletFigure struct {
	Customer, Environment, Outlet, Name string

	Off     bool
	Why     string    // it is switched off, in words
	Failing bool      // and it is not switched off
	Since   time.Time // since when it fails
	Status  int       // of its latest try if it fails, as in HTTP; 0: there was no answer
	Waiting int       // deliveries that were not accepted yet
	Oldest  time.Time // when the oldest of them was made; zero: none waits
	Parked  int       // deliveries that were given up
}

// OutletFigures returns how the outlets of all accounts are doing, up to n of them. It counts up to most
// deliveries of a kind.
func (db *DB) OutletFigures(ctx context.Context, n, most int, now time.Time) ([]OutletFigure, error) {
	var outlets []gangway.Outlet
	var accounts []string
	list, err := selectAll(ctx, db.reader, func(s scanner) (o OutletFigure, err error) {
		var account string
		var oldest int64
		outlet, err := scanOutlet(prefixedRow{s, []any{&account, &o.Customer, &o.Environment, &o.Waiting, &oldest,
			&o.Parked}})
		o.Outlet, o.Name, o.Off, o.Oldest = outlet.ID, outlet.Name, outlet.Off && !outlet.Untested(), instant(oldest)
		o.Since, o.Why = outlet.FailingSince, outlet.OffReason
		outlets, accounts = append(outlets, outlet), append(accounts, account)
		return o, err
	}, `
		SELECT o.account, (SELECT a.customer FROM account a WHERE a.id = o.account),
			(SELECT a.environment FROM account a WHERE a.id = o.account),
			(SELECT count(*) FROM (
				SELECT 1 FROM delivery d
				WHERE d.account = o.account AND d.state = 'due' AND d.outlet = o.id LIMIT $2) AS due),
			coalesce((SELECT min(d.made_at) FROM delivery d
				WHERE d.account = o.account AND d.state = 'due' AND d.outlet = o.id), 0),
			(SELECT count(*) FROM (
				SELECT 1 FROM delivery d
				WHERE d.account = o.account AND d.state = 'parked' AND d.outlet = o.id LIMIT $2) AS parked),
			`+outletColumns+`
		FROM outlet o
		ORDER BY o.account, o.id
		LIMIT $1`,
		n, most)
	if err != nil {
		return nil, fmt.Errorf("read figures of outlets: %w", err)
	}
	for i, o := range outlets {
		tries, err := db.In(gangway.Scope{Account: accounts[i]}).triesOfFailing(ctx, o, now)
		if err != nil {
			return nil, err
		}
		list[i].Failing = gangway.ConditionOf(o, gangway.OutletFacts{Tries: tries}, now).Failing()
		if len(tries) > 0 {
			list[i].Status = tries[0].Status
		}
	}
	return list, nil
}

// OpenWork is what was begun and has not ended, of all accounts, and who works on it.
type OpenWork struct {
	Intents, Batches          int
	OldestIntent, OldestBatch time.Time // zero: none is open
	Replicas                  int       // servers that run
	Backup                    time.Time // when the last one was made; zero: never yet
	Unconfirmed               bool      // it was restored, and what suppliers said is not confirmed yet
	Bytes                     int64     // that the database takes
}

// OpenWork returns what was begun and has not ended. It counts up to n of a kind.
func (db *DB) OpenWork(ctx context.Context, n int, now time.Time) (w OpenWork, err error) {
	bytes := `(SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size())`
	if db.dialect == postgres {
		bytes = `pg_database_size(current_database())`
	}
	err = db.reader.QueryRowContext(ctx, `
		SELECT i.n, i.oldest, b.n, b.oldest, (SELECT count(*) FROM replica WHERE seen > $2),
			(SELECT coalesce(max(at), 0) FROM last_backup),
			(SELECT CASE WHEN EXISTS (SELECT 1 FROM restored WHERE confirmed_at = 0) THEN 1 ELSE 0 END), `+bytes+`
		FROM (SELECT count(*) AS n, coalesce(min(created_at), 0) AS oldest FROM (
				SELECT created_at FROM intent WHERE open = 1 LIMIT $1) AS opened) i
		CROSS JOIN (SELECT count(*) AS n, coalesce(min(created_at), 0) AS oldest FROM (
				SELECT created_at FROM batch WHERE pending > 0 LIMIT $1) AS pending) b`,
		n, millis(now.Add(-replicaSilent))).Scan(&w.Intents, when(&w.OldestIntent), &w.Batches, when(&w.OldestBatch),
		&w.Replicas, when(&w.Backup), &w.Unconfirmed, &w.Bytes)
	return w, wrapf(err, "read figures of open work")
}

// A TableSize is how large a table is, with its indexes.
type TableSize struct {
	Name string
	MiB  float64
}

// dbstatAtMost is how large a SQLite file may be whose tables are measured: that reads all of it.
const dbstatAtMost = 256 << 20

// Tables returns the n largest tables; none where to find out would take long.
func (db *DB) Tables(ctx context.Context, n int, w OpenWork) (list []TableSize, err error) {
	if db.dialect != postgres && w.Bytes > dbstatAtMost {
		return nil, nil
	}
	sizes, err := db.TableSizes(ctx)
	for name, bytes := range sizes {
		list = append(list, TableSize{Name: name, MiB: float64(bytes) / (1 << 20)})
	}
	slices.SortFunc(list, func(a, b TableSize) int {
		return cmp.Or(cmp.Compare(b.MiB, a.MiB), strings.Compare(a.Name, b.Name))
	})
	return list[:min(n, len(list))], err
}

// PoolStats returns how the pools of connections are used, by what they are for.
func (db *DB) PoolStats() map[string]sql.DBStats {
	return map[string]sql.DBStats{"write": db.writer.Stats(), "read": db.reader.Stats(), "reports": db.reports.Stats()}
}
