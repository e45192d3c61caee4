package database

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

var postgreSQL = &system{
	schemes: []string{"postgres", "postgresql"}, port: 5432, needsDatabase: true,
	parameters: map[string]string{"sslmode": "tls"},
	mark:       numbered("$"), date: isoDate,
	connector: func(a address, dial dialing, secure *tls.Config) (driver.Connector, error) {
		// Whatever the environment says is replaced: it is our own database's.
		config, err := pgx.ParseConfig("host=none user=none password=none dbname=none sslmode=disable " +
			"passfile=/dev/null")
		if err != nil {
			return nil, err
		}
		config.Host, config.Port, config.User, config.Password = a.host, uint16(a.port), a.user, a.password
		config.Database, config.TLSConfig, config.Fallbacks = a.database, secure, nil
		config.RuntimeParams = map[string]string{"application_name": "gangway"}
		config.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
		config.DialFunc = dial.DialContext
		config.ValidateConnect, config.AfterConnect = nil, nil
		config.MaxProtocolMessageBodyLen = mostValue
		// One statement, unnamed: it works behind a pooler, too.
		config.DefaultQueryExecMode = pgx.QueryExecModeExec
		if network, to := pgconn.NetworkAddress(config.Host, config.Port); network != "tcp" || to != a.hostPort() {
			return nil, errElsewhere
		}
		return stdlib.GetConnector(*config), nil
	},
	begin: func(ctx context.Context, conn *sql.Conn, limit time.Duration) (*sql.Tx, error) {
		return readOnly(ctx, conn, fmt.Sprintf("SET LOCAL statement_timeout = %d", limit.Milliseconds()))
	},
}
