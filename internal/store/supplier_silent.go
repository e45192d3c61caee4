package store

import (
	"context"
	"time"
)

// SupplierSilent notes that the account's supplier does not answer searches, since a time if nothing older is noted.
func (s Scoped) SupplierSilent(ctx context.Context, since time.Time) error {
	return s.setSilent(ctx, `silent_since = 0`, millis(since))
}

// SupplierAnswers notes that the account's supplier answers searches.
func (s Scoped) SupplierAnswers(ctx context.Context) error {
	return s.setSilent(ctx, `silent_since > 0`, 0)
}

func (s Scoped) setSilent(ctx context.Context, where string, since int64) error {
	err := s.exec(ctx, `
		UPDATE account
		SET silent_since = $2
		WHERE id = $1 AND `+where,
		s.account, since)
	return wrapf(err, "note whether a supplier answers")
}
