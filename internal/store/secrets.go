package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/seal"
)

// SealWith makes db seal and open secrets with s. It is called right after Open. A
// db without it stores no secrets: SetSecret and Secret fail. It stores the signing
// secrets of outlets in clear, as long as none of them is sealed.
func (db *DB) SealWith(s *seal.Sealer) { db.sealer = s }

// CanSeal returns an error that says what is missing if db has no key to seal with.
func (db *DB) CanSeal() error {
	if db.sealer == nil {
		return noKey()
	}
	return nil
}

// SetSecret stores value, sealed, under a name in the account, replacing what was
// there.
func (s Scoped) SetSecret(ctx context.Context, by gangway.Actor, name string, value []byte, at time.Time) error {
	if s.db.sealer == nil {
		return noKey()
	}
	text := s.seal(secretColumn, name, value)
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO secret (account, name, sealed, changed_at)
			VALUES ($1, $2, $3, $4)
			ON CONFLICT (account, name) DO UPDATE
			SET sealed = excluded.sealed, changed_at = excluded.changed_at`,
			s.account, name, text, millis(at))
		if err != nil {
			return fmt.Errorf("save secret %s: %w", name, err)
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.SecretSet,
			After: map[string]any{"secret": name}})
	})
}

// Secret returns the value stored under a name. NotFound: there is none.
func (s Scoped) Secret(ctx context.Context, name string) ([]byte, error) {
	text, err := column[string](s.db.reader.QueryRowContext(ctx, `
		SELECT sealed
		FROM secret
		WHERE account = $1 AND name = $2`,
		s.account, name))
	if err != nil {
		return nil, notFoundOr(err, "there is no secret %q", name)
	}
	return s.open(secretColumn, name, text)
}

// A sealedColumn is a column of the database that contains sealed values.
type sealedColumn struct{ table, id, column string }

var (
	secretColumn      = sealedColumn{"secret", "name", "sealed"}
	outletColumn      = sealedColumn{"outlet", "id", "secrets"}
	credentialsColumn = sealedColumn{"outlet", "id", "credentials"}
	feedColumn        = sealedColumn{"feed", "name", "secrets"}

	sealedColumns = []sealedColumn{secretColumn, outletColumn, credentialsColumn, feedColumn}
)

// sealedMark begins the text of a sealed value; base64 follows.
const sealedMark = "sealed:"

// seal returns the text to be stored in a column of the record with an id. It opens
// only there: copied to another account, record or column it is useless.
func (s Scoped) seal(c sealedColumn, id string, plain []byte) string {
	if s.db.sealer == nil {
		return string(plain)
	}
	return sealedMark + base64.StdEncoding.EncodeToString(s.db.sealer.Seal(plain, c.context(s.account, id)))
}

// open returns what seal was given. An outlet's secrets that were written before
// there was a key are returned as they are.
func (s Scoped) open(c sealedColumn, id, text string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(text, sealedMark)
	switch {
	case !ok && c == outletColumn:
		return []byte(text), nil
	case !ok:
		return nil, fmt.Errorf("open %s %s: it is not sealed", c.table, id)
	case s.db.sealer == nil:
		return nil, noKey()
	}
	sealed, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("open %s %s: it is not base64", c.table, id)
	}
	plain, err := s.db.sealer.Open(sealed, c.context(s.account, id))
	return plain, wrapf(err, "open %s %s", c.table, id)
}

func (c sealedColumn) context(account, id string) string {
	return strings.Join([]string{c.table, c.column, account, id}, "\x00")
}

func noKey() error {
	return gangway.Errorf(gangway.Invalid, "there is no key to seal and open secrets with: set --secret-key-file or "+
		"GANGWAY_SECRET_KEY_FILE, the same for all replicas")
}

// CountSecrets counts the secrets of all accounts: those in clear and those sealed.
func (db *DB) CountSecrets(ctx context.Context) (clear, sealed int, err error) {
	err = db.eachSecret(ctx, func(_ sealedColumn, v sealedValue) {
		if v.key == "" {
			clear++
		} else {
			sealed++
		}
	})
	return clear, sealed, err
}

func (db *DB) eachSecret(ctx context.Context, each func(sealedColumn, sealedValue)) error {
	for _, c := range sealedColumns {
		list, err := db.sealedIn(withLongWork(ctx), c)
		if err != nil {
			return err
		}
		for _, v := range list {
			each(c, v)
		}
	}
	return nil
}

// An UnopenedSecret is a record whose secrets were sealed with a key that is not given.
type UnopenedSecret struct {
	Account string // empty: they are the installation's
	What    string // "outlet", "feed" or "secret"
	ID      string
	Key     string // its identifier
}

// UnopenedSecrets lists all that the keys do not open, each record once.
func (db *DB) UnopenedSecrets(ctx context.Context) (unopened []UnopenedSecret, err error) {
	err = db.eachSecret(ctx, func(c sealedColumn, v sealedValue) {
		u := UnopenedSecret{v.account, c.table, v.id, v.key}
		if v.key != "" && (db.sealer == nil || !db.sealer.Has(v.key)) && !slices.Contains(unopened, u) {
			unopened = append(unopened, u)
		}
	})
	return unopened, err
}

// Reseal seals with the newest key everything that is in clear or sealed with an
// older one, and returns how many secrets that were. It fails if the keys do not
// open one of them. Without keys it leaves values in clear as they are.
func (db *DB) Reseal(ctx context.Context) (n int, err error) {
	ctx = withLongWork(ctx)
	newest := ""
	if db.sealer != nil {
		newest = db.sealer.Newest()
	}
	for _, c := range sealedColumns {
		list, err := db.sealedIn(ctx, c)
		if err != nil {
			return n, err
		}
		list = slices.DeleteFunc(list, func(v sealedValue) bool { return v.key == newest })
		err = db.write(ctx, func(tx *sql.Tx) error {
			for _, v := range list {
				if err := db.reseal(ctx, tx, c, v); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return n, err
		}
		n += len(list)
	}
	return n, db.resignAnchors(ctx)
}

// A sealedValue is a value of a sealedColumn, as it is stored.
type sealedValue struct {
	account, id, text string
	key               string // identifier of its key; empty for a value in clear
}

func (db *DB) sealedIn(ctx context.Context, c sealedColumn) ([]sealedValue, error) {
	list, err := selectAll(ctx, db.reader, scanSealed, `SELECT account, `+c.id+`, `+c.column+` FROM `+c.table+` WHERE `+
		c.column+` <> ''`)
	return list, wrapf(err, "list what is sealed in %s", c.table)
}

func scanSealed(row scanner) (v sealedValue, err error) {
	if err := row.Scan(&v.account, &v.id, &v.text); err != nil {
		return v, err
	}
	encoded, ok := strings.CutPrefix(v.text, sealedMark)
	if !ok {
		return v, nil
	}
	sealed, err := base64.StdEncoding.DecodeString(encoded)
	if err == nil {
		v.key, err = seal.KeyID(sealed)
	}
	return v, wrapf(err, "open %s", v.id)
}

// reseal seals one value again. A value that was changed meanwhile is left alone,
// because it was sealed then.
func (db *DB) reseal(ctx context.Context, tx *sql.Tx, c sealedColumn, v sealedValue) error {
	s := db.In(gangway.Scope{Account: v.account})
	plain, err := s.open(c, v.id, v.text)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE `+c.table+`
		SET `+c.column+` = $4
		WHERE account = $1 AND `+c.id+` = $2 AND `+c.column+` = $3`,
		v.account, v.id, v.text, s.seal(c, v.id, plain))
	return wrapf(err, "seal %s %s again", c.table, v.id)
}
