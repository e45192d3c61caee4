package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway"
)

// A ReportLogin is a name under which an account's report can be read, with a password of which
// only the hash is kept.
type ReportLogin struct {
	Name      string
	Account   string
	CreatedAt time.Time
	RevokedAt time.Time
	UsedAt    time.Time // of a recent request, to the minute; zero if it was never used
}

const reportLoginColumns = `name, account, created_at, revoked_at, used_at`

// CreateReportLogin adds a name, and the hash of its password, under which the
// account's report can be read.
func (s Scoped) CreateReportLogin(ctx context.Context, by gangway.Actor, name, hash string, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO report_login (name, account, hash, created_at)
			VALUES ($1, $2, $3, $4)`,
			name, s.account, hash, millis(at))
		if err != nil {
			return fmt.Errorf("create report login %s: %w", name, err)
		}
		return s.record(ctx, tx, gangway.AuditEntry{
			At: at, By: by, What: gangway.ReportLoginCreated, After: map[string]any{"report_user": name},
		})
	})
}

// ReportLogins lists the account's report logins, oldest first, those that were revoked included.
func (s Scoped) ReportLogins(ctx context.Context) ([]ReportLogin, error) {
	list, err := selectAll(ctx, s.db.reader, scanReportLogin, `
		SELECT `+reportLoginColumns+`
		FROM report_login
		WHERE account = $1
		ORDER BY created_at, name`,
		s.account)
	if err != nil {
		return nil, fmt.Errorf("list report logins: %w", err)
	}
	return list, nil
}

// ReportLogin returns the login of that name, and the hash of its password. NotFound: there is
// none, or it was revoked.
func (db *DB) ReportLogin(ctx context.Context, name string) (l ReportLogin, hash string, err error) {
	var created, used int64
	err = db.reader.QueryRowContext(ctx, `
		SELECT name, account, created_at, used_at, hash
		FROM report_login
		WHERE name = $1 AND revoked_at = 0 AND `+notRemoving,
		name).Scan(&l.Name, &l.Account, &created, &used, &hash)
	l.CreatedAt, l.UsedAt = instant(created), instant(used)
	return l, hash, notFoundOr(err, "there is no such report user")
}

// RevokeReportLogin ends the use of a login. Revoking it again changes nothing.
func (s Scoped) RevokeReportLogin(ctx context.Context, by gangway.Actor, name string, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		l, err := scanReportLogin(tx.QueryRowContext(ctx, `
			UPDATE report_login
			SET revoked_at = $3
			WHERE account = $1 AND name = $2 AND revoked_at = 0
			RETURNING `+reportLoginColumns,
			s.account, name, millis(at)))
		if errors.Is(err, sql.ErrNoRows) {
			return s.wantReportLogin(ctx, tx, name) // if it exists, it was revoked before
		}
		if err != nil {
			return fmt.Errorf("revoke report login %s: %w", name, err)
		}
		return s.record(ctx, tx, gangway.AuditEntry{
			At: at, By: by, What: gangway.ReportLoginRevoked, Before: map[string]any{"report_user": l.Name},
		})
	})
}

// wantReportLogin returns NotFound if the account has no such login.
func (s Scoped) wantReportLogin(ctx context.Context, tx *sql.Tx, name string) error {
	err := tx.QueryRowContext(ctx, `
		SELECT name
		FROM report_login
		WHERE account = $1 AND name = $2`,
		s.account, name).Scan(&name)
	return notFoundOr(err, "there is no report login %q", name)
}

// MarkReportLoginUsed notes that a login was used, unless that was noted less than a minute ago.
func (s Scoped) MarkReportLoginUsed(ctx context.Context, name string, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE report_login
			SET used_at = $3
			WHERE account = $1 AND name = $2 AND used_at <= $4`,
			s.account, name, millis(at), millis(at.Add(-time.Minute)))
		if err != nil {
			return fmt.Errorf("mark report login %s used: %w", name, err)
		}
		return nil
	})
}

func scanReportLogin(row scanner) (l ReportLogin, err error) {
	var created, revoked, used int64
	err = row.Scan(&l.Name, &l.Account, &created, &revoked, &used)
	l.CreatedAt, l.RevokedAt, l.UsedAt = instant(created), instant(revoked), instant(used)
	return l, err
}
