package database

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"gangway/internal/gangway"

	goora "github.com/sijms/go-ora/v2"
)

var oracle = &system{
	schemes: []string{"oracle"}, port: 1521, needsDatabase: true, redirects: true,
	parameters: map[string]string{"ssl": "tls"},
	mark:       numbered(":p"), // date, from and to are words that Oracle keeps for itself
	date:       func(d gangway.Date) any { return d.In(time.UTC) },
	connector: func(a address, dial dialing, secure *tls.Config) (driver.Connector, error) {
		options := map[string]string{"PROGRAM": "gangway", "SSL": "false", "CONNECTION TIMEOUT": "0"}
		if secure != nil {
			options["SSL"], options["SSL VERIFY"] = "true", "true"
		}
		made := goora.NewConnector(goora.BuildUrl(a.host, a.port, a.database, a.user, a.password, options))
		connector, ok := made.(*goora.OracleConnector)
		if !ok {
			return nil, errors.New("this program's Oracle driver cannot be used")
		}
		connector.Dialer(dial)
		if secure != nil {
			connector.WithTLSConfig(secure)
		}
		return connector, nil
	},
	begin: func(ctx context.Context, conn *sql.Conn, _ time.Duration) (*sql.Tx, error) {
		tx, err := conn.BeginTx(ctx, nil)
		if err != nil {
			return nil, err
		}
		if _, err := tx.ExecContext(ctx, "SET TRANSACTION READ ONLY"); err != nil {
			return nil, errors.Join(err, tx.Rollback())
		}
		return tx, nil
	},
}
