package store

import (
	"context"
	"database/sql"
	"time"

	"gangway/internal/gangway"
)

// A SharedLink opens an itinerary without sign-in: that of a booking, or of a crew change.
type SharedLink struct {
	ID      string
	Booking string
	Change  string // key of the crew change
	gangway.Stamp
	Opened   int // how often
	OpenedAt time.Time
}

// linksShown is how many links a subject has at most.
const linksShown = 20

const linkColumns = `id, booking, change_key, made_at, made_by, made_name, opened, opened_at`

func scanLink(row scanner) (l SharedLink, err error) {
	err = row.Scan(&l.ID, &l.Booking, &l.Change, when(&l.At), &l.By, &l.ByName, &l.Opened, when(&l.OpenedAt))
	return l, err
}

// details is what the audit log records of l. The key of a crew change may name a traveller.
func (l SharedLink) details() map[string]any {
	if l.Booking != "" {
		return map[string]any{"link": l.ID, "booking": l.Booking}
	}
	return map[string]any{"link": l.ID, "to": "a crew change"}
}

// MakeLink adds a link; hash is the hash of the secret in its address. Made again, it is the same one. Conflict:
// there are too many.
func (s Scoped) MakeLink(ctx context.Context, by gangway.Actor, l SharedLink, hash string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		n, err := changed(tx.ExecContext(ctx, `
			INSERT INTO shared_link (account, id, hash, booking, change_key, made_at, made_by, made_name)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (hash) DO NOTHING`,
			s.account, l.ID, hash, l.Booking, l.Change, millis(l.At), l.By, l.ByName))
		if err != nil || n == 0 {
			return wrapf(err, "make a link")
		}
		list, err := links(ctx, tx, s.account, l.Booking, l.Change)
		if err != nil {
			return err
		}
		if len(list) > linksShown {
			return gangway.Errorf(gangway.Conflict, "this itinerary has %d links: revoke one first", linksShown)
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: l.At, By: by, What: gangway.LinkMade, After: l.details()})
	})
}

// Links returns the links to the itinerary of a booking or a crew change, the oldest first.
func (s Scoped) Links(ctx context.Context, booking, change string) ([]SharedLink, error) {
	return links(ctx, s.db.reader, s.account, booking, change)
}

func links(ctx context.Context, q querier, account, booking, change string) ([]SharedLink, error) {
	list, err := selectAll(ctx, q, scanLink, `
		SELECT `+linkColumns+`
		FROM shared_link
		WHERE account = $1 AND booking = $2 AND change_key = $3
		ORDER BY made_at
		LIMIT $4`,
		account, booking, change, linksShown+1)
	return list, wrapf(err, "list links")
}

// RevokeLink deletes a link. NotFound: there is none.
func (s Scoped) RevokeLink(ctx context.Context, by gangway.Actor, id string, at time.Time) (SharedLink, error) {
	var l SharedLink
	err := s.write(ctx, func(tx *sql.Tx) (err error) {
		l, err = scanLink(tx.QueryRowContext(ctx, `
			DELETE FROM shared_link
			WHERE account = $1 AND id = $2
			RETURNING `+linkColumns, s.account, id))
		if err != nil {
			return notFoundOr(err, "this link was revoked already")
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.LinkRevoked, Before: l.details()})
	})
	return l, err
}

// EndLinks deletes the links to the itinerary of a booking or a crew change, so that they stay closed when another one
// has its key.
func (s Scoped) EndLinks(ctx context.Context, booking, change string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			DELETE FROM shared_link
			WHERE account = $1 AND booking = $2 AND change_key = $3`,
			s.account, booking, change)
		return wrapf(err, "end links")
	})
}

// LinkByHash returns the link with a hash, and whose it is. NotFound: there is none.
func (db *DB) LinkByHash(ctx context.Context, hash string) (l SharedLink, account string, err error) {
	l, err = scanLink(prefixedRow{db.reader.QueryRowContext(ctx, `
		SELECT account, `+linkColumns+`
		FROM shared_link
		WHERE hash = $1`,
		hash), []any{&account}})
	return l, account, notFoundOr(err, "there is no such link")
}

// CountOpening counts that a link was opened.
func (s Scoped) CountOpening(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE shared_link
			SET opened = opened + 1, opened_at = $3
			WHERE account = $1 AND id = $2`,
			s.account, id, millis(at))
		return wrapf(err, "count that a link was opened")
	})
}

// erasePaper deletes what opens the itinerary of an erased booking, and what agents' lists said of it; all of its crew
// change if that was named after the traveller.
func (s Scoped) erasePaper(ctx context.Context, tx *sql.Tx, was, b gangway.Booking) error {
	named := ""
	if was.Purpose.Change != b.Purpose.Change {
		named = was.Purpose.Change
	}
	for _, part := range []struct{ statement, of string }{
		{`DELETE FROM shared_link WHERE account = $1 AND booking = $2`, b.ID},
		{`DELETE FROM agent_list_row WHERE account = $1 AND booking = $2`, b.ID},
		{`DELETE FROM shared_link WHERE account = $1 AND booking = '' AND change_key = $2`, named},
		{`DELETE FROM agent_list WHERE account = $1 AND change_key = $2`, named},
	} {
		if _, err := tx.ExecContext(ctx, part.statement, s.account, part.of); err != nil {
			return wrapf(err, "erase links and lists of booking %s", b.ID)
		}
	}
	return nil
}
