package store

import (
	"context"
	"database/sql"
	"fmt"

	"gangway"
)

// changeCredentials writes the credentials that somebody has given to an outlet,
// and returns them. The stored ones are opened only if something is left out, so
// that whoever has lost the key to them can give new ones.
func (s Scoped) changeCredentials(ctx context.Context, tx *sql.Tx, outlet string,
	change gangway.CredentialsChange) (c gangway.Credentials, err error) {
	if !change.Whole() {
		if c, err = s.outletCredentials(ctx, tx, outlet); err != nil {
			return c, err
		}
	}
	if c, err = change.Over(c); err != nil {
		return c, err
	}
	sealed, err := s.sealCredentials(outlet, c)
	if err != nil {
		return c, err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE outlet
		SET credentials_kind = $3, credentials = $4
		WHERE account = $1 AND id = $2`,
		s.account, outlet, c.String(), sealed)
	if err != nil {
		return c, fmt.Errorf("change credentials of outlet %s: %w", outlet, err)
	}
	return c, nil
}

func (s Scoped) outletCredentials(ctx context.Context, q querier, outlet string) (gangway.Credentials, error) {
	var text string
	err := q.QueryRowContext(ctx, `
		SELECT credentials
		FROM outlet
		WHERE account = $1 AND id = $2`,
		s.account, outlet).Scan(&text)
	if err != nil {
		return gangway.Credentials{}, notFoundOr(err, "there is no outlet %q", outlet)
	}
	return s.openCredentials(outlet, text)
}

// sealCredentials returns how credentials are stored: as nothing if there are none.
// Credentials for customers' systems are never stored in clear.
func (s Scoped) sealCredentials(outlet string, c gangway.Credentials) (string, error) {
	if !c.Any() {
		return "", nil
	}
	if s.db.sealer == nil {
		return "", noKey()
	}
	doc, err := c.Reveal()
	if err != nil {
		return "", fmt.Errorf("write credentials of outlet %s: %w", outlet, err)
	}
	return s.seal(credentialsColumn, outlet, doc), nil
}

func (s Scoped) openCredentials(outlet, text string) (gangway.Credentials, error) {
	if text == "" {
		return gangway.Credentials{}, nil
	}
	doc, err := s.open(credentialsColumn, outlet, text)
	if err != nil {
		return gangway.Credentials{}, err
	}
	kept, err := gangway.ReadCredentials(doc)
	if err != nil {
		return gangway.Credentials{}, fmt.Errorf("open credentials of outlet %s: %w", outlet, err)
	}
	return kept.Over(gangway.Credentials{})
}
