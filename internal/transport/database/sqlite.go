package database

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"net/url"
	"time"

	"modernc.org/sqlite"
)

// sqLite is a file of this machine, and no other: a statement cannot attach one.
var sqLite = &system{
	schemes: []string{"sqlite"}, file: true,
	mark: questionMark, date: isoDate,
	connector: func(a address, _ dialing, _ *tls.Config) (driver.Connector, error) {
		file := url.URL{Scheme: "file", Path: a.database,
			RawQuery: "mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=busy_timeout(5000)"}
		return sqlite.NewConnector(file.String())
	},
	begin: func(ctx context.Context, conn *sql.Conn, _ time.Duration) (*sql.Tx, error) {
		const attached = 7 // SQLITE_LIMIT_ATTACHED
		if _, err := sqlite.Limit(conn, attached, 0); err != nil {
			return nil, err
		}
		return conn.BeginTx(ctx, nil)
	},
}
