package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/report/query"

	"github.com/jackc/pgx/v5"
	sqlitedriver "modernc.org/sqlite"
)

// ReportsAtOnce is how many reports are read at a time. They have connections of their own, and few of
// them: a heavy report takes time from other reports and never keeps a booking waiting for a connection.
const ReportsAtOnce = 4

// ReportsOfOne is how many reports one account reads at a time: other accounts always find half of the connections.
const ReportsOfOne = ReportsAtOnce / 2

// ReportTime is how long one request may wait for the database and read from it. The time that the reader takes to
// receive the answer does not count.
const ReportTime = time.Minute

// A reportPool is the connections that reports are read by, without the bound on the first answer
// that other reading has: a sum over a million rows takes longer.
type reportPool struct {
	*sql.DB
	turns     *background.Slots             // of accounts
	translate atomic.Pointer[query.Dialect] // known once the database was asked
	accounts  sync.Map                      // those that were read lately, each a recentAccount
}

func openReports(db *sql.DB) *reportPool {
	db.SetMaxOpenConns(ReportsAtOnce)
	db.SetMaxIdleConns(ReportsAtOnce)
	return &reportPool{DB: db, turns: background.NewSlots(ReportsAtOnce, ReportsOfOne)}
}

// reportsOnPostgres is what sets the connections apart from others. Hardly two statements are alike, so that none is
// prepared for another time, and none is compiled, which would take longer than most run.
func reportsOnPostgres(config *pgx.ConnConfig) {
	config.RuntimeParams["statement_timeout"] = strconv.FormatInt(ReportTime.Milliseconds(), 10)
	delete(config.RuntimeParams, "idle_in_transaction_session_timeout") // it locks nothing
	config.RuntimeParams["default_transaction_read_only"] = "on"
	config.RuntimeParams["jit"] = "off"
	config.RuntimeParams["max_parallel_workers_per_gather"] = "0" // one processor, not all of them
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
}

// reportsOnSQLite is what sets the connections apart from other readers: sorting a million rows
// goes to a temporary file instead of memory.
const reportsOnSQLite = "&_pragma=cache_size(-8192)&_pragma=query_only(1)&_pragma=temp_store(file)"

var registerOnce = sync.OnceFunc(registerReportFunctions)

// registerReportFunctions gives SQLite what statements of package query call.
func registerReportFunctions() {
	for _, f := range query.SQLiteFunctions() {
		sqlitedriver.MustRegisterDeterministicScalarFunction(f.Name, int32(f.Args),
			func(_ *sqlitedriver.FunctionContext, args []driver.Value) (driver.Value, error) { return f.Do(args) })
	}
}

// dialectOfReports returns the SQL that reports are translated to. On PostgreSQL it depends on
// which collations there are.
func (db *DB) dialectOfReports(ctx context.Context) (query.Dialect, error) {
	if db.dialect == sqlite {
		return query.SQLite, nil
	}
	if known := db.reports.translate.Load(); known != nil {
		return *known, nil
	}
	there, err := selectAll(ctx, db.reader, func(row scanner) (name string, err error) { return name, row.Scan(&name) }, `
		SELECT collname
		FROM pg_collation
		WHERE collnamespace = 'pg_catalog'::regnamespace
			AND collencoding IN (-1, (SELECT encoding FROM pg_database WHERE datname = current_database()))`)
	if err != nil {
		return query.Dialect{}, fmt.Errorf("list the collations: %w", err)
	}
	d := query.PostgreSQL(there)
	db.reports.translate.Store(&d)
	return d, nil
}

// recentlyRead is how long reports go by an account's settings without reading them again: most of what
// clients ask are pages of one answer.
const recentlyRead = time.Second

type recentAccount struct {
	gangway.Account
	until time.Time
}

// ReportAccount returns the account that s sees, as its reports go by it: for a second after somebody
// else's program has changed its settings, these may be the ones before. What reports are told under is
// told by it, too.
func (s Scoped) ReportAccount(ctx context.Context) (gangway.Account, error) {
	recent := &s.db.reports.accounts
	if known, ok := recent.Load(s.account); ok && time.Now().Before(known.(recentAccount).until) {
		return known.(recentAccount).Account, nil
	}
	account, err := s.Account(ctx)
	if err == nil {
		recent.Store(s.account, recentAccount{account, time.Now().Add(recentlyRead)})
	}
	return account, err
}
