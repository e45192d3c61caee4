package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gangway/internal/gangway"
)

// CreateUser adds a person to a customer. Conflict: the e-mail is taken, by any
// customer's person, because people sign in with it.
func (db *DB) CreateUser(ctx context.Context, by gangway.Actor, u gangway.User, passwordHash string,
	at time.Time) error {
	if err := errors.Join(gangway.CheckEmail(u.Email), gangway.CheckName(u.Name)); err != nil {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		if err := holdStaff(ctx, tx, u.Customer); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO person (id, customer, email, name, role, password, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			u.ID, u.Customer, foldEmail(u.Email), u.Name, string(u.Role), passwordHash, millis(at))
		if db.dialect.duplicate(err) {
			return gangway.Errorf(gangway.Conflict, "there is already a user with the e-mail %s", foldEmail(u.Email))
		}
		if err != nil {
			return fmt.Errorf("create user %s: %w", u.ID, err)
		}
		return db.record(ctx, tx, gangway.AuditEntry{
			At: at, By: by, Customer: u.Customer, What: gangway.UserCreated, After: userDetails(u),
		})
	})
}

// UserByEmail returns the person who signs in with email, and the hash of their password.
func (db *DB) UserByEmail(ctx context.Context, email string) (u gangway.User, passwordHash string, err error) {
	if !utf8.ValidString(email) || strings.Contains(email, "\x00") { // PostgreSQL cannot store such text
		return u, "", gangway.Errorf(gangway.NotFound, "there is no such user")
	}
	row := db.reader.QueryRowContext(ctx, `
		SELECT `+userColumns+`, password
		FROM person
		WHERE email = $1 AND `+hasStaff,
		foldEmail(email))
	u, err = scanUser(row, &passwordHash)
	return u, passwordHash, notFoundOr(err, "there is no such user")
}

// User returns the person with the identifier id.
func (db *DB) User(ctx context.Context, id string) (gangway.User, error) {
	u, err := scanUser(db.reader.QueryRowContext(ctx, `
		SELECT `+userColumns+`
		FROM person
		WHERE id = $1 AND `+hasStaff,
		id))
	return u, notFoundOr(err, "there is no such user")
}

// Users lists a customer's people by e-mail.
func (db *DB) Users(ctx context.Context, customer string) ([]gangway.User, error) {
	return usersOf(ctx, db.reader, customer)
}

func usersOf(ctx context.Context, q querier, customer string) ([]gangway.User, error) {
	list, err := selectAll(ctx, q, func(row scanner) (gangway.User, error) { return scanUser(row) }, `
		SELECT `+userColumns+`
		FROM person
		WHERE customer = $1
		ORDER BY email`,
		customer)
	return list, wrapf(err, "list users")
}

const userColumns = `id, customer, email, name, role, disabled, round`

// scanUser reads a person, and further columns into more.
func scanUser(row scanner, more ...any) (gangway.User, error) {
	var u gangway.User
	var disabled int64
	err := row.Scan(append([]any{&u.ID, &u.Customer, &u.Email, &u.Name, &u.Role, &disabled, &u.Round}, more...)...)
	u.Disabled = disabled != 0
	return u, err
}

// userDetails is what the audit log records of a person.
func userDetails(u gangway.User) map[string]any {
	details := map[string]any{"user": u.ID, "email": foldEmail(u.Email), "name": u.Name, "role": string(u.Role)}
	if u.Disabled {
		details["disabled"] = true
	}
	return details
}

// foldEmail returns the one form of an address, however people type it.
func foldEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// A place from which somebody has signed in is familiar for half a year; each
// person has at most the newest 20.
const (
	familiarLife = 180 * 24 * time.Hour
	familiarMost = 20
)

// Familiar reports for each of the places, which are hashes of networks or of
// browsers' marks, whether the person has signed in from it.
func (db *DB) Familiar(ctx context.Context, person string, at time.Time, places ...string) ([]bool, error) {
	known := make([]bool, len(places))
	for i, place := range places {
		err := db.reader.QueryRowContext(ctx, `
			SELECT count(*) > 0
			FROM familiar
			WHERE person = $1 AND place = $2 AND seen_at > $3`,
			person, place, millis(at.Add(-familiarLife))).Scan(&known[i])
		if err != nil {
			return nil, fmt.Errorf("read where user %s has signed in from: %w", person, err)
		}
	}
	return known, nil
}

// MakeFamiliar notes from where the person has signed in, and deletes places that
// are no longer familiar.
func (db *DB) MakeFamiliar(ctx context.Context, person string, at time.Time, places ...string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		for _, place := range places {
			if _, err := tx.ExecContext(ctx, `
				INSERT INTO familiar (person, place, seen_at)
				VALUES ($1, $2, $3)
				ON CONFLICT (person, place) DO UPDATE
				SET seen_at = excluded.seen_at`,
				person, place, millis(at)); err != nil {
				return fmt.Errorf("note where user %s has signed in from: %w", person, err)
			}
		}
		_, err := tx.ExecContext(ctx, `
			DELETE FROM familiar
			WHERE person = $1 AND (seen_at <= $2 OR place NOT IN (
				SELECT place
				FROM familiar
				WHERE person = $1
				ORDER BY seen_at DESC, place
				LIMIT $3))`,
			person, millis(at.Add(-familiarLife)), familiarMost)
		return wrapf(err, "delete old places user %s has signed in from", person)
	})
}
