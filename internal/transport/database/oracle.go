package database

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"gangway/internal/gangway"
)

var oracle = &system{
	schemes: []string{"oracle"}, port: 1521, needsDatabase: true, redirects: true,
	parameters: map[string]string{"ssl": "tls"},
	mark:       numbered(":p"), // date, from and to are words that Oracle keeps for itself
	date:       func(d gangway.Date) any { return d.In(time.UTC) },
	connector:  connectOracle,
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
