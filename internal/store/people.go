package store

import (
	"context"
	"database/sql"
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
	if err := u.Check(); err != nil {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		if err := holdStaff(ctx, tx, u.Customer); err != nil {
			return err
		}
		return db.addUser(ctx, tx, by, u, passwordHash, at)
	})
}

// addUser adds a person to a customer whose people are held.
func (db *DB) addUser(ctx context.Context, tx *sql.Tx, by gangway.Actor, u gangway.User, passwordHash string,
	at time.Time) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO person (id, customer, email, name, role, password, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		u.ID, u.Customer, foldEmail(u.Email), u.Name, string(u.Role), passwordHash, millis(at))
	if db.dialect.duplicate(err) {
		return emailTaken(u.Email)
	}
	if err != nil {
		return fmt.Errorf("create user %s: %w", u.ID, err)
	}
	return db.record(ctx, tx, gangway.AuditEntry{
		At: at, By: by, Customer: u.Customer, What: gangway.UserCreated, After: userDetails(u),
	})
}

func emailTaken(email string) error {
	return gangway.Errorf(gangway.Conflict, "there is already a user with the e-mail %s", foldEmail(email))
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

// UsersAfter lists the next of a customer's people after an e-mail.
func (db *DB) UsersAfter(ctx context.Context, customer, email string, limit int) ([]gangway.User, error) {
	list, err := selectAll(ctx, db.reader, func(row scanner) (gangway.User, error) { return scanUser(row) }, `
		SELECT `+userColumns+`
		FROM person
		WHERE customer = $1 AND email > $2
		ORDER BY email
		LIMIT $3`,
		customer, email, limit)
	return list, wrapf(err, "list users")
}

// seenEvery is how exactly it is known when a person was last seen.
const seenEvery = time.Hour

// NoteSeen notes that a person uses the web application, unless that was noted less than an hour ago.
func (db *DB) NoteSeen(ctx context.Context, u gangway.User, at time.Time) error {
	if at.Sub(u.SeenAt) < seenEvery {
		return nil
	}
	return db.write(harmless(ctx), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE person
			SET seen_at = $3
			WHERE customer = $1 AND id = $2 AND seen_at < $3`,
			u.Customer, u.ID, millis(at))
		return wrapf(err, "note that user %s was seen", u.ID)
	})
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

const userColumns = `id, customer, email, name, role, disabled, round, seen_at, mail_hour, mail_zone, no_ending_mails, mail_due`

// scanUser reads a person, and further columns into more.
func scanUser(row scanner, more ...any) (gangway.User, error) {
	var u gangway.User
	var disabled int64
	err := row.Scan(append([]any{&u.ID, &u.Customer, &u.Email, &u.Name, &u.Role, &disabled, &u.Round, when(&u.SeenAt),
		&u.Mails.Hour, &u.Mails.Zone, &u.Mails.NoEndings, when(&u.MailDue)}, more...)...)
	u.Disabled = disabled != 0
	return u, err
}

// userDetails is what the audit log records of a person.
func userDetails(u gangway.User) map[string]any {
	details := map[string]any{"user": u.ID, "email": foldEmail(u.Email), "name": u.Name, "role": string(u.Role)}
	if u.Disabled {
		details["disabled"] = true
	}
	if u.Mails.Zone != "" {
		details["daily_mail"] = fmt.Sprintf("%02d:00 %s", u.Mails.Hour, u.Mails.Zone)
	}
	if u.Mails.NoEndings {
		details["no_ending_mails"] = true
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
	return db.write(harmless(ctx), func(tx *sql.Tx) error {
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
			SET role = $3, round = $4, disabled = $5, mail_hour = $6, mail_zone = $7, mail_due = $8,
				no_ending_mails = $9
			WHERE customer = $1 AND id = $2`,
			customer, u.ID, string(u.Role), u.Round, disabled, u.Mails.Hour, u.Mails.Zone, millis(u.MailDue),
			truthValue(u.Mails.NoEndings)); err != nil {
			return fmt.Errorf("change user %s: %w", u.ID, err)
		}
		was, is := gangway.Changes(before, userDetails(u))
		if len(was)+len(is) == 0 {
			return nil
		}
		is["user"], is["email"] = u.ID, u.Email
		return db.record(ctx, tx, gangway.AuditEntry{At: at, By: by, Customer: customer, What: what, Before: was,
			After: is})
	}, People)
	return u, err
}

// SetPassword gives a customer's person another password and ends the person's
// sessions. It returns the person as changed.
func (db *DB) SetPassword(ctx context.Context, by gangway.Actor, customer, email, passwordHash string,
	at time.Time) (u gangway.User, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		u, err = db.endSessions(ctx, tx, by, customer, email, passwordHash, at, "")
		return err
	}, People)
	return u, err
}

// EndSessions signs a customer's person out everywhere.
func (db *DB) EndSessions(ctx context.Context, by gangway.Actor, customer, email string, at time.Time) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := db.endSessions(ctx, tx, by, customer, email, "", at, "")
		return err
	}, People)
}

// endSessions is SetPassword in a transaction. Without a hash the password stays. linkOf is who made the
// link that lets the person choose it.
func (db *DB) endSessions(ctx context.Context, tx *sql.Tx, by gangway.Actor, customer, email, passwordHash string,
	at time.Time, linkOf string) (gangway.User, error) {
	u, _, err := lockUser(ctx, tx, customer, email)
	if err != nil {
		return u, err
	}
	u.EndSessions()
	if _, err := tx.ExecContext(ctx, `
		UPDATE person
		SET password = CASE WHEN $3 = '' THEN password ELSE $3 END, round = $4
		WHERE customer = $1 AND id = $2`,
		customer, u.ID, passwordHash, u.Round); err != nil {
		return u, fmt.Errorf("end the sessions of user %s: %w", u.ID, err)
	}
	what := gangway.UserPassword
	if passwordHash == "" {
		what = gangway.UserSignedOut
	}
	after := map[string]any{"user": u.ID, "email": u.Email}
	if linkOf != "" {
		after["by_link_of"] = linkOf
	}
	return u, db.record(ctx, tx, gangway.AuditEntry{At: at, By: by, Customer: customer, What: what, After: after})
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
	}, People)
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
