package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gangway"
)

// SetOutlet sends the account's bookings to url from now on, signed with
// secrets. An outlet that is there already keeps its identifier, its secrets
// and what it has still to deliver, and is switched on again.
func (s Scoped) SetOutlet(ctx context.Context, url string, secrets []string, at time.Time) (gangway.Outlet, error) {
	var o gangway.Outlet
	err := s.db.write(ctx, func(tx *sql.Tx) error {
		var err error
		o, err = scanOutlet(tx.QueryRowContext(ctx, `
			UPDATE outlet
			SET url = $2, off = 0, off_reason = ''
			WHERE account = $1
			RETURNING `+outletColumns,
			s.account, url))
		if gangway.KindOf(err) != gangway.NotFound {
			return err
		}
		doc, err := json.Marshal(secrets)
		if err != nil {
			return fmt.Errorf("write secrets of outlet: %w", err)
		}
		o = gangway.Outlet{ID: "out_" + strings.ToLower(rand.Text()), URL: url, Secrets: secrets, CreatedAt: at}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO outlet (account, id, url, secrets, off, off_reason, created_at)
			VALUES ($1, $2, $3, $4, 0, '', $5)`,
			s.account, o.ID, o.URL, string(doc), millis(at))
		if err != nil {
			return fmt.Errorf("set outlet: %w", err)
		}
		return nil
	}, Deliveries)
	return o, err
}

// SetOutletSecrets replaces the signing secrets of an outlet, newest first.
// With two, each push carries both signatures until the older one is dropped.
func (s Scoped) SetOutletSecrets(ctx context.Context, id string, secrets []string) error {
	doc, err := json.Marshal(secrets)
	if err != nil {
		return fmt.Errorf("write secrets of outlet: %w", err)
	}
	return s.changeOutlet(ctx, `
		UPDATE outlet
		SET secrets = $3
		WHERE account = $1 AND id = $2`, id, string(doc))
}

// SwitchOutlet switches an outlet off for a reason, or on again with none.
// What it has to deliver waits while it is off.
func (s Scoped) SwitchOutlet(ctx context.Context, id string, off bool, reason string) error {
	return s.changeOutlet(ctx, `
		UPDATE outlet
		SET off = $3, off_reason = $4
		WHERE account = $1 AND id = $2`, id, yes(off), reason)
}

func (s Scoped) changeOutlet(ctx context.Context, query, id string, args ...any) error {
	return s.db.write(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, query, append([]any{s.account, id}, args...)...)
		if err != nil {
			return fmt.Errorf("change outlet %s: %w", id, err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return gangway.Errorf(gangway.NotFound, "there is no such outlet")
		}
		return nil
	}, Deliveries)
}

const outletColumns = `id, url, secrets, off, off_reason, created_at`

// Outlets returns the account's outlets.
func (s Scoped) Outlets(ctx context.Context) ([]gangway.Outlet, error) {
	rows, err := s.db.reader.QueryContext(ctx, `
		SELECT `+outletColumns+`
		FROM outlet
		WHERE account = $1
		ORDER BY created_at, id`,
		s.account)
	if err != nil {
		return nil, fmt.Errorf("list outlets: %w", err)
	}
	defer rows.Close()
	var list []gangway.Outlet
	for rows.Next() {
		o, err := scanOutlet(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, rows.Err()
}

func scanOutlet(row scanner) (o gangway.Outlet, err error) {
	var secrets string
	var off int
	var created int64
	if err := row.Scan(&o.ID, &o.URL, &secrets, &off, &o.OffReason, &created); err != nil {
		return o, one(err, "there is no such outlet")
	}
	o.Off, o.CreatedAt = off == 1, instant(created)
	if err := json.Unmarshal([]byte(secrets), &o.Secrets); err != nil {
		return o, fmt.Errorf("read secrets of outlet %s: %w", o.ID, err)
	}
	return o, nil
}
