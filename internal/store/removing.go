package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

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
	var id string
	err := tx.QueryRowContext(ctx, `
		UPDATE customer
		SET name = name
		WHERE id = $1
		RETURNING id`,
		customer).Scan(&id)
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
