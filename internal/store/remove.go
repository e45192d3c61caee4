package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// Belongings counts what a customer has, in both environments.
type Belongings struct {
	Customer string `json:"customer"`
	Name     string `json:"name"`

	Removing time.Time `json:"removing_since,omitzero"` // an interrupted removal: this is what it left

	Bookings    int `json:"bookings"`
	Standing    int `json:"standing"` // bookings that are neither cancelled nor declined nor waiting for a refund
	Travellers  int `json:"travellers"`
	Requests    int `json:"travel_requests"`
	CrewChanges int `json:"crew_changes"`
	People      int `json:"people"`
	Keys        int `json:"keys"`
	Outlets     int `json:"outlets"`
}

// Belongings counts what RemoveCustomer would remove. NotFound: there is no such customer.
func (db *DB) Belongings(ctx context.Context, customer string) (b Belongings, err error) {
	c, err := db.Customer(ctx, customer)
	if err != nil {
		return b, err
	}
	b.Customer, b.Name, b.Removing = c.ID, c.Name, c.Removing
	const theirs = `account IN (SELECT id FROM account WHERE customer = $1)`
	for _, count := range []struct {
		into  *int
		which string
	}{
		{&b.Bookings, `booking WHERE ` + theirs}, {&b.Standing, `booking WHERE ` + live + ` AND ` + theirs},
		{&b.Travellers, `traveller WHERE ` + theirs}, {&b.Requests, `travel_request WHERE ` + theirs},
		{&b.CrewChanges, `crew_change WHERE ` + theirs}, {&b.People, `person WHERE customer = $1`},
		{&b.Keys, `credential WHERE kind = 'api_key' AND revoked_at = 0 AND ` + theirs},
		{&b.Outlets, `outlet WHERE ` + theirs},
	} {
		if err := db.reader.QueryRowContext(ctx, `SELECT count(*) FROM `+count.which, customer).Scan(count.into); err !=
			nil {
			return b, fmt.Errorf("count what customer %s has: %w", customer, err)
		}
	}
	return b, nil
}

// removedAtOnce is how many rows are removed in one transaction.
const removedAtOnce = 2000

// RemoveCustomer removes a customer and everything it has, in both environments.
// The first transaction marks it as being removed, so that nothing more is added,
// and removes its people, keys and outlets, so that nobody works in it. The rest
// follows in portions, and the customer itself comes last: run again, an
// interrupted removal continues. What suppliers have of the customer stays there.
func (db *DB) RemoveCustomer(ctx context.Context, by gangway.Actor, customer string, at time.Time) (Belongings, error) {
	had, err := db.Belongings(ctx, customer)
	if err != nil {
		return had, err
	}
	prod, dev, err := db.Accounts(ctx, customer)
	if err != nil {
		return had, err
	}
	if err := db.logErasure(erasureEntry{At: at, Customer: customer}); err != nil {
		return had, err
	}
	accounts := []string{prod.ID, dev.ID}
	removed := gangway.AuditEntry{
		At: at, By: by, What: gangway.CustomerRemoved, Customer: customer, Before: map[string]any{"name": had.Name,
			"bookings": had.Bookings},
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		if err := db.markRemoving(ctx, tx, customer, accounts, at); err != nil {
			return err
		}
		if err := removeSessions(ctx, tx, customer); err != nil {
			return err
		}
		for _, table := range []string{"credential", "outlet", "secret"} {
			if err := removeOf(ctx, tx, table, "account", accounts...); err != nil {
				return err
			}
		}
		if err := removeOf(ctx, tx, "person", "customer", customer); err != nil {
			return err
		}
		begun := removed
		begun.After = map[string]any{"finished": false} // the log then says so if the rest is interrupted
		return db.record(ctx, tx, begun)
	}, People)
	if err != nil {
		return had, err
	}
	for _, account := range accounts {
		for _, table := range tablesOf(ofAccount) {
			if err := db.removeAll(ctx, table, account); err != nil {
				return had, err
			}
		}
	}
	return had, db.write(ctx, func(tx *sql.Tx) error {
		if err := db.holdToDelete(ctx, tx, accounts); err != nil {
			return err
		}
		for _, table := range tablesOf(ofAccount) { // again, for what work in progress wrote meanwhile
			if err := removeOf(ctx, tx, table, "account", accounts...); err != nil {
				return err
			}
		}
		for _, table := range tablesOf(ofCustomer) {
			if err := removeOf(ctx, tx, table, "customer", customer); err != nil {
				return err
			}
		}
		if err := removeOf(ctx, tx, "account", "customer", customer); err != nil {
			return err
		}
		if err := removeOf(ctx, tx, "customer", "id", customer); err != nil {
			return err
		}
		return db.record(ctx, tx, removed)
	})
}

// holdToDelete waits for whoever is writing for accounts, and keeps others from starting until tx ends.
func (db *DB) holdToDelete(ctx context.Context, tx *sql.Tx, accounts []string) error {
	for _, id := range accounts {
		err := tx.QueryRowContext(ctx, `SELECT id FROM account WHERE id = $1`+db.dialect.forUpdate(), id).Scan(&id)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("hold account %s: %w", id, err)
		}
	}
	return nil
}

// removeAll removes an account's rows of a table, a portion at a time.
func (db *DB) removeAll(ctx context.Context, table, account string) error {
	_, err := db.inPortions(ctx, removedAtOnce, `
		DELETE FROM `+table+`
		WHERE account = $1 AND %[1]s IN (SELECT %[1]s FROM `+table+` WHERE account = $1 LIMIT %[2]d)`, account)
	return wrapf(err, "remove from %s", table)
}

func removeOf(ctx context.Context, tx *sql.Tx, table, column string, values ...string) error {
	for _, v := range values {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE `+column+` = $1`, v); err != nil {
			return fmt.Errorf("remove from %s: %w", table, err)
		}
	}
	return nil
}

// removeSessions removes the sessions of a customer's people, which name them
// by their identifiers.
func removeSessions(ctx context.Context, tx *sql.Tx, customer string) error {
	ids, err := selectAll(ctx, tx, column[string], `SELECT id FROM person WHERE customer = $1`, customer)
	if err != nil {
		return fmt.Errorf("remove sessions: %w", err)
	}
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, `DELETE FROM session WHERE data LIKE $1 ESCAPE '\'`, `%"`+
			likeLiterally.Replace(id)+`"%`); err != nil {
			return fmt.Errorf("remove sessions: %w", err)
		}
	}
	return nil
}

// A removingError says that a customer is being removed. It tells the operator
// what to do. To everybody else the accounts are already gone: it is an ErrNoAccount.
type removingError struct{ error }

func beingRemoved(customer string) error {
	return removingError{gangway.Errorf(gangway.Conflict, "%s is being removed: run gangway customer remove again",
		customer)}
}

// Is reports that it is an ErrNoAccount.
func (removingError) Is(target error) bool { return target == ErrNoAccount }

// Unwrap returns the operator's message.
func (e removingError) Unwrap() error { return e.error }

// notRemoving is the condition that an account's customer is not being removed.
// It is for statements that look for work or for who may sign in, because
// programs that do not know the mark may still have added something.
const notRemoving = `account NOT IN (SELECT id FROM account WHERE removing > 0)`

// hasStaff is the condition that a person's customer is not being removed.
const hasStaff = `customer NOT IN (SELECT customer FROM account WHERE removing > 0)`

// markRemoving marks a customer as being removed, after waiting for whoever is
// writing for it. From then on nothing is added to it.
func (db *DB) markRemoving(ctx context.Context, tx *sql.Tx, customer string, accounts []string, at time.Time) error {
	if err := lockCustomer(ctx, tx, customer); err != nil {
		return err
	}
	if err := db.holdToDelete(ctx, tx, accounts); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE account
		SET removing = $2
		WHERE customer = $1 AND removing = 0`,
		customer, millis(at))
	return wrapf(err, "mark customer %s as being removed", customer)
}

// lockCustomer makes others who call it for this customer wait until the
// transaction ends, so that changes to its people happen one after the other.
func lockCustomer(ctx context.Context, tx *sql.Tx, customer string) error {
	_, err := column[string](tx.QueryRowContext(ctx, `
		UPDATE customer
		SET name = name
		WHERE id = $1
		RETURNING id`,
		customer))
	return notFoundOr(err, "there is no customer %q", customer)
}

// holdStaff is lockCustomer for changes to a customer's people, which are refused
// while the customer is being removed.
func holdStaff(ctx context.Context, tx *sql.Tx, customer string) error {
	if err := lockCustomer(ctx, tx, customer); err != nil {
		return err
	}
	var name string
	var since int64
	err := tx.QueryRowContext(ctx, `
		SELECT c.name, coalesce((SELECT max(a.removing) FROM account a WHERE a.customer = c.id), 0)
		FROM customer c
		WHERE c.id = $1`,
		customer).Scan(&name, &since)
	switch {
	case err != nil:
		return fmt.Errorf("hold the people of customer %s: %w", customer, err)
	case since > 0:
		return beingRemoved(name)
	}
	return nil
}
