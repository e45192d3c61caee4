package store

import (
	"context"
	"database/sql"
	"time"

	"gangway/internal/gangway"
)

// certificateColumn is sealed for the installation. It is not among sealedColumns, because a lost key costs nothing
// here: the certificates are ordered again.
var certificateColumn = sealedColumn{"certificate", "name", "sealed"}

// orderTime is how long one replica has for an order before another tries. It doubles with each try, up to 16 times, so
// that the authority's limits on failures are not reached before the operator has corrected a setting.
const orderTime = time.Minute

// Certificate returns what SetCertificate stored under a name, and seals it again if there is a newer key. NotFound:
// nothing is stored, or nothing that the keys open.
func (db *DB) Certificate(ctx context.Context, name string) ([]byte, error) {
	v, err := scanSealed(db.reader.QueryRowContext(ctx, `
		SELECT '', name, sealed
		FROM certificate
		WHERE name = $1 AND sealed <> ''`, name))
	if err != nil {
		return nil, notFoundOr(err, "there is no certificate %q", name)
	}
	all := db.In(gangway.Scope{})
	plain, err := all.open(certificateColumn, name, v.text)
	if err != nil {
		return nil, gangway.Errorf(gangway.NotFound, "certificate %q cannot be opened: %v", name, err)
	}
	if v.key != db.sealer.Newest() {
		_, err = db.writeOne(ctx, `
			UPDATE certificate
			SET sealed = $3
			WHERE name = $1 AND sealed = $2`, name, v.text, all.seal(certificateColumn, name, plain))
	}
	return plain, wrapf(err, "seal certificate %s again", name)
}

// SetCertificate stores data, sealed, under a name. A caller that did not find it before cannot claim the name.
func (db *DB) SetCertificate(ctx context.Context, name string, data []byte, now time.Time) error {
	if db.sealer == nil {
		return noKey()
	}
	_, err := db.writeOne(ctx, `
		INSERT INTO certificate (name, sealed, lease)
		VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE
		SET sealed = excluded.sealed, lease = excluded.lease, tries = 0`, name,
		db.In(gangway.Scope{}).seal(certificateColumn, name, data), millis(now.Add(orderTime)))
	return wrapf(err, "save certificate %s", name)
}

// ClaimCertificate reports whether the caller may order the certificate that Certificate did not find. Other replicas
// may not, until it is stored or the time for the order is over.
func (db *DB) ClaimCertificate(ctx context.Context, name string, now time.Time) (mine bool, err error) {
	var lease int64 // looked at before, because each client that waits for the certificate asks
	err = db.reader.QueryRowContext(ctx, `SELECT lease FROM certificate WHERE name = $1`, name).Scan(&lease)
	if err == nil && lease > millis(now) {
		return false, nil
	}
	rows, err := db.writeOne(ctx, `
		INSERT INTO certificate (name, lease, tries)
		VALUES ($1, $3, 1)
		ON CONFLICT (name) DO UPDATE
		SET lease = $2 + ($3 - $2) * (1 << CASE WHEN certificate.tries < 4 THEN certificate.tries ELSE 4 END),
			tries = certificate.tries + 1
		WHERE certificate.lease <= $2`, name, millis(now), millis(now.Add(orderTime)))
	return rows == 1, wrapf(err, "claim certificate %s", name)
}

// DropCertificate deletes what is stored under a name, if there is anything.
func (db *DB) DropCertificate(ctx context.Context, name string) error {
	_, err := db.writeOne(ctx, `DELETE FROM certificate WHERE name = $1`, name)
	return wrapf(err, "delete certificate %s", name)
}

// writeOne executes one statement, and returns how many rows it has changed.
func (db *DB) writeOne(ctx context.Context, statement string, args ...any) (rows int64, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, statement, args...)
		if err == nil {
			rows, err = res.RowsAffected()
		}
		return err
	})
	return rows, err
}
