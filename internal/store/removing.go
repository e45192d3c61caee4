package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway"
)

// A removingError says that a customer is being removed. The operator is told
// what to do; for everybody else its accounts are gone already: it is an ErrNoAccount.
type removingError struct{ error }

func beingRemoved(customer string) error {
	return removingError{gangway.Errorf(gangway.Conflict, "%s is being removed: run gangway customer remove again",
		customer)}
}

// Is says that it is an ErrNoAccount.
func (removingError) Is(target error) bool { return target == ErrNoAccount }

// Unwrap returns what the operator is told.
func (e removingError) Unwrap() error { return e.error }

// notRemoving are the accounts of which none is being removed, for statements
// that look for work or for who may come in: programs from before the mark may
// still have added something.
const notRemoving = `account NOT IN (SELECT id FROM account WHERE removing > 0)`

// hasStaff is the condition that a person's customer is not being removed.
const hasStaff = `customer NOT IN (SELECT customer FROM account WHERE removing > 0)`

// markRemoving marks a customer as being removed, and waits for whoever is
// writing for it: from then on nothing is added to it.
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
	if err != nil {
		return fmt.Errorf("mark customer %s as being removed: %w", customer, err)
	}
	return nil
}

// lockCustomer keeps others who call it for this customer waiting until the
// transaction ends: its people change one after the other.
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

// holdStaff is lockCustomer for whoever changes a customer's people, which is
// refused while it is being removed.
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
