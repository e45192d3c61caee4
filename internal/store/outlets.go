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

// SetOutlet sends the account's bookings to an address from now on, signed with
// secrets. An existing outlet keeps its identifier, its secrets and whatever the
// settings leave out, is switched on again, and gets at once what is still waiting
// for it. The outlet that is returned has its secrets, and its credentials if they
// were given now; of stored ones it has only the kind.
func (s Scoped) SetOutlet(ctx context.Context, by gangway.Actor, settings gangway.OutletSettings, secrets []string,
	at time.Time) (gangway.Outlet, error) {
	var o gangway.Outlet
	err := s.write(ctx, func(tx *sql.Tx) error {
		// Others who set the account's outlet at the same time wait here, so that it
		// does not become two.
		if err := s.lockAccount(ctx, tx); err != nil {
			return err
		}
		before, err := s.anyOutlet(ctx, tx)
		if err != nil {
			return err
		}
		if err := before.CheckChange(settings); err != nil {
			return err
		}
		entry := gangway.AuditEntry{At: at, By: by, What: gangway.OutletSet}
		if before.ID == "" {
			o, err = s.addOutlet(ctx, tx, settings, secrets, at)
		} else {
			entry.Before = outletDetails(before)
			o, err = s.changeOutlet(ctx, tx, before.ID, settings, at)
		}
		if err != nil {
			return err
		}
		entry.After = outletDetails(o)
		if settings.Credentials.Given() {
			entry.After["auth_given"] = true // because the kind may be the same as before
		}
		return s.record(ctx, tx, entry)
	}, Deliveries)
	return o, err
}

func (s Scoped) addOutlet(ctx context.Context, tx *sql.Tx, to gangway.OutletSettings, secrets []string,
	at time.Time) (gangway.Outlet, error) {
	o := gangway.Outlet{ID: "out_" + strings.ToLower(rand.Text()), URL: to.URL, Secrets: secrets, CreatedAt: at}
	sealed, err := s.sealOutletSecrets(o.ID, secrets)
	if err != nil {
		return o, err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO outlet (account, id, url, secrets, off, off_reason, created_at)
		VALUES ($1, $2, $3, $4, 0, '', $5)`,
		s.account, o.ID, o.URL, sealed, millis(at))
	if err != nil {
		return o, fmt.Errorf("set outlet: %w", err)
	}
	if to.Credentials.Given() {
		o.Credentials, err = s.changeCredentials(ctx, tx, o.ID, to.Credentials)
	}
	return o, err
}

func (s Scoped) changeOutlet(ctx context.Context, tx *sql.Tx, id string, to gangway.OutletSettings,
	at time.Time) (gangway.Outlet, error) {
	o, err := scanOutlet(tx.QueryRowContext(ctx, `
		UPDATE outlet
		SET url = $3, off = 0, off_reason = '', failing_since = 0, held_until = 0
		WHERE account = $1 AND id = $2
		RETURNING `+outletColumns,
		s.account, id, to.URL))
	if err != nil {
		return o, err
	}
	if to.Credentials.Given() {
		if o.Credentials, err = s.changeCredentials(ctx, tx, id, to.Credentials); err != nil {
			return o, err
		}
	}
	if o.Secrets, err = s.outletSecrets(ctx, tx, id); err != nil {
		return o, err
	}
	return o, s.makeQueuesDue(ctx, tx, id, at)
}

// anyOutlet returns the account's outlet as it is; zero if it has none.
func (s Scoped) anyOutlet(ctx context.Context, tx *sql.Tx) (gangway.Outlet, error) {
	o, err := scanOutlet(tx.QueryRowContext(ctx, `
		SELECT `+outletColumns+`
		FROM outlet
		WHERE account = $1
		LIMIT 1`,
		s.account))
	if gangway.KindOf(err) == gangway.NotFound {
		return o, nil
	}
	return o, err
}

// outletDetails is what the audit log records of an outlet. The part of its address
// after a question mark is left out, because it may let anybody in at the customer's.
func outletDetails(o gangway.Outlet) map[string]any {
	address, _, cut := strings.Cut(o.URL, "?")
	if cut {
		address += "?…"
	}
	details := map[string]any{"outlet": o.ID, "url": address, "off": o.Off}
	if o.Credentials.Any() {
		details["auth"] = o.Credentials.String()
	}
	if o.OffReason != "" {
		details["reason"] = o.OffReason
	}
	return details
}

// lockAccount makes others who call it for this account wait until the transaction
// ends.
func (s Scoped) lockAccount(ctx context.Context, tx *sql.Tx) error {
	res, err := tx.ExecContext(ctx, `
		UPDATE account
		SET settings = settings
		WHERE id = $1`,
		s.account)
	if err != nil {
		return fmt.Errorf("lock account: %w", err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return ErrNoAccount
	}
	return nil
}

// makeQueuesDue makes everything that waits for a retry at an outlet due now.
func (s Scoped) makeQueuesDue(ctx context.Context, tx *sql.Tx, outlet string, now time.Time) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE lane
		SET due = $3
		WHERE account = $1 AND outlet = $2 AND pending > 0 AND due > $3`,
		s.account, outlet, millis(now))
	if err != nil {
		return fmt.Errorf("make queues of outlet %s due: %w", outlet, err)
	}
	return nil
}

// SetOutletSecrets replaces the signing secrets of an outlet, newest first.
// With two, each push carries both signatures until the older one is dropped.
func (s Scoped) SetOutletSecrets(ctx context.Context, by gangway.Actor, id string, secrets []string,
	at time.Time) error {
	sealed, err := s.sealOutletSecrets(id, secrets)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `
			UPDATE outlet
			SET secrets = $3
			WHERE account = $1 AND id = $2`,
			s.account, id, sealed)
		if err != nil {
			return fmt.Errorf("change outlet %s: %w", id, err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return gangway.Errorf(gangway.NotFound, "there is no such outlet")
		}
		return s.record(ctx, tx, gangway.AuditEntry{
			At: at, By: by, What: gangway.OutletRotated, After: map[string]any{"outlet": id,
				"signatures": len(secrets)},
		})
	})
}

// OutletSecrets returns the signing secrets of an outlet, newest first.
func (s Scoped) OutletSecrets(ctx context.Context, id string) ([]string, error) {
	return s.outletSecrets(ctx, s.db.reader, id)
}

func (s Scoped) outletSecrets(ctx context.Context, q querier, id string) ([]string, error) {
	var text string
	err := q.QueryRowContext(ctx, `
		SELECT secrets
		FROM outlet
		WHERE account = $1 AND id = $2`,
		s.account, id).Scan(&text)
	if err != nil {
		return nil, notFoundOr(err, "there is no outlet %q", id)
	}
	return s.openOutletSecrets(id, text)
}

func (s Scoped) sealOutletSecrets(id string, secrets []string) (string, error) {
	doc, err := json.Marshal(secrets)
	if err != nil {
		return "", fmt.Errorf("write secrets of outlet %s: %w", id, err)
	}
	return s.seal(outletColumn, id, doc), nil
}

func (s Scoped) openOutletSecrets(id, text string) (secrets []string, err error) {
	doc, err := s.open(outletColumn, id, text)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(doc, &secrets); err != nil {
		// Not the decoder's error, which may contain what it read.
		return nil, fmt.Errorf("open outlet %s: it contains no secrets", id)
	}
	return secrets, nil
}

// OutletAnswers notes that an outlet that had failed takes pushes again. With
// retryNow, everything that waits for a retry there becomes due at once.
func (s Scoped) OutletAnswers(ctx context.Context, id string, now time.Time, retryNow bool) error {
	ctx = withLongWork(ctx) // much may wait
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE outlet
			SET failing_since = 0
			WHERE account = $1 AND id = $2`,
			s.account, id)
		if err != nil {
			return fmt.Errorf("note that outlet %s answers: %w", id, err)
		}
		if !retryNow {
			return nil
		}
		return s.makeQueuesDue(ctx, tx, id, now)
	}, Deliveries)
}

const outletColumns = `id, url, credentials_kind, off, off_reason, created_at, failing_since`

// Outlets returns the account's outlets, without their secrets, and with only the
// kind of their credentials.
func (s Scoped) Outlets(ctx context.Context) ([]gangway.Outlet, error) {
	list, err := selectAll(ctx, s.db.reader, scanOutlet, `
		SELECT `+outletColumns+`
		FROM outlet
		WHERE account = $1
		ORDER BY created_at, id`,
		s.account)
	if err != nil {
		return nil, fmt.Errorf("list outlets: %w", err)
	}
	return list, nil
}

func scanOutlet(row scanner) (o gangway.Outlet, err error) {
	var off int
	var created, failing int64
	if err := row.Scan(&o.ID, &o.URL, &o.Credentials.Kind, &off, &o.OffReason, &created, &failing); err != nil {
		return o, notFoundOr(err, "there is no such outlet")
	}
	o.Off, o.CreatedAt, o.FailingSince = off == 1, instant(created), instant(failing)
	return o, nil
}
