package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// A Credential is what a customer's programs show to be let in, as we keep it: enough to tell it
// from others, too little to use it.
type Credential struct {
	Kind      CredentialKind
	ID        string // of a ReportLogin, the name that is shown with the password
	Account   string
	Name      string // what uses it, in people's words; may be empty
	Shown     string // of an APIKey, its first characters, as in "gw_live_7Gd2…"
	CreatedAt time.Time
	RevokedAt time.Time
	UsedAt    time.Time // of a recent request, to the minute; zero if it was never used
}

// A CredentialKind says what a credential lets in to.
type CredentialKind string

// The kinds of credentials.
const (
	APIKey      CredentialKind = "api_key"      // the interface for programs; its hash is that of the key
	ReportLogin CredentialKind = "report_login" // the report; its hash is that of the password
)

// credentialWords are how errors and the audit log speak of a kind.
var credentialWords = map[CredentialKind]struct {
	noun             string
	created, revoked gangway.AuditEvent
}{
	APIKey:      {"key", gangway.KeyCreated, gangway.KeyRevoked},
	ReportLogin: {"report login", gangway.ReportLoginCreated, gangway.ReportLoginRevoked},
}

// details is what the audit log records of c.
func (c Credential) details() map[string]any {
	details := map[string]any{"key": c.ID, "begins": c.Shown}
	if c.Kind == ReportLogin {
		details = map[string]any{"report_user": c.ID}
	}
	if c.Name != "" {
		details["name"] = c.Name
	}
	return details
}

const credentialColumns = `kind, id, account, name, shown, created_at, revoked_at, used_at`

// CreateCredential adds a credential to the account. hash is the SHA-256 of its secret. Conflict: another
// one has the same secret, and would still let programs in when this one is revoked.
func (s Scoped) CreateCredential(ctx context.Context, by gangway.Actor, c Credential, hash string) error {
	if c.Name != "" {
		if err := gangway.CheckName(c.Name); err != nil {
			return err
		}
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		there, err := column[bool](tx.QueryRowContext(ctx, `
			SELECT EXISTS (SELECT 1 FROM credential WHERE account = $1 AND hash = $2)`,
			s.account, hash))
		if err == nil && there {
			err = gangway.Errorf(gangway.Conflict, "this form was sent before, and its secret was shown then: open "+
				"the page again to make another")
		}
		if err != nil {
			return wrapf(err, "create %s %s", credentialWords[c.Kind].noun, c.ID)
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO credential (id, kind, account, name, shown, hash, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			c.ID, c.Kind, s.account, c.Name, c.Shown, hash, millis(c.CreatedAt))
		if err != nil {
			return fmt.Errorf("create %s %s: %w", credentialWords[c.Kind].noun, c.ID, err)
		}
		return s.record(ctx, tx, gangway.AuditEntry{
			At: c.CreatedAt, By: by, What: credentialWords[c.Kind].created, After: c.details(),
		})
	})
}

// Credentials lists the account's credentials of a kind, oldest first, those that were revoked included.
func (s Scoped) Credentials(ctx context.Context, kind CredentialKind) ([]Credential, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (Credential, error) { return scanCredential(row) }, `
		SELECT `+credentialColumns+`
		FROM credential
		WHERE account = $1 AND kind = $2
		ORDER BY created_at, id`,
		s.account, kind)
	return list, wrapf(err, "list each %s", credentialWords[kind].noun)
}

// CredentialsInUse lists the account's newest credentials of a kind that were not revoked.
func (s Scoped) CredentialsInUse(ctx context.Context, kind CredentialKind, limit int) ([]Credential, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (Credential, error) { return scanCredential(row) }, `
		SELECT `+credentialColumns+`
		FROM credential
		WHERE account = $1 AND kind = $2 AND revoked_at = 0
		ORDER BY created_at DESC, id DESC
		LIMIT $3`,
		s.account, kind, limit)
	return list, wrapf(err, "list each %s in use", credentialWords[kind].noun)
}

// CredentialInUse returns a credential of the account. NotFound: there is none, or it was revoked.
func (s Scoped) CredentialInUse(ctx context.Context, id string) (Credential, error) {
	c, err := scanCredential(s.db.reader.QueryRowContext(ctx, `
		SELECT `+credentialColumns+`
		FROM credential
		WHERE account = $1 AND id = $2 AND revoked_at = 0`,
		s.account, id))
	return c, notFoundOr(err, "there is no such key or report login, or it was revoked")
}

// RenewReportLogin gives a report login another password; hash is its SHA-256. NotFound: there is no such
// login, or it was revoked.
func (s Scoped) RenewReportLogin(ctx context.Context, by gangway.Actor, id, hash string, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		c, err := scanCredential(tx.QueryRowContext(ctx, `
			UPDATE credential
			SET hash = $3
			WHERE account = $1 AND id = $2 AND kind = 'report_login' AND revoked_at = 0
			RETURNING `+credentialColumns,
			s.account, id, hash))
		if err != nil {
			return notFoundOr(err, "there is no such report login, or it was revoked")
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.ReportLoginRenewed,
			After: c.details()})
	})
}

// KeyByHash returns the API key whose SHA-256 is hash. NotFound: there is none, or it was revoked.
func (db *DB) KeyByHash(ctx context.Context, hash string) (Credential, error) {
	return db.key(ctx, `hash = $1`, hash)
}

// Key returns the API key with an identifier. NotFound: there is none, or it was revoked.
func (db *DB) Key(ctx context.Context, id string) (Credential, error) {
	return db.key(ctx, `id = $1`, id)
}

func (db *DB) key(ctx context.Context, which, value string) (Credential, error) {
	c, err := scanCredential(db.reader.QueryRowContext(ctx, `
		SELECT `+credentialColumns+`
		FROM credential
		WHERE `+which+` AND kind = 'api_key' AND revoked_at = 0 AND `+notRemoving,
		value))
	return c, notFoundOr(err, "there is no such key")
}

// ReportLogin returns the login of the report with that name, and the hash of its password.
// NotFound: there is none, or it was revoked.
func (db *DB) ReportLogin(ctx context.Context, name string) (c Credential, hash string, err error) {
	c, err = scanCredential(db.reader.QueryRowContext(ctx, `
		SELECT `+credentialColumns+`, hash
		FROM credential
		WHERE id = $1 AND kind = 'report_login' AND revoked_at = 0 AND `+notRemoving,
		name), &hash)
	return c, hash, notFoundOr(err, "there is no such report user")
}

// RevokeCredential ends the use of a credential. Revoking it again changes nothing.
func (s Scoped) RevokeCredential(ctx context.Context, by gangway.Actor, kind CredentialKind, id string,
	at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		c, err := scanCredential(tx.QueryRowContext(ctx, `
			UPDATE credential
			SET revoked_at = $4
			WHERE account = $1 AND kind = $2 AND id = $3 AND revoked_at = 0
			RETURNING `+credentialColumns,
			s.account, kind, id, millis(at)))
		if errors.Is(err, sql.ErrNoRows) {
			return s.wantCredential(ctx, tx, kind, id) // if it exists, it was revoked before
		}
		if err != nil {
			return fmt.Errorf("revoke %s %s: %w", credentialWords[kind].noun, id, err)
		}
		return s.record(ctx, tx, gangway.AuditEntry{
			At: at, By: by, What: credentialWords[kind].revoked, Before: c.details(),
		})
	})
}

// wantCredential returns NotFound if the account has no such credential.
func (s Scoped) wantCredential(ctx context.Context, tx *sql.Tx, kind CredentialKind, id string) error {
	err := tx.QueryRowContext(ctx, `
		SELECT id
		FROM credential
		WHERE account = $1 AND kind = $2 AND id = $3`,
		s.account, kind, id).Scan(&id)
	return notFoundOr(err, "there is no %s %q", credentialWords[kind].noun, id)
}

// MarkCredentialUsed notes that a credential was used, unless that was noted less than a minute ago.
func (s Scoped) MarkCredentialUsed(ctx context.Context, id string, at time.Time) error {
	err := s.exec(harmless(ctx), `
		UPDATE credential
		SET used_at = $3
		WHERE account = $1 AND id = $2 AND used_at <= $4`,
		s.account, id, millis(at), millis(at.Add(-time.Minute)))
	return wrapf(err, "mark %s used", id)
}

// scanCredential reads a credential, and further columns into more.
func scanCredential(row scanner, more ...any) (c Credential, err error) {
	err = row.Scan(append([]any{&c.Kind, &c.ID, &c.Account, &c.Name, &c.Shown, when(&c.CreatedAt), when(&c.RevokedAt),
		when(&c.UsedAt)}, more...)...)
	return c, err
}
