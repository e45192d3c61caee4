package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// UpdateUser applies change to a customer's person and returns the result; change
// also gets the customer's other people. It runs inside the transaction, under a
// lock on the customer, and must not wait for anyone. what is the event for the
// audit log, which is written if something has changed.
func (db *DB) UpdateUser(
	ctx context.Context, by gangway.Actor, customer, email string, what gangway.AuditEvent, at time.Time,
	change func(u *gangway.User, others []gangway.User) error,
) (u gangway.User, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		var others []gangway.User
		if u, others, err = lockUser(ctx, tx, customer, email); err != nil {
			return err
		}
		before := userDetails(u)
		if err := change(&u, others); err != nil {
			return err
		}
		disabled := int64(0)
		if u.Disabled {
			disabled = millis(at)
		}
		if _, err := tx.ExecContext(ctx, `
			UPDATE person
			SET role = $3, round = $4, disabled = $5
			WHERE customer = $1 AND id = $2`,
			customer, u.ID, string(u.Role), u.Round, disabled); err != nil {
			return fmt.Errorf("change user %s: %w", u.ID, err)
		}
		was, is := gangway.Changes(before, userDetails(u))
		if len(was)+len(is) == 0 {
			return nil
		}
		is["user"], is["email"] = u.ID, u.Email
		return db.record(ctx, tx, gangway.AuditEntry{At: at, By: by, Customer: customer, What: what, Before: was,
			After: is})
	})
	return u, err
}

// SetPassword gives a customer's person another password and ends the person's
// sessions. It returns the person as changed.
func (db *DB) SetPassword(ctx context.Context, by gangway.Actor, customer, email, passwordHash string,
	at time.Time) (u gangway.User, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		if u, _, err = lockUser(ctx, tx, customer, email); err != nil {
			return err
		}
		u.EndSessions()
		if _, err := tx.ExecContext(ctx, `
			UPDATE person
			SET password = $3, round = $4
			WHERE customer = $1 AND id = $2`,
			customer, u.ID, passwordHash, u.Round); err != nil {
			return fmt.Errorf("set the password of user %s: %w", u.ID, err)
		}
		about := map[string]any{"user": u.ID, "email": u.Email}
		return db.record(ctx, tx, gangway.AuditEntry{At: at, By: by, Customer: customer, What: gangway.UserPassword,
			After: about})
	})
	return u, err
}

// RemoveUser removes a person from a customer if may agrees, which also gets the
// customer's other people. Records of what the person did keep the name and the
// e-mail; the e-mail is free for somebody new.
func (db *DB) RemoveUser(
	ctx context.Context, by gangway.Actor, customer, email string, at time.Time,
	may func(u gangway.User, others []gangway.User) error,
) (u gangway.User, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		var others []gangway.User
		if u, others, err = lockUser(ctx, tx, customer, email); err != nil {
			return err
		}
		if err := may(u, others); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM person
			WHERE customer = $1 AND id = $2`,
			customer, u.ID); err != nil {
			return fmt.Errorf("remove user %s: %w", u.ID, err)
		}
		return db.record(ctx, tx, gangway.AuditEntry{At: at, By: by, Customer: customer, What: gangway.UserRemoved,
			Before: userDetails(u)})
	})
	return u, err
}

// lockUser returns a customer's person and the customer's other people. None of
// them changes until tx ends.
func lockUser(ctx context.Context, tx *sql.Tx, customer,
	email string) (u gangway.User, others []gangway.User, err error) {
	if err := holdStaff(ctx, tx, customer); err != nil {
		return u, nil, err
	}
	all, err := usersOf(ctx, tx, customer)
	if err != nil {
		return u, nil, err
	}
	for _, someone := range all {
		if someone.Email == foldEmail(email) {
			u = someone
			continue
		}
		others = append(others, someone)
	}
	if u.ID == "" {
		return u, nil, gangway.Errorf(gangway.NotFound, "the customer has no user with the e-mail %s", foldEmail(email))
	}
	return u, others, nil
}
