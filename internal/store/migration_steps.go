package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
)

// steps are the parts of migrations that SQL cannot express, by the migration's
// number. A step runs before the migration's file, in transactions of its own. If
// it is interrupted it runs again, and finds less to do.
var steps = map[int64]func(ctx context.Context, d dialect, db *sql.DB) error{
	34: foldChangeKeys,
}

// step runs the step of the next migration, if it has one.
func (d dialect) step(ctx context.Context, db *sql.DB, p *goose.Provider) error {
	had, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, source := range p.ListSources() {
		if source.Version <= had {
			continue
		}
		if step := steps[source.Version]; step != nil {
			if err := step(ctx, d, db); err != nil {
				return fmt.Errorf("migrate: step %d: %w", source.Version, err)
			}
		}
		return nil
	}
	return nil
}
