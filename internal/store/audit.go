package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// record writes an entry of the audit log in the same transaction as the change it is about, so
// that neither exists without the other.
//
// Decided: docs/choices.md, "The audit log".
func (db *DB) record(ctx context.Context, tx *sql.Tx, e gangway.AuditEntry) error {
	return db.recordIn(within(ctx, tx), e)
}

func (db *DB) recordIn(tx statements, e gangway.AuditEntry) error {
	if e.By.ID == "" || e.What == "" || e.At.IsZero() {
		return fmt.Errorf("audit %s: an entry says who did what and when", e.What)
	}
	was, err := writeDetails(e.Before)
	if err != nil {
		return fmt.Errorf("audit %s: %w", e.What, err)
	}
	became, err := writeDetails(e.After)
	if err != nil {
		return fmt.Errorf("audit %s: %w", e.What, err)
	}
	err = tx.exec(`
		INSERT INTO audit (id, at, customer, environment, by_whom, by_name, came_from, what, was, became)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		newEntryID(), millis(e.At), e.Customer, string(e.Environment), foldEmail(e.By.ID), e.By.Name, e.By.From,
		string(e.What), was, became)
	return wrapf(err, "audit %s", e.What)
}

// record writes an entry about the account, in the transaction of the change.
func (s Scoped) record(ctx context.Context, tx *sql.Tx, e gangway.AuditEntry) error {
	return s.recordIn(within(ctx, tx), e)
}

func (s Scoped) recordIn(tx statements, e gangway.AuditEntry) error {
	err := tx.each(`SELECT customer, environment FROM account WHERE id = $1`, []any{s.account}, func(row scanner) error {
		return row.Scan(&e.Customer, &e.Environment)
	})
	if err == nil && e.Customer == "" {
		err = gangway.Errorf(gangway.NotFound, "there is no such account")
	}
	return cmp.Or(err, s.db.recordIn(tx, e))
}

// Record writes an entry about something that changes nothing in the database: a sign-in, or data
// that was shown.
func (db *DB) Record(ctx context.Context, e gangway.AuditEntry) error {
	return db.write(ctx, func(tx *sql.Tx) error { return db.record(ctx, tx, e) })
}

// Record writes an entry about something that was done in the account and changes nothing in the
// database: data that was shown or exported.
func (s Scoped) Record(ctx context.Context, by gangway.Actor, what gangway.AuditEvent, about map[string]any,
	at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: what, After: about})
	})
}

// entries counts the audit entries of this process.
var entries atomic.Uint32

// newEntryID returns an identifier that sorts after all earlier ones of this process, so that
// entries of the same millisecond are read in the order they were made.
func newEntryID() string {
	return fmt.Sprintf("aud_%08x%s", entries.Add(1), rand.Text()[:10])
}

// writeDetails writes a value the same way each time, so that logs can be compared.
func writeDetails(details map[string]any) (string, error) {
	if len(details) == 0 {
		return "", nil
	}
	doc, err := json.Marshal(details, json.Deterministic(true))
	return string(doc), err
}
