package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// An OutletChange changes an outlet: it gets the present one as OutletToChange returns it, or the zero
// one, and returns the new one. It runs in the transaction that stores that.
type OutletChange func(old StoredOutlet) (gangway.Outlet, error)

// A StoredOutlet is an outlet as it is stored.
type StoredOutlet struct {
	gangway.Outlet

	// Unopened says why its transport's secrets are not there: they were sealed with a key that is not given.
	Unopened error
}

// SetOutlet applies change to the account's outlet of a name. A new one gets the actions from at on, signed with
// secrets where it is pushed to. One that is there keeps its identifier and its signing secrets, is switched on again
// unless it is a copy that nobody has tested, and gets at once what is still waiting for it. The outlet that is
// returned has its signing secrets.
func (s Scoped) SetOutlet(ctx context.Context, by gangway.Actor, name string, change OutletChange, secrets []string,
	at time.Time) (o gangway.Outlet, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		// Others who set the account's outlets at the same time wait here, so that one does not become two.
		if err := s.lockAccount(ctx, tx); err != nil {
			return err
		}
		old, err := s.outlet(ctx, tx, name)
		fresh := gangway.KindOf(err) == gangway.NotFound
		if err != nil && !fresh {
			return err
		}
		if o, err = change(old); err != nil {
			return err
		}
		entry := gangway.AuditEntry{At: at, By: by, What: gangway.OutletSet}
		o.ID, o.Name, o.CreatedAt = old.ID, name, old.CreatedAt
		if o.Pushes() {
			o.Secrets = secrets
		}
		if fresh {
			o.ID, o.CreatedAt = "out_"+strings.ToLower(rand.Text()), at
			err = s.addOutlet(ctx, tx, o)
		} else {
			entry.Before = outletDetails(old.Outlet)
			o, err = s.changeOutlet(ctx, tx, old.Outlet, o, at)
		}
		if err != nil {
			return err
		}
		entry.After = outletDetails(o)
		if len(o.Transport.Secrets) > 0 && !bytes.Equal(o.Transport.Secrets, old.Transport.Secrets) {
			entry.After["secrets_given"] = true // because what may be shown may be the same as before
		}
		return s.record(ctx, tx, entry)
	}, Deliveries)
	return o, err
}

func (s Scoped) addOutlet(ctx context.Context, tx *sql.Tx, o gangway.Outlet) error {
	sealed, err := s.sealOutletSecrets(o.ID, o.Secrets)
	if err != nil {
		return err
	}
	hidden, err := s.sealOutletSettings(o)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO outlet (account, id, name, kind, settings, credentials, states, mapping, format, batch, paused,
			secrets, off, off_reason, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		s.account, o.ID, o.Name, o.Transport.Kind, string(o.Transport.Settings), hidden, joinStates(o.States),
		o.Mapping, o.Format, o.Batch.Milliseconds(), truthValue(o.Paused), sealed, truthValue(o.Off),
		o.OffReason, millis(o.CreatedAt))
	return wrapf(err, "set outlet")
}

func (s Scoped) changeOutlet(ctx context.Context, tx *sql.Tx, old, o gangway.Outlet,
	at time.Time) (gangway.Outlet, error) {
	hidden, err := s.sealOutletSettings(o)
	if err != nil {
		return o, err
	}
	if o.Off, o.OffReason = old.Off, old.OffReason; !old.Untested() { // a change does not test it
		o.Off, o.OffReason = false, ""
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE outlet
		SET kind = $3, settings = $4, credentials = $5, states = $6, mapping = $7, format = $8, batch = $9, paused = $10,
			off = $12, off_reason = $13, failing_since = 0, held_until = 0, set_at = $11
		WHERE account = $1 AND id = $2`,
		s.account, o.ID, o.Transport.Kind, string(o.Transport.Settings), hidden, joinStates(o.States), o.Mapping,
		o.Format, o.Batch.Milliseconds(), truthValue(o.Paused), millis(at), truthValue(o.Off), o.OffReason)
	if err != nil {
		return o, fmt.Errorf("set outlet %s: %w", o.ID, err)
	}
	o.FailingSince, o.HeldUntil = time.Time{}, time.Time{}
	o.SetAt, o.ResumedAt = at, old.ResumedAt
	if (o.Batch > 0) != (old.Batch > 0) {
		if err := s.requeue(ctx, tx, o); err != nil {
			return o, err
		}
	}
	if o.Pushes() && old.Pushes() {
		o.Secrets, err = s.outletSecrets(ctx, tx, o.ID)
	} else {
		err = s.writeOutletSecrets(ctx, tx, o.ID, o.Secrets)
	}
	if err != nil {
		return o, err
	}
	_, err = s.makeQueuesDue(ctx, tx, o.ID, at)
	return o, err
}

// joinStates is how the states of an outlet are stored.
func joinStates(list []gangway.State) string {
	return strings.Join(gangway.Texts(list), ",")
}

func splitStates(text string) (list []gangway.State) {
	for state := range strings.SplitSeq(text, ",") {
		if state != "" {
			list = append(list, gangway.State(state))
		}
	}
	return list
}

// outletDetails is what the audit log records of an outlet. The part of its address
// after a question mark is left out, because it may let anybody in at the customer's.
func outletDetails(o gangway.Outlet) map[string]any {
	details := map[string]any{"outlet": o.ID, "name": o.Name, "kind": o.Transport.Kind, "to": o.Address(),
		"off": o.Off}
	if auth := o.Authentication(); auth != gangway.NoCredentials {
		details["auth"] = string(auth)
	}
	if len(o.States) > 0 {
		details["states"] = joinStates(o.States)
	}
	if o.Mapping != "" {
		details["mapping"] = o.Mapping
	}
	if o.Format != gangway.JSONFormat {
		details["format"] = string(o.Format)
	}
	if o.Batch > 0 {
		details["batch"] = o.Batch.String()
	}
	if o.Paused {
		details["paused"] = true
	}
	if o.OffReason != "" {
		details["reason"] = o.OffReason
	}
	return details
}

// lockAccount makes others who call it for this account wait until the transaction
// ends.
func (s Scoped) lockAccount(ctx context.Context, tx *sql.Tx) error {
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE account
		SET settings = settings
		WHERE id = $1`,
		s.account))
	if err == nil && n != 1 {
		return ErrNoAccount
	}
	return wrapf(err, "lock account")
}

// SetOutletSecrets replaces the signing secrets of an outlet, newest first.
// With two, each push carries both signatures until the older one is dropped.
func (s Scoped) SetOutletSecrets(ctx context.Context, by gangway.Actor, id string, secrets []string,
	at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.writeOutletSecrets(ctx, tx, id, secrets); err != nil {
			return err
		}
		return s.record(ctx, tx, gangway.AuditEntry{
			At: at, By: by, What: gangway.OutletRotated, After: map[string]any{"outlet": id,
				"signatures": len(secrets)},
		})
	})
}

func (s Scoped) writeOutletSecrets(ctx context.Context, tx *sql.Tx, id string, secrets []string) error {
	sealed, err := s.sealOutletSecrets(id, secrets)
	if err != nil {
		return err
	}
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE outlet
		SET secrets = $3
		WHERE account = $1 AND id = $2`,
		s.account, id, sealed))
	if err == nil && n != 1 {
		return gangway.Errorf(gangway.NotFound, "there is no such outlet")
	}
	return wrapf(err, "change outlet %s", id)
}

// OutletSecrets returns the signing secrets of an outlet, newest first.
func (s Scoped) OutletSecrets(ctx context.Context, id string) ([]string, error) {
	return s.outletSecrets(ctx, s.db.reader, id)
}

func (s Scoped) outletSecrets(ctx context.Context, q querier, id string) ([]string, error) {
	text, err := column[string](q.QueryRowContext(ctx, `
		SELECT secrets
		FROM outlet
		WHERE account = $1 AND id = $2`,
		s.account, id))
	if err != nil {
		return nil, notFoundOr(err, "there is no outlet %q", id)
	}
	return s.openOutletSecrets(id, text)
}

// sealOutletSecrets returns nothing for an outlet without signing secrets: a lost key costs it nothing.
func (s Scoped) sealOutletSecrets(id string, secrets []string) (string, error) {
	if len(secrets) == 0 {
		return "", nil
	}
	doc, err := json.Marshal(secrets)
	return s.seal(outletColumn, id, doc), wrapf(err, "write secrets of outlet %s", id)
}

func (s Scoped) openOutletSecrets(id, text string) (secrets []string, err error) {
	if text == "" {
		return nil, nil
	}
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
		_, err = s.makeQueuesDue(ctx, tx, id, now)
		return err
	}, Deliveries)
}

// outletColumns are the columns that scanOutlet reads; no secrets are among them.
const outletColumns = `id, name, kind, settings, states, mapping, format, batch, paused, off, off_reason, created_at,
	failing_since, held_until, set_at, resumed_at`

// Outlets returns the account's outlets, the oldest first, without their secrets.
func (s Scoped) Outlets(ctx context.Context) ([]gangway.Outlet, error) {
	list, err := selectAll(ctx, s.db.reader, scanOutlet, `
		SELECT `+outletColumns+`
		FROM outlet
		WHERE account = $1
		ORDER BY created_at, id`,
		s.account)
	return list, wrapf(err, "list outlets")
}

// OutletToChange returns the account's outlet of a name with its transport's secrets, and without them
// where the keys do not open them: Unopened then says why. NotFound: there is none of this name.
func (s Scoped) OutletToChange(ctx context.Context, name string) (StoredOutlet, error) {
	return s.outlet(ctx, s.db.reader, name)
}

func (s Scoped) outlet(ctx context.Context, q querier, name string) (StoredOutlet, error) {
	var sealed string
	o, err := scanOutlet(prefixedRow{q.QueryRowContext(ctx, `
		SELECT credentials, `+outletColumns+`
		FROM outlet
		WHERE account = $1 AND name = $2`,
		s.account, name), []any{&sealed}})
	if err != nil {
		return StoredOutlet{}, notFoundOr(err, "there is no outlet %q", name)
	}
	stored := StoredOutlet{Outlet: o}
	stored.Transport.Secrets, stored.Unopened = s.openOutletSettings(o.ID, sealed)
	return stored, nil
}

func scanOutlet(row scanner) (o gangway.Outlet, err error) {
	var settings, states string
	if err := row.Scan(&o.ID, &o.Name, &o.Transport.Kind, &settings, &states, &o.Mapping, &o.Format, howLong(&o.Batch),
		&o.Paused, &o.Off, &o.OffReason, when(&o.CreatedAt), when(&o.FailingSince), when(&o.HeldUntil), when(&o.SetAt),
		when(&o.ResumedAt)); err != nil {
		return o, notFoundOr(err, "there is no such outlet")
	}
	o.Transport.Settings, o.States = json.RawMessage(settings), splitStates(states)
	return o, nil
}
