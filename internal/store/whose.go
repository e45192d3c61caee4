package store

import (
	"context"
	"log/slog"

	"gangway/internal/gangway"
)

// Whose names in a line of the log the account that it is about, in the words of commands: --customer and
// --environment. The account's own identifier, which no command takes, stands there only while the database does not
// answer, or once the customer was removed.
func (db *DB) Whose(ctx context.Context, scope gangway.Scope) slog.Attr {
	a, err := db.Account(ctx, scope.Account)
	if err != nil {
		return slog.String("account", scope.Account)
	}
	return slog.Group("", slog.String("customer", a.Customer.ID), slog.String("environment", string(a.Environment)))
}
